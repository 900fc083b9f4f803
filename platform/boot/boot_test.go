package boot

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc"

	"forecourt.internal/platform/eventually"
	"forecourt.internal/platform/natsd"
)

type settings struct {
	NATS      NATSURL     `env:"FORECOURT_NATS_URL,required" example:"nats://127.0.0.1:4222"`
	Listen    Address     `env:"FORECOURT_LISTEN" envDefault:"127.0.0.1:0" example:"127.0.0.1:9101"`
	Admin     Address     `env:"FORECOURT_ADMIN" envDefault:"127.0.0.1:0" example:"127.0.0.1:9465"`
	Retention Retention   `env:"FORECOURT_RETENTION" envDefault:"72h" example:"72h"`
	Lease     Lease       `env:"FORECOURT_LEASE" envDefault:"10s" example:"10s"`
	Replicas  Replicas    `env:"FORECOURT_REPLICAS" envDefault:"1" example:"3"`
	Monitors  MonitorURLs `env:"FORECOURT_NATS_MONITOR_URLS" example:"http://127.0.0.1:8222"`
}

func TestLoad_DefaultsAndWhatIsGiven(t *testing.T) {
	got, err := Load[settings](map[string]string{
		"FORECOURT_NATS_URL": "nats://u:p@a:4222, b:4222", "FORECOURT_LISTEN": ":80", "FORECOURT_RETENTION": "24h", "FORECOURT_LEASE": "",
		"FORECOURT_NATS_MONITOR_URLS": "http://a:8222, http://b:8222/",
	})
	if err != nil {
		t.Fatal(err)
	}
	want := settings{
		NATS: "nats://u:p@a:4222, b:4222", Listen: ":80", Admin: "127.0.0.1:0", Retention: Retention(24 * time.Hour),
		Lease: Lease(10 * time.Second), Replicas: 1, Monitors: MonitorURLs{"http://a:8222", "http://b:8222"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestLoad_ListsEveryProblemWithACorrectionAndNoCredentials(t *testing.T) {
	for name, c := range map[string]struct {
		environ map[string]string
		want    []string
	}{
		"nothing given": {nil, []string{"FORECOURT_NATS_URL is missing; set it, for example to nats://127.0.0.1:4222"}},
		"everything wrong": {
			map[string]string{
				"FORECOURT_NATS_URL": "http://u:secret@a", "FORECOURT_LISTEN": "9101", "FORECOURT_ADMIN": "localhost:http",
				"FORECOURT_RETENTION": "1h", "FORECOURT_LEASE": "1s", "FORECOURT_REPLICAS": "many", "FORECOURT_NATS_MONITOR_URLS": "a:8222",
			},
			[]string{
				`FORECOURT_ADMIN: "localhost:http" is not host:port; write for example 127.0.0.1:9465`,
				`FORECOURT_LEASE: 1s is too short to record a lead in; the least is 2s; write for example 10s`,
				`FORECOURT_LISTEN: "9101" is not host:port; write for example 127.0.0.1:9101`,
				`FORECOURT_NATS_MONITOR_URLS: it is not a list of http URLs, separated by commas, one of each server's monitoring port; ` +
					`write for example http://127.0.0.1:8222`,
				`FORECOURT_NATS_URL: a NATS URL does not begin with "http://"; write for example nats://127.0.0.1:4222`,
				`FORECOURT_REPLICAS: "many" is not a number of replicas from 1 to 5; write for example 3`,
				`FORECOURT_RETENTION: a retention of 1h0m0s is below the 24h0m0s that the contract promises; write for example 72h`,
			},
		},
		"a lease longer than callers wait": {
			map[string]string{"FORECOURT_NATS_URL": "nats://127.0.0.1:4222", "FORECOURT_LEASE": "11s"},
			[]string{"FORECOURT_LEASE: 11s is longer than callers wait for a lead; the most is 10s; write for example 10s"},
		},
		"a URL that cannot be read": {
			map[string]string{"FORECOURT_NATS_URL": "nats://u:%zz@a", "FORECOURT_RETENTION": "0s"},
			[]string{
				"FORECOURT_NATS_URL: it is not a NATS URL, or several separated by commas; write for example nats://127.0.0.1:4222",
				"FORECOURT_RETENTION: 0s is no time to remember keys for; the contract promises at least 24h0m0s; write for example 72h",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Load[settings](c.environ)
			var got *SettingsError
			if !errors.As(err, &got) {
				t.Fatalf("err = %v", err)
			}
			if diff := cmp.Diff(c.want, got.Problems); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestNATSURL_Redacted_ShowsNoCredentials(t *testing.T) {
	for url, want := range map[NATSURL]string{
		"nats://a:4222":                    "nats://a:4222",
		"nats://user:secret@a:4222,b:4222": "nats://a:4222,nats://b:4222",
		"secret@a":                         "nats://a",
		"wss://a:443/?token=secret#secret": "wss://a:443/",
		"nats://u:%zz@a":                   "(not a URL)",
	} {
		if got := url.Redacted(); got != want {
			t.Errorf("%s: %s, want %s", url, got, want)
		}
	}
}

// binary is a service's binary that runs in the test.
type binary struct {
	t      *testing.T
	stop   context.CancelFunc
	out    *io.PipeReader
	log    *buffer
	exited chan int
}

func start(t *testing.T, environ map[string]string, run func(context.Context, *Process, settings) error) *binary {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	out, in := io.Pipe()
	b := &binary{t: t, stop: stop, out: out, log: new(buffer), exited: make(chan int, 1)}
	go func() {
		b.exited <- mainWith(ctx, "service", environ, in, b.log, run)
		in.Close()
	}()
	t.Cleanup(stop)
	return b
}

// ready returns the endpoints by name once the line "ready" has come.
func (b *binary) ready() map[string]string {
	b.t.Helper()
	endpoints := map[string]string{}
	var line []byte
	for one := make([]byte, 1); ; {
		if _, err := b.out.Read(one); err != nil {
			b.t.Fatalf("it ended before it was ready:\n%s", b.log)
		}
		if one[0] != '\n' {
			line = append(line, one[0])
			continue
		}
		name, value, _ := strings.Cut(string(line), " ")
		if name == "ready" && value == "" {
			return endpoints
		}
		endpoints[name], line = value, nil
	}
}

func (b *binary) exit() int {
	b.t.Helper()
	select {
	case code := <-b.exited:
		return code
	case <-time.After(30 * time.Second):
		b.t.Fatalf("it does not end:\n%s", b.log)
		return 0
	}
}

func status(t *testing.T, url string) int {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	return resp.StatusCode
}

func broker(t *testing.T, listen, dir string) *natsd.Server {
	t.Helper()
	s, err := natsd.Start(natsd.Config{Listen: listen, Dir: dir, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Shutdown)
	return s
}

func onBroker(_ context.Context, p *Process, s settings) error {
	if err := p.Admin(s.Admin); err != nil {
		return err
	}
	b, err := p.NATS(s.NATS, s.Replicas)
	if err != nil {
		return err
	}
	if _, err := p.Tenants(p.serving, b); err != nil {
		return err
	}
	return p.ServeGRPC(s.Listen, func(grpc.ServiceRegistrar) {})
}

func TestMain_ReadyThenToldToEnd_ExitsWithZero(t *testing.T) {
	b := start(t, map[string]string{"FORECOURT_NATS_URL": broker(t, "127.0.0.1:0", t.TempDir()).URL()}, onBroker)
	endpoints := b.ready()
	if _, _, err := net.SplitHostPort(endpoints["grpc"]); err != nil || len(endpoints) != 2 {
		t.Errorf("endpoints = %v", endpoints)
	}
	if got := status(t, endpoints["admin"]+"/readyz"); got != http.StatusOK {
		t.Errorf("readyz = %d when it says that it is ready", got)
	}
	b.stop()
	if code := b.exit(); code != 0 || b.log.String() != "" {
		t.Errorf("exit code %d, log:\n%s", code, b.log)
	}
}

func TestMain_BrokerIsLost_NotReadyUntilItIsBack(t *testing.T) {
	dir := t.TempDir()
	first := broker(t, "127.0.0.1:0", dir)
	b := start(t, map[string]string{"FORECOURT_NATS_URL": first.URL()}, onBroker)
	admin := b.ready()["admin"]
	first.Shutdown()
	eventually.Is(t, "not ready", func() bool { return status(t, admin+"/readyz") == http.StatusServiceUnavailable })
	if got := status(t, admin+"/healthz"); got != http.StatusOK {
		t.Errorf("healthz = %d while the broker is away", got)
	}
	broker(t, strings.TrimPrefix(first.URL(), "nats://"), dir)
	eventually.Is(t, "ready again", func() bool { return status(t, admin+"/readyz") == http.StatusOK })
	b.stop()
	if code := b.exit(); code != 0 {
		t.Errorf("exit code %d, log:\n%s", code, b.log)
	}
}

func TestMain_BrokerIsAwayAtTheStart_SaysSoWithinATime(t *testing.T) {
	t.Parallel()
	b := start(t, map[string]string{"FORECOURT_NATS_URL": "nats://user:secret@127.0.0.1:1"}, onBroker)
	code := b.exit()
	want := "NATS at nats://127.0.0.1:1 (FORECOURT_NATS_URL) cannot be used: given up after 10s; the last attempt: "
	if log := b.log.String(); code != 1 || !strings.Contains(log, want) || strings.Contains(log, "secret") {
		t.Errorf("exit code %d, log:\n%s", code, log)
	}
}

func TestMain_ToldToEndDuringItsStart_ExitsWithZero(t *testing.T) {
	b := start(t, map[string]string{"FORECOURT_NATS_URL": "nats://127.0.0.1:1"}, onBroker)
	b.stop()
	if code := b.exit(); code != 0 {
		t.Errorf("exit code %d, log:\n%s", code, b.log)
	}
}

func TestMain_WrongSettings_ExitsWithTwo(t *testing.T) {
	b := start(t, map[string]string{"FORECOURT_LEASE": "soon"}, onBroker)
	code := b.exit()
	want := "service: FORECOURT_LEASE: \"soon\" is not a duration; write for example 10s\n" +
		"service: FORECOURT_NATS_URL is missing; set it, for example to nats://127.0.0.1:4222\n"
	if diff := cmp.Diff(want, b.log.String()); code != 2 || diff != "" {
		t.Errorf("exit code %d, %s", code, diff)
	}
}

func TestMain_TakenAddress_NamesItsSetting(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for _, setting := range []string{"FORECOURT_LISTEN", "FORECOURT_ADMIN"} {
		t.Run(setting, func(t *testing.T) {
			b := start(t, map[string]string{
				"FORECOURT_NATS_URL": broker(t, "127.0.0.1:0", t.TempDir()).URL(), setting: taken.Addr().String(),
			}, onBroker)
			if code := b.exit(); code != 1 || !strings.Contains(b.log.String(), setting+" "+taken.Addr().String()+" is taken") {
				t.Errorf("exit code %d, log:\n%s", code, b.log)
			}
		})
	}
}

func TestMain_PartThatFails_DrainsAndExitsWithOne(t *testing.T) {
	fail := make(chan error)
	drained := false
	b := start(t, map[string]string{"FORECOURT_NATS_URL": "nats://127.0.0.1:1"}, func(_ context.Context, p *Process, s settings) error {
		p.Go("projection", func(context.Context) error { return <-fail })
		return p.Serve("http ", s.Listen, func(ctx context.Context, l net.Listener) error {
			defer l.Close()
			<-ctx.Done()
			drained = true
			return nil
		})
	})
	b.ready()
	fail <- errors.New("the stream was replaced")
	if code := b.exit(); code != 1 || !drained || !strings.Contains(b.log.String(), "projection: the stream was replaced") {
		t.Errorf("exit code %d, drained = %t, log:\n%s", code, drained, b.log)
	}
}

func TestServe_WaitsForEveryCheck(t *testing.T) {
	caughtUp := make(chan struct{})
	asked := make(chan struct{}, 1)
	b := start(t, map[string]string{"FORECOURT_NATS_URL": "nats://127.0.0.1:1"}, func(_ context.Context, p *Process, s settings) error {
		p.Check("projection", func(context.Context) error {
			select {
			case asked <- struct{}{}:
			default:
			}
			select {
			case <-caughtUp:
				return nil
			default:
				return errors.New("catching up")
			}
		})
		return p.Serve("http ", s.Listen, func(ctx context.Context, l net.Listener) error {
			defer l.Close()
			select {
			case <-caughtUp:
			default:
				t.Error("it serves before it is ready")
			}
			<-ctx.Done()
			return nil
		})
	})
	<-asked
	close(caughtUp)
	b.ready()
}

// buffer is a bytes.Buffer for a writer and a reader at the same time.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}
