package eventlog

import (
	"bufio"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"slices"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/platform/natsd"
)

// brokerDir names the directory in which a process of this test is a broker, for others to kill.
const brokerDir = "EVENTLOG_TEST_BROKER_DIR"

func TestMain(m *testing.M) {
	dir := os.Getenv(brokerDir)
	if dir == "" {
		os.Exit(m.Run())
	}
	s, err := natsd.Start(natsd.Config{Listen: "127.0.0.1:0", Dir: dir, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(s.URL())
	io.Copy(io.Discard, os.Stdin) // until the test ends
	s.Shutdown()
}

// startProcess runs a broker in a process of its own and connects to it.
func startProcess(t *testing.T, dir string) (jetstream.JetStream, *os.Process) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), brokerDir+"="+dir)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stdin.Close()
		cmd.Wait() // a killed process ends with an error
	})
	lines := bufio.NewScanner(stdout)
	if !lines.Scan() {
		t.Fatal("the broker did not start")
	}
	nc, err := nats.Connect(lines.Text(), nats.NoReconnect(), nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	return js, cmd.Process
}

func TestAppend_BrokerKilledInTheMiddle_KeepsWholeBatches_AndTheNextCompletes(t *testing.T) {
	dir := t.TempDir()
	js, process := startProcess(t, dir)
	const n = 8 * maxBatch
	changes := changesOf(n, func(int) uint64 { return 0 })
	acknowledged := 0
	err := open(t, js).Append(t.Context(), slices.Values(changes), func(_ int, stored bool) {
		if !stored {
			t.Error("a new vehicle was refused")
		}
		if acknowledged++; acknowledged == maxBatch {
			process.Kill()
		}
	})
	if err == nil {
		t.Fatal("the broker was killed too late")
	}

	js, _ = startProcess(t, dir)
	l := open(t, js)
	stock, err := l.Current(t.Context(), "t", func(int64, int64) {})
	if err != nil {
		t.Fatal(err)
	}
	kept := len(stock.Vehicles)
	if kept < acknowledged || kept%maxBatch != 0 || stock.AsOf != uint64(kept) {
		t.Errorf("%d vehicles up to sequence %d are kept of %d acknowledged ones", kept, stock.AsOf, acknowledged)
	}
	for i, c := range changes {
		if got := stock.Vehicles[c.Event.VehicleID].Seq; i < kept && got != uint64(i+1) || i >= kept && got != 0 {
			t.Fatalf("vehicle %d of %d kept ones is at sequence %d", i, kept, got)
		}
	}
	if got := answers(t, l, changes[kept:]); slices.Contains(got, false) || len(got) != n-kept {
		t.Errorf("%d of the other %d vehicles are answered", len(got), n-kept)
	}
}
