package boot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"time"
)

// monitorWithin bounds the answer of one monitoring port.
const monitorWithin = 3 * time.Second

// monitorSetting names the setting in messages.
const monitorSetting = "FORECOURT_NATS_MONITOR_URLS"

// CheckSynced makes sure that what the broker acknowledges is on disk: a NATS server says so only when it is configured to sync each
// write, and flushes every two minutes by default. It asks the monitoring ports of the servers and refuses a server that does not
// sync. When it cannot know, because there are no ports to ask, one does not answer, or they are of fewer servers than keep a stream,
// it says so in one warning.
func (b *Broker) CheckSynced(ctx context.Context, monitors MonitorURLs, replicas Replicas, log *slog.Logger) error {
	if len(monitors) == 0 {
		warnUnknown(log, "no monitoring ports are configured")
		return nil
	}
	var unknown []string
	servers := map[string]bool{} // by id; true when it keeps streams
	for _, monitor := range monitors {
		server, err := askMonitor(ctx, monitor)
		if err != nil {
			unknown = append(unknown, err.Error())
			continue
		}
		if err := server.synced(); err != nil {
			return err
		}
		servers[server.ID] = server.JetStream.Config != nil
	}
	keepers := 0
	for _, keeps := range servers {
		if keeps {
			keepers++
		}
	}
	if keepers < int(replicas) {
		unknown = append(unknown, fmt.Sprintf("streams are kept by %d servers, the monitoring ports of %d are known", replicas, keepers))
	}
	if _, ok := servers[b.Conn.ConnectedServerId()]; !ok {
		unknown = append(unknown, "the server of this connection is not one of those that were asked")
	}
	if len(unknown) > 0 {
		warnUnknown(log, unknown...)
		return nil
	}
	log.InfoContext(ctx, "every NATS server syncs each write before it acknowledges it", "servers", keepers)
	return nil
}

func warnUnknown(log *slog.Logger, reasons ...string) {
	log.Warn("it is not known whether NATS syncs each write before it acknowledges it: leads may be lost when a machine stops",
		"reasons", reasons, "correction", `set "sync_interval: always" in the jetstream block of every server's configuration, and `+
			monitorSetting+" to their monitoring ports, so that this can be checked")
}

// varz is what a monitoring port says about a server, as far as it matters here.
type varz struct {
	ID        string `json:"server_id"`
	Name      string `json:"server_name"`
	JetStream struct {
		// Config is nil of a server that keeps no streams.
		Config *struct {
			SyncAlways bool `json:"sync_always"`
		} `json:"config"`
	} `json:"jetstream"`
}

func (v varz) synced() error {
	if v.JetStream.Config == nil || v.JetStream.Config.SyncAlways {
		return nil
	}
	return fmt.Errorf(`NATS server %s acknowledges leads before they are on disk; set "sync_interval: always" in the jetstream `+
		"block of its configuration and restart it", v.Name)
}

func askMonitor(ctx context.Context, base string) (varz, error) {
	ctx, cancel := context.WithTimeout(ctx, monitorWithin)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/varz", nil)
	if err != nil {
		return varz{}, fmt.Errorf("ask monitoring port: %w", err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		var why *url.Error // repeats the URL
		if errors.As(err, &why) {
			err = why.Err
		}
		return varz{}, fmt.Errorf("monitoring port %s does not answer: %w", req.URL.Host, err)
	}
	defer resp.Body.Close()
	var v varz
	if err := json.NewDecoder(resp.Body).Decode(&v); err != nil || resp.StatusCode != http.StatusOK || v.ID == "" {
		return varz{}, fmt.Errorf("%s is not the monitoring port of a NATS server: it answers /varz with status %d", req.URL.Host, resp.StatusCode)
	}
	return v, nil
}
