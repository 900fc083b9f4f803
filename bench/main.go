package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// options are what is measured, and how large.
type options struct {
	only     string
	stocks   []int // vehicles of each tenant that is searched
	vehicles int   // of all the tenants whose memory and replay are measured
	leads    int   // submitted in each round
	rounds   int
	json     bool
}

// logf tells what is going on.
type logf func(format string, args ...any)

// subjects are the names of all that can be measured.
var subjects = []string{"search", "memory", "replay", "lead"}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if text, ok := os.LookupEnv(assignmentEnv); ok {
		exit(alone(ctx, text))
	}
	opts, err := parse(os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		os.Exit(2) // the flag package has said why
	}
	exit(run(ctx, opts, os.Stdout, func(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }))
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

const million = 1_000_000

func parse(args []string) (options, error) {
	opts := options{stocks: []int{1_000, 10_000, 100_000}}
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	full := flags.Bool("full", false, "also search 1,000,000 vehicles, and measure memory and replay of as many; needs 16 GB and half an hour")
	flags.StringVar(&opts.only, "only", "", "measure this subject alone: search, memory, replay or lead")
	flags.Func("stocks", "vehicles of each searched tenant, separated by commas (default 1000,10000,100000)", func(text string) error {
		opts.stocks = nil
		for part := range strings.SplitSeq(text, ",") {
			vehicles, err := strconv.Atoi(part)
			if err != nil || vehicles < variants {
				return fmt.Errorf("%q is no number of at least %d", part, variants)
			}
			opts.stocks = append(opts.stocks, vehicles)
		}
		return nil
	})
	flags.IntVar(&opts.vehicles, "vehicles", 100_000, "vehicles whose memory and replay are measured, 1000 per tenant")
	flags.IntVar(&opts.leads, "leads", 5_000, "leads that are submitted in each round, and calls of each of their peers")
	flags.IntVar(&opts.rounds, "rounds", 5, "how often each figure is taken")
	flags.BoolVar(&opts.json, "json", false, "write JSON instead of tables")
	if err := flags.Parse(args); err != nil {
		return options{}, err
	}
	if *full {
		opts.stocks, opts.vehicles = append(opts.stocks, million), million
	}
	return opts, opts.check(flags.Output())
}

// check refuses options that measure nothing, and says so.
func (o options) check(w io.Writer) error {
	var err error
	switch {
	case o.only != "" && !slices.Contains(subjects, o.only):
		err = fmt.Errorf("there is no subject %q; use one of %s", o.only, strings.Join(subjects, ", "))
	case o.vehicles < 1 || o.leads < 1 || o.rounds < 1:
		err = errors.New("-vehicles, -leads and -rounds must be at least 1")
	}
	if err != nil {
		fmt.Fprintln(w, err)
	}
	return err
}

func (o options) wants(subject string) bool { return o.only == "" || o.only == subject }

// report is the output of -json.
type report struct {
	Go       string    `json:"go"`
	System   string    `json:"system"`
	CPUs     int       `json:"cpus"`
	Subjects []Subject `json:"subjects"`
}

// run measures what the options ask for and writes it. progress is told what is going on.
func run(ctx context.Context, opts options, w io.Writer, progress logf) error {
	r := report{Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH, CPUs: runtime.GOMAXPROCS(0)}
	add := func(s Subject, err error) error {
		if err != nil {
			return fmt.Errorf("measure %s: %w", s.Name, err)
		}
		r.Subjects = append(r.Subjects, s)
		return nil
	}
	if opts.wants("search") {
		if err := add(measureSearch(ctx, opts, progress)); err != nil {
			return err
		}
	}
	if opts.wants("memory") || opts.wants("replay") {
		err := withDealers(ctx, opts.vehicles, progress, func(ctx context.Context, m *dealers) error {
			if opts.wants("memory") {
				if err := add(measureMemory(ctx, m, opts, progress)); err != nil {
					return err
				}
			}
			if opts.wants("replay") {
				return add(measureReplay(ctx, m, opts, progress))
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	if opts.wants("lead") {
		figures, err := measureLead(ctx, opts, progress)
		if err != nil {
			return fmt.Errorf("measure leads: %w", err)
		}
		r.Subjects = append(r.Subjects, figures...)
	}
	if opts.json {
		out := json.NewEncoder(w)
		out.SetIndent("", "  ")
		return out.Encode(r)
	}
	fmt.Fprintf(w, "%s, %s, %d CPUs, %d rounds\n", r.Go, r.System, r.CPUs, opts.rounds)
	return printTables(w, r.Subjects)
}
