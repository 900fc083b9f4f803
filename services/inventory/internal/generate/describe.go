package generate

import (
	"strconv"
	"strings"
)

// Sentences of descriptions. Words in braces stand for what the vehicle has; see appendWord.
var (
	newOpenings = []string{
		"New {year} {make} {model} {trim} in {exterior}.",
		"This {year} {model} {trim} is ready for its first owner.",
		"Just arrived: {year} {make} {model} {trim} with the {engine} and {drive}.",
		"Be the first to drive this {model} {trim}, finished in {exterior} over {interior}.",
	}
	usedOpenings = []string{
		"{year} {make} {model} {trim} with {miles} miles.",
		"Clean {year} {model} in {exterior} over {interior}.",
		"Local trade: {year} {make} {model} {trim}, {miles} miles on the odometer.",
		"A well-kept {model} {trim} that shows better than its {miles} miles.",
		"Priced to move, this {year} {make} {model} has the {engine} and {drive}.",
	}
	certifiedOpenings = []string{
		"Certified {year} {make} {model} {trim}, inspected from bumper to bumper.",
		"Certified pre-owned {model} with {miles} miles and a warranty to match.",
		"Buy with confidence: this {year} {make} {model} {trim} passed our certification.",
	}
	highlights = []string{
		"Equipment includes {option} and {option}.",
		"You get {option}, {option} and more.",
		"Highlights are {option} and {option}, and there is room for the whole week's luggage.",
		"It has {option}, which you will not want to miss again.",
		"It drives with {transmission} and comes with {option}.",
		"{option}? It is on board, and so is {option}.",
	}
	closings = []string{
		"Ask us about financing.", "Trade-ins are welcome.", "Home delivery can be arranged.", "Stop by for a test drive.",
		"Call ahead and we will have it at the door.", "Video walkaround on request.",
	}
)

// describe writes two or three sentences about the vehicle.
func (v *vehicle) describe(d dice) {
	openings := newOpenings
	switch v.condition {
	case isUsed:
		openings = usedOpenings
	case isCertified:
		openings = certifiedOpenings
	}
	option := d.below(len(v.options))
	v.say(one(d, openings), &option)
	v.say(one(d, highlights), &option)
	if d.chance(70) {
		v.say(one(d, closings), &option)
	}
}

// say adds a sentence. option is the next piece of equipment to name.
func (v *vehicle) say(sentence string, option *int) {
	if len(v.description) > 0 {
		v.description = append(v.description, ' ')
	}
	for {
		before, rest, found := strings.Cut(sentence, "{")
		v.description = append(v.description, before...)
		if !found {
			return
		}
		word, after, _ := strings.Cut(rest, "}")
		if word == "option" {
			v.description = append(v.description, v.options[*option%len(v.options)]...)
			*option++
		} else {
			v.description = v.appendWord(v.description, word)
		}
		sentence = after
	}
}

func (v *vehicle) appendWord(dst []byte, word string) []byte {
	switch word {
	case "year":
		return strconv.AppendInt(dst, int64(v.year), 10)
	case "make":
		return append(dst, v.brand.name...)
	case "model":
		return append(dst, v.model.name...)
	case "trim":
		return append(dst, v.trim()...)
	case "exterior":
		return append(dst, v.exterior...)
	case "interior":
		return append(dst, v.interior...)
	case "drive":
		return append(dst, v.drive()...)
	case "engine":
		return appendEngine(dst, v)
	case "transmission":
		return append(dst, v.engine().transmissionInWords()...)
	case "miles":
		return appendThousands(dst, v.miles)
	}
	return dst
}

// transmissionInWords is the transmission as it stands in a sentence.
func (e *engine) transmissionInWords() string {
	switch e.transmission {
	case cvt:
		return "a CVT"
	case manual:
		return "a manual transmission"
	}
	return "an automatic transmission"
}

// appendThousands writes a number below a million with a comma before its last three digits.
func appendThousands(dst []byte, n int) []byte {
	if n < 1_000 {
		return strconv.AppendInt(dst, int64(n), 10)
	}
	dst = strconv.AppendInt(dst, int64(n/1_000), 10)
	rest := strconv.Itoa(1_000 + n%1_000)
	return append(append(dst, ','), rest[1:]...)
}
