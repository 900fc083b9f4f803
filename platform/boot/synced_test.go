package boot

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats-server/v2/server"
)

// monitored runs a NATS server with a monitoring port.
func monitored(t *testing.T, name string, syncs bool) *server.Server {
	t.Helper()
	ns, err := server.NewServer(&server.Options{
		ServerName: name, Host: "127.0.0.1", Port: server.RANDOM_PORT, HTTPHost: "127.0.0.1", HTTPPort: server.RANDOM_PORT,
		JetStream: true, StoreDir: t.TempDir(), SyncAlways: syncs, NoSigs: true, NoLog: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	go ns.Start()
	t.Cleanup(func() { ns.Shutdown(); ns.WaitForShutdown() })
	if !ns.ReadyForConnections(patience) {
		t.Fatal("the NATS server is not ready")
	}
	return ns
}

const patience = 10 * time.Second

func monitor(ns *server.Server) string { return "http://" + ns.MonitorAddr().String() }

func TestCheckSynced(t *testing.T) {
	synced, other, unsynced := monitored(t, "synced", true), monitored(t, "other", true), monitored(t, "unsynced", false)
	web := httptest.NewServer(http.NotFoundHandler())
	defer web.Close()
	const (
		sure   = "every NATS server syncs each write before it acknowledges it"
		unsure = "it is not known whether NATS syncs each write before it acknowledges it: leads may be lost when a machine stops"
	)
	type line struct {
		Level   string
		Msg     string
		Reasons []string
	}
	for name, c := range map[string]struct {
		monitors MonitorURLs
		replicas Replicas
		err      string
		want     []line
	}{
		"synced":    {MonitorURLs{monitor(synced)}, 1, "", []line{{Level: "INFO", Msg: sure}}},
		"not asked": {nil, 1, "", []line{{"WARN", unsure, []string{"no monitoring ports are configured"}}}},
		"one of two does not sync": {
			MonitorURLs{monitor(synced), monitor(unsynced)}, 1, "NATS server unsynced acknowledges leads before they are on disk; set " +
				`"sync_interval: always" in the jetstream block of its configuration and restart it`, nil,
		},
		"fewer than keep a stream": {
			MonitorURLs{monitor(synced), monitor(other), monitor(synced)}, 3, "",
			[]line{{"WARN", unsure, []string{"streams are kept by 3 servers, the monitoring ports of 2 are known"}}},
		},
		"another server's": {
			MonitorURLs{monitor(other)}, 1, "",
			[]line{{"WARN", unsure, []string{"the server of this connection is not one of those that were asked"}}},
		},
		"no monitoring port": {
			MonitorURLs{monitor(synced), web.URL}, 1, "", []line{{"WARN", unsure, []string{
				strings.TrimPrefix(web.URL, "http://") + " is not the monitoring port of a NATS server: it answers /varz with status 404",
			}}},
		},
		"nobody answers": {
			MonitorURLs{monitor(synced), "http://user:secret@127.0.0.1:1"}, 1, "", []line{{"WARN", unsure, []string{
				"monitoring port 127.0.0.1:1 does not answer: dial tcp 127.0.0.1:1: connect: connection refused",
			}}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var log buffer
			logger := slog.New(slog.NewJSONHandler(&log, nil))
			broker, err := ConnectNATS(t.Context(), "test", "FORECOURT_NATS_URL", NATSURL(synced.ClientURL()), 1, logger)
			if err != nil {
				t.Fatal(err)
			}
			defer broker.Close()
			err = broker.CheckSynced(t.Context(), c.monitors, c.replicas, logger)
			if (err == nil) != (c.err == "") || err != nil && err.Error() != c.err {
				t.Errorf("err = %v, want %q", err, c.err)
			}
			var got []line
			for lines := json.NewDecoder(strings.NewReader(log.String())); ; {
				var l line
				if err := lines.Decode(&l); err == io.EOF {
					break
				} else if err != nil {
					t.Fatal(err)
				}
				got = append(got, l)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
