package contract

import "strings"

// nearestName finds the known name that a caller most likely meant: the same but for case and separators, or within two
// edits (one in a short name). Ties go to the first in order.
func nearestName(name string, known []string) (string, bool) {
	if len(name) > 40 {
		return "", false
	}
	plain := plainName(name)
	best, bestEdits := "", 3
	if len(plain) < 5 {
		bestEdits = 2
	}
	for _, k := range known {
		if d := edits(plain, plainName(k)); d < bestEdits {
			best, bestEdits = k, d
		}
	}
	return best, best != ""
}

func plainName(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "", ".", "").Replace(name))
}

// edits is the Levenshtein distance of two short names.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			substitute := diagonal
			if a[i] != b[j] {
				substitute++
			}
			diagonal = row[j+1]
			row[j+1] = min(substitute, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
