package boot

import (
	"encoding"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"
)

// SettingsError lists everything that is wrong with the settings, each with a correction.
type SettingsError struct{ Problems []string }

func (e *SettingsError) Error() string { return strings.Join(e.Problems, "\n") }

// Setting is one environment variable of a service.
type Setting struct {
	Name     string // such as "FORECOURT_LISTEN"
	Default  string // "" when there is none
	Required bool
}

// Load reads settings of the struct type S from environment variables. A field's tags say how:
//
//	Lease time.Duration `env:"FORECOURT_LEASE" envDefault:"10s" example:"10s"`
//
// with ",required" for one that has to be there; the example is what a correction suggests. A variable that is empty counts as absent. The
// error is a *SettingsError with every problem, also those that a method Problems() []string of S finds in how settings go together. It
// repeats no value of a type that reads its own text, because URLs hold credentials.
func Load[S any](environ map[string]string) (S, error) {
	var settings S
	given := make(map[string]string, len(environ))
	for name, value := range environ {
		if value != "" {
			given[name] = value
		}
	}
	var problems []string
	if err := env.ParseWithOptions(&settings, env.Options{Environment: given}); err != nil {
		all := env.AggregateError{Errors: []error{err}}
		errors.As(err, &all)
		for _, err := range all.Errors {
			problems = append(problems, problem(reflect.TypeFor[S](), given, err))
		}
	}
	if together, ok := any(settings).(interface{ Problems() []string }); ok {
		problems = append(problems, together.Problems()...)
	}
	if len(problems) == 0 {
		return settings, nil
	}
	slices.Sort(problems)
	return settings, &SettingsError{Problems: slices.Compact(problems)}
}

// Describe returns the settings that a struct type stands for, sorted by name.
func Describe[S any]() ([]Setting, error) {
	params, err := env.GetFieldParams(new(S))
	if err != nil {
		return nil, fmt.Errorf("describe settings: %w", err)
	}
	var settings []Setting
	for _, p := range params {
		settings = append(settings, Setting{Name: p.Key, Default: p.DefaultValue, Required: p.Required})
	}
	slices.SortFunc(settings, func(a, b Setting) int { return strings.Compare(a.Name, b.Name) })
	return settings, nil
}

// problem words an error of the env package for whoever set the variable.
func problem(settings reflect.Type, given map[string]string, err error) string {
	var missing env.VarIsNotSetError
	var unreadable env.ParseError
	switch {
	case errors.As(err, &missing):
		return fmt.Sprintf("%s is missing; set it, for example to %s", missing.Key, example(settings, missing.Key))
	case errors.As(err, &unreadable):
		field, _ := settings.FieldByName(unreadable.Name)
		name := variable(field)
		what := unreadable.Err.Error()
		if !readsItself(field.Type) {
			what = fmt.Sprintf("%q is not %s", given[name], kind(field.Type))
		}
		return fmt.Sprintf("%s: %s; write for example %s", name, what, field.Tag.Get("example"))
	}
	return err.Error()
}

func variable(field reflect.StructField) string {
	name, _, _ := strings.Cut(field.Tag.Get("env"), ",")
	return name
}

func example(settings reflect.Type, name string) string {
	for _, field := range reflect.VisibleFields(settings) {
		if variable(field) == name {
			return field.Tag.Get("example")
		}
	}
	return ""
}

func readsItself(t reflect.Type) bool {
	return reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}

func kind(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[time.Duration]():
		return "a duration"
	case t.Kind() == reflect.Int:
		return "a whole number"
	}
	return "a " + t.String()
}
