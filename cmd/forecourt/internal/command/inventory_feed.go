package command

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"forecourt.internal/platform/tenant"
	"forecourt.internal/services/inventory"
)

// feedOptions are the flags that say how a feed is taken.
type feedOptions struct {
	dialect, rooftop            string
	replace, allowEmpty, strict bool
}

func (o *feedOptions) addTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&o.dialect, "dialect", "", "read the file as "+quotedList(inventory.Dialects(), "or")+
		"; by default the tenant's dialect, else recognised")
	flags.StringVar(&o.rooftop, "rooftop", "", "the file is of this rooftop only: rows without one get it, rows of another are bad")
	flags.BoolVar(&o.replace, "replace", false, "delist the vehicles that the file does not name, of --rooftop where it is given")
	flags.BoolVar(&o.allowEmpty, "allow-empty", false, "with --replace, take a file that lists nothing, which delists everything")
	flags.BoolVar(&o.strict, "strict", false, "import nothing when a row is bad")
}

// saveMemory lets less garbage than usual stand beside what is in use, unless GOGC says how much. Nearly all that an import uses is the
// JSON of its rows, which costs the collector nothing to pass over: 1,000,000 vehicles are read within 2.3 times the size of their file.
func saveMemory() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(50)
	}
}

// check finds what is wrong with the flags whatever the tenant.
func (o *feedOptions) check(cmd *cobra.Command) error {
	if o.rooftop == "" && cmd.Flags().Changed("rooftop") { // as an unset variable of a script leaves it: --replace would concern all rooftops
		return usageError{errors.New("--rooftop is empty; name the rooftop that the file is of, or leave the flag out when it is of all")}
	}
	if o.dialect != "" && !slices.Contains(inventory.Dialects(), o.dialect) {
		return usageError{fmt.Errorf("there is no dialect %q; use %s, or leave --dialect out to have it recognised",
			o.dialect, quotedList(inventory.Dialects(), "or"))}
	}
	if o.allowEmpty && !o.replace {
		return usageError{errors.New("--allow-empty has a meaning only with --replace: without it, nothing is delisted for being left out")}
	}
	return nil
}

// config is how a file of a tenant is imported. Its logger is silent: the report says it all.
func (o *feedOptions) config(doc *tenant.Document, file string) (inventory.ImportConfig, error) {
	if o.rooftop != "" && !slices.ContainsFunc(doc.Rooftops, func(r tenant.Rooftop) bool { return strings.EqualFold(r.Name, o.rooftop) }) {
		var names []string
		for _, r := range doc.Rooftops {
			names = append(names, r.Name)
		}
		return inventory.ImportConfig{}, usageError{fmt.Errorf("tenant %s has no rooftop %q (--rooftop); use %s",
			doc.ID, o.rooftop, quotedList(names, "or"))}
	}
	return inventory.ImportConfig{
		Tenant: doc, File: file, Dialect: o.dialect, Rooftop: o.rooftop,
		Replace: o.replace, AllowEmpty: o.allowEmpty, Strict: o.strict, Logger: slog.New(slog.DiscardHandler),
	}, nil
}

// isRefused says whether an error of an import is about the file: it would be the same another time.
func isRefused(err error) bool { return wouldHave(err) || errors.As(err, new(inventory.Unreadable)) }

// wouldHave says whether a file was refused for what it says, so that its report counts what the import would have done.
func wouldHave(err error) bool {
	return errors.Is(err, inventory.ErrBadRows) || errors.Is(err, inventory.ErrListsNothing)
}

// quotedList is "a", "b" or "c".
func quotedList(names []string, conjunction string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = fmt.Sprintf("%q", name)
	}
	if len(quoted) < 2 {
		return strings.Join(quoted, "")
	}
	last := len(quoted) - 1
	return strings.Join(quoted[:last], ", ") + " " + conjunction + " " + quoted[last]
}
