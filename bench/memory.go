package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"

	"forecourt.internal/bench/internal/world"
	inventoryv1 "forecourt.internal/proto/inventory/v1"
)

// measureMemory measures a process that runs nothing but the service, beside the bytes of the canonical JSON that it holds. The broker
// stays in this process.
func measureMemory(ctx context.Context, m *dealers, opts options, progress logf) (Subject, error) {
	subject := Subject{Name: "memory", Unit: "bytes/vehicle", Peer: "canonical JSON", Ratio: "times the canonical JSON"}
	var taken []footprint
	for round := range opts.rounds {
		progress("memory: round %d of %d", round+1, opts.rounds)
		f, err := runAlone(ctx, assignment{URL: m.broker.URL(), Tenants: m.ids})
		if err != nil {
			return subject, err
		}
		taken = append(taken, f)
	}
	for _, c := range []struct {
		name  string
		bytes func(footprint) int64
	}{
		{"heap in use", func(f footprint) int64 { return f.Heap }},
		{"resident, settled", func(f footprint) int64 { return f.Resident }},
		{"resident, peak of the start", func(f footprint) int64 { return f.Peak }},
	} {
		subject.Figures = append(subject.Figures, memoryFigure(c.name, taken, c.bytes))
	}
	return subject, nil
}

func memoryFigure(name string, taken []footprint, bytes func(footprint) int64) Figure {
	vehicles := float64(taken[0].Vehicles)
	per := func(n int64) float64 { return float64(n) / vehicles }
	ours, theirs := make([]int64, len(taken)), make([]int64, len(taken))
	for i, f := range taken {
		ours[i], theirs[i] = bytes(f), f.JSON
	}
	f := Figure{Case: name, Size: taken[0].Vehicles, Ours: spreadOf(ours, per), Theirs: spreadOf(theirs, per)}
	f.Ratio = f.Ours.Median / f.Theirs.Median
	return f
}

// assignmentEnv tells a copy of this program to run the service alone; it holds an assignment as JSON.
const assignmentEnv = "FORECOURT_BENCH_ALONE"

// assignment says which broker the service follows, and whose listings it holds.
type assignment struct {
	URL     string
	Tenants []string
}

// footprint is what a process that runs the service takes, in bytes.
type footprint struct {
	Vehicles int
	JSON     int64 // of all listings
	Heap     int64 // reachable
	Resident int64 // once what is not reachable has gone back to the system
	Peak     int64 // the most that was resident until the service was ready
}

// runAlone starts a copy of this program that runs the service, and returns what it measured.
func runAlone(ctx context.Context, a assignment) (footprint, error) {
	program, err := os.Executable()
	if err != nil {
		return footprint{}, fmt.Errorf("run the service alone: %w", err)
	}
	text, err := json.Marshal(a)
	if err != nil {
		return footprint{}, fmt.Errorf("run the service alone: %w", err)
	}
	cmd := exec.CommandContext(ctx, program)
	cmd.Env = append(os.Environ(), assignmentEnv+"="+string(text))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return footprint{}, fmt.Errorf("run the service alone: %w", err)
	}
	var f footprint
	if err := json.Unmarshal(out, &f); err != nil {
		return footprint{}, fmt.Errorf("run the service alone: %w", err)
	}
	return f, nil
}

// alone is the other side of runAlone: it runs the service and writes the footprint to standard output.
func alone(ctx context.Context, text string) error {
	var a assignment
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		return fmt.Errorf("read assignment: %w", err)
	}
	js, err := world.Connect(ctx, a.URL)
	if err != nil {
		return err
	}
	service, err := world.Serve(ctx, js)
	if err != nil {
		return err
	}
	var f footprint
	if f.Peak, err = status("VmHWM"); err != nil {
		return err
	}
	debug.FreeOSMemory()
	var mem runtime.MemStats
	runtime.ReadMemStats(&mem)
	f.Heap = int64(mem.HeapAlloc)
	if f.Resident, err = status("VmRSS"); err != nil {
		return err
	}
	if err := f.weigh(ctx, service, a.Tenants); err != nil {
		return err
	}
	return errors.Join(json.NewEncoder(os.Stdout).Encode(f), service.Stop())
}

// weigh adds up the listings of the tenants.
func (f *footprint) weigh(ctx context.Context, service *world.Service, tenants []string) error {
	for _, id := range tenants {
		for req := (&inventoryv1.SearchRequest{Tenant: id, Limit: 100}); ; {
			page, err := service.Search(ctx, req)
			if err != nil {
				return fmt.Errorf("walk tenant %s: %w", id, err)
			}
			for _, listing := range page.GetListings() {
				f.Vehicles++
				f.JSON += int64(len(listing))
			}
			if req.Cursor = page.GetNextCursor(); req.Cursor == "" {
				break
			}
		}
	}
	return nil
}

// status reads a figure of this process from the kernel, in bytes; see proc_pid_status(5).
func status(name string) (int64, error) {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, fmt.Errorf("read the memory of the process: %w", err)
	}
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) == 3 && fields[0] == name+":" {
			kib, err := strconv.ParseInt(fields[1], 10, 64)
			return kib << 10, err
		}
	}
	return 0, fmt.Errorf("the kernel does not tell %s", name)
}
