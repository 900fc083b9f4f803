package generate

import (
	"bytes"
	"strconv"
)

// column is a column of the feed: its header, and how its value is written, without quotes.
type column struct {
	header string
	append func(dst []byte, v *vehicle) []byte
}

var location = column{"Location", func(dst []byte, v *vehicle) []byte { return append(dst, v.rooftop...) }}

// columns are those of every feed; docs/feeds.md says what the headers mean.
var columns = []column{
	{"Stock", func(dst []byte, v *vehicle) []byte { return append(dst, v.stock...) }},
	{"VIN", func(dst []byte, v *vehicle) []byte { return append(dst, v.vin[:]...) }},
	{"Type", func(dst []byte, v *vehicle) []byte {
		return append(dst, either(v.condition == isNew, "New", "Used")...)
	}},
	{"Certified", func(dst []byte, v *vehicle) []byte {
		return append(dst, either(v.condition == isCertified, "TRUE", "FALSE")...)
	}},
	{"Year", func(dst []byte, v *vehicle) []byte { return appendNumber(dst, v.year) }},
	{"Make", func(dst []byte, v *vehicle) []byte { return append(dst, v.brand.name...) }},
	{"Model", func(dst []byte, v *vehicle) []byte { return append(dst, v.model.name...) }},
	{"Trim", func(dst []byte, v *vehicle) []byte { return append(dst, v.trim()...) }},
	{"Body", func(dst []byte, v *vehicle) []byte { return append(dst, v.model.body...) }},
	{"Status", func(dst []byte, v *vehicle) []byte { return append(dst, v.status...) }},
	{"MSRP", appendMSRP},
	{"SellingPrice", appendPrice},
	{"Miles", func(dst []byte, v *vehicle) []byte { return appendNumber(dst, v.miles) }},
	{"Transmission", func(dst []byte, v *vehicle) []byte { return append(dst, v.engine().transmission...) }},
	{"Drivetrain", func(dst []byte, v *vehicle) []byte { return append(dst, v.drive()...) }},
	{"Engine", appendEngine},
	{"EngineDisplacement", func(dst []byte, v *vehicle) []byte { return append(dst, v.engine().litres...) }},
	{"FuelType", func(dst []byte, v *vehicle) []byte { return append(dst, v.engine().fuel...) }},
	{"CityMPG", func(dst []byte, v *vehicle) []byte { return appendEconomy(dst, v, v.engine().city) }},
	{"HighwayMPG", func(dst []byte, v *vehicle) []byte { return appendEconomy(dst, v, v.engine().highway) }},
	{"ExteriorColor", func(dst []byte, v *vehicle) []byte { return append(dst, v.exterior...) }},
	{"InteriorColor", func(dst []byte, v *vehicle) []byte { return append(dst, v.interior...) }},
	{"DateInStock", appendDate},
	{"Options", appendOptions},
	{"Description", func(dst []byte, v *vehicle) []byte { return append(dst, v.description...) }},
	{"VDP", appendPage},
	{"PhotoURLs", appendPhotos},
}

func columnsFor(rooftops []string) []column {
	if len(rooftops) == 0 {
		return columns
	}
	return append([]column{location}, columns...)
}

func headerRow(table []column) []byte {
	var row []byte
	for i, c := range table {
		row = append(row, either(i == 0, "", ",")...)
		row = append(row, c.header...)
	}
	return append(row, '\n')
}

func appendRow(dst []byte, table []column, v *vehicle) []byte {
	for i, c := range table {
		if i > 0 {
			dst = append(dst, ',')
		}
		start := len(dst)
		dst = quoted(c.append(dst, v), start)
	}
	return append(dst, '\n')
}

// quoted puts the value that begins at start in quotes where it needs them (RFC 4180).
func quoted(dst []byte, start int) []byte {
	isPlain := true
	for _, special := range []byte(",\"\r\n") {
		isPlain = isPlain && bytes.IndexByte(dst[start:], special) < 0
	}
	if isPlain {
		return dst
	}
	value := bytes.ReplaceAll(dst[start:], []byte{'"'}, []byte{'"', '"'})
	dst = append(dst[:start], '"')
	return append(append(dst, value...), '"')
}

func either(holds bool, yes, no string) string {
	if holds {
		return yes
	}
	return no
}

func appendNumber(dst []byte, n int) []byte { return strconv.AppendInt(dst, int64(n), 10) }

func appendMSRP(dst []byte, v *vehicle) []byte {
	if v.condition != isNew {
		return dst
	}
	return appendNumber(dst, v.msrp)
}

func appendPrice(dst []byte, v *vehicle) []byte {
	if v.price == 0 {
		return append(dst, "Call"...)
	}
	return appendNumber(dst, v.price)
}

// appendEngine writes the engine in words, such as "2.5L I4 Hybrid".
func appendEngine(dst []byte, v *vehicle) []byte {
	e := v.engine()
	if e.litres != "" {
		dst = append(append(dst, e.litres...), ' ')
	}
	dst = append(dst, e.layout...)
	switch e.fuel {
	case hybrid, plugIn, diesel:
		dst = append(append(dst, ' '), e.fuel...)
	}
	return dst
}

// appendEconomy writes miles per gallon; every other drive than the first costs a mile or two.
func appendEconomy(dst []byte, v *vehicle, mpg int) []byte {
	if mpg == 0 {
		return dst
	}
	return appendNumber(dst, mpg-v.driveAt)
}

// appendDate writes the day of arrival; vehicles on their way have none.
func appendDate(dst []byte, v *vehicle) []byte {
	if v.status == inTransit {
		return dst
	}
	return today.AddDate(0, 0, -v.days).AppendFormat(dst, "01/02/2006")
}

func appendOptions(dst []byte, v *vehicle) []byte {
	for i, option := range v.options {
		if i > 0 {
			dst = append(dst, '|')
		}
		dst = append(dst, option...)
	}
	return dst
}

func appendPage(dst []byte, v *vehicle) []byte {
	dst = append(dst, "https://dealer.example.com/"...)
	dst = append(dst, either(v.condition == isNew, "new/", "used/")...)
	dst = append(appendNumber(dst, v.year), '-')
	dst = append(appendSlug(dst, v.brand.name), '-')
	dst = append(appendSlug(dst, v.model.name), '-')
	return appendSlug(dst, v.stock)
}

func appendPhotos(dst []byte, v *vehicle) []byte {
	for n := 1; n <= v.photos; n++ {
		if n > 1 {
			dst = append(dst, '|')
		}
		dst = append(dst, "https://photos.example.com/"...)
		dst = append(appendSlug(dst, v.stock), '/')
		dst = append(appendNumber(dst, n), ".jpg"...)
	}
	return dst
}

// appendSlug writes a name as a segment of a path: small letters and digits, and hyphens for the rest.
func appendSlug(dst []byte, name string) []byte {
	for _, c := range []byte(name) {
		switch {
		case c >= 'A' && c <= 'Z':
			c += 'a' - 'A'
		case c < '0' || c > '9' && c < 'a' || c > 'z':
			c = '-'
		}
		dst = append(dst, c)
	}
	return dst
}
