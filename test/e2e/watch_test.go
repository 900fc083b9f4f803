package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"forecourt.internal/test/internal/binary"
)

// shell runs a command line of the shell.
func shell(t *testing.T, line string) (stdout, stderr string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", "-c", line)
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v\n%s", line, err, &errOut)
	}
	return out.String(), errOut.String()
}

// watched is a directory with `inventory watch` on it.
type watched struct {
	t   *testing.T
	dir string
	p   *binary.Process
	log string // its file
	cmd *exec.Cmd
}

func watchDirectory(t *testing.T, p *binary.Process) *watched {
	t.Helper()
	w := &watched{t: t, dir: t.TempDir(), p: p, log: filepath.Join(t.TempDir(), "log")}
	w.start()
	t.Cleanup(func() {
		w.end(syscall.SIGTERM)
		if t.Failed() {
			t.Logf("log of the watcher:\n%s", w.read(w.log))
		}
	})
	return w
}

func (w *watched) start() {
	w.t.Helper()
	log, err := os.OpenFile(w.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		w.t.Fatal(err)
	}
	defer log.Close()
	w.cmd = exec.Command(binary.Path, "inventory", "watch", w.dir, "--settle", "50ms", "--nats-url", w.p.Endpoints["nats"])
	w.cmd.Stderr = log
	if err := w.cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
}

// end sends a signal and returns the exit code, -1 when the signal itself ended the process.
func (w *watched) end(signal syscall.Signal) int {
	w.t.Helper()
	tooLong := time.AfterFunc(binary.Patience, func() { w.cmd.Process.Kill() })
	defer tooLong.Stop()
	_ = w.cmd.Process.Signal(signal)
	_ = w.cmd.Wait() // how it ended is in the state
	return w.cmd.ProcessState.ExitCode()
}

func (w *watched) path(name string) string { return filepath.Join(w.dir, filepath.FromSlash(name)) }

func (w *watched) write(name, text string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(w.path(name)), 0o755); err != nil {
		w.t.Fatal(err)
	}
	f, err := os.OpenFile(w.path(name), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		w.t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		w.t.Fatal(err)
	}
}

func (w *watched) rename(from, to string) {
	w.t.Helper()
	if err := os.Rename(w.path(from), w.path(to)); err != nil {
		w.t.Fatal(err)
	}
}

func (w *watched) exists(name string) bool {
	_, err := os.Stat(w.path(name))
	return err == nil
}

// has waits for a file.
func (w *watched) has(name string) {
	w.t.Helper()
	eventually(w.t, name+" is there", func() bool { return w.exists(name) })
}

func (w *watched) read(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		w.t.Error(err)
	}
	return string(text)
}

func TestWatch(t *testing.T) {
	t.Parallel()
	p := binary.Start(t, "serve", t.TempDir())
	t.Run("files of two tenants", func(t *testing.T) { t.Parallel(); filesOfTwoTenants(t, p) })
	t.Run("killed while it imports", func(t *testing.T) { t.Parallel(); killedWatcher(t, p) })
}

func filesOfTwoTenants(t *testing.T, p *binary.Process) {
	kia, seat := addDealership(t, p, "kia"), addDealership(t, p, "seat")
	w := watchDirectory(t, p)

	w.write("kia/slow.csv.part", "Stock,Make,Price\nK1,Kia,90")
	w.write("seat/whole.csv", "Stock,Make,Price\nS1,Seat,9000\n")
	w.has("seat/imported/whole.csv")
	servesStocks(t, seat, "S1")
	if !w.exists("kia/slow.csv.part") {
		t.Error("a file that is still written was taken")
	}
	w.write("kia/slow.csv.part", "00\nK2,Kia,9100\n")
	w.rename("kia/slow.csv.part", "kia/slow.csv")
	w.has("kia/imported/slow.csv")
	servesStocks(t, kia, "K1", "K2")

	w.write("kia/bad.csv", "no,feed\n1,2\n")
	w.write("kia/good.csv", "Stock,Make,Price\nK3,Kia,9000\nK4,Kia,9000 EUR\n")
	w.has("kia/failed/bad.csv")
	w.has("kia/imported/good.csv")
	servesStocks(t, kia, "K1", "K2", "K3")
	if report := w.read(w.path("kia/failed/bad.csv.report.json")); decode[struct{ Error string }](t, []byte(report)).Error == "" {
		t.Errorf("report of a bad file: %s", report)
	}
	if report := w.read(w.path("kia/imported/good.csv.report.json")); decode[imported](t, []byte(report)).Rejected != 1 {
		t.Errorf("report of a file with a bad row: %s", report)
	}
	if w.exists("kia/imported/slow.csv.report.json") {
		t.Error("there is a report of a file of which there is nothing to say")
	}
	if code := w.end(syscall.SIGINT); code != 0 {
		t.Errorf("exit code = %d, want 0", code)
	}
	w.start()
	w.write("kia/slow.csv", "Stock,Make,Price\nK5,Kia,9000\n")
	servesStocks(t, kia, "K1", "K2", "K3", "K5")
	eventually(t, "the second file of a name has a name with a time", func() bool {
		again, _ := filepath.Glob(w.path("kia/imported/slow-*.csv"))
		return len(again) == 1
	})
	if log := w.read(w.log); strings.Count(log, `"msg":"feed imported"`) != 4 || strings.Count(log, `"msg":"feed failed"`) != 1 {
		t.Error("there is not one log line for each file")
	}
}

func killedWatcher(t *testing.T, p *binary.Process) {
	a := addDealership(t, p, "killed")
	w := watchDirectory(t, p)
	total := func() int {
		return must[page](t, a, "aap_inventory_search", searchArguments(map[string]any{}, "")).Total
	}
	w.write("killed/feed.csv.tmp", operate(t, p, "", "inventory", "generate", "--count", "3000"))
	w.rename("killed/feed.csv.tmp", "killed/feed.csv")
	eventually(t, "some of the file is served", func() bool { return total() > 0 })
	if code := w.end(syscall.SIGKILL); code != -1 {
		t.Errorf("exit code = %d, want the signal", code)
	}
	w.start() // and waits until the lease of the killed import has run out, unless that was done
	w.has("killed/imported/feed.csv")
	all := decode[[]any](t, []byte(operate(t, p, "", "inventory", "export", "--tenant", "killed")))
	eventually(t, "all of the file is served", func() bool { return total() == len(all) })
	if got := importJSON(t, p, w.read(w.path("killed/imported/feed.csv")), "killed"); got.Unchanged != got.Rows {
		t.Errorf("the file imported again: %+v; want nothing to change", got)
	}
}
