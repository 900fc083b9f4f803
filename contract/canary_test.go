package contract

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// TestProblems_NeverRepeatAValue puts a marked value in every place of every payload, in forms that reach different
// rules, and looks for the mark in everything that is told.
func TestProblems_NeverRepeatAValue(t *testing.T) {
	t.Parallel()
	const mark = "Zx9Canary"
	canaries := []any{
		mark, mark + "@", "2026-04-30T" + mark, "https://" + mark + "\x7f", strings.Repeat(mark, 600), []any{mark, mark},
		map[string]any{"name": mark}, json.Number("77341977341977.5"), json.Number("7734e1977341"),
	}
	marks := []string{mark, "7734"}
	check := func(place string, said string) {
		for _, m := range marks {
			if strings.Contains(said, m) {
				t.Errorf("%s: %s", place, said)
			}
		}
	}
	v := validator(t)
	each := func(file string, judge func(payload any) string) {
		for _, seed := range seeds(t, file) {
			payload := clone(seed)
			for _, place := range slots(payload, "") {
				original := place.get()
				for _, canary := range canaries {
					place.set(canary)
					check(place.path, judge(payload))
				}
				place.set(original)
			}
		}
	}
	told := func(err *Error) string {
		if err == nil {
			return ""
		}
		return string(err.Payload("err_1", leadNow)) + err.Error()
	}
	for _, skill := range Skills() {
		each(skill.RequestSchema, func(payload any) string {
			return told(v.Request(skill.ID, payload, leadNow)) + told(LeadRules(object(payload), leadNow))
		})
		each(skill.ResponseSchema, func(payload any) string {
			return fmt.Sprint(v.Response(skill.ID, payload))
		})
	}
}
