package natstest

import (
	"fmt"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const (
	// clusterReadyWithin bounds the election of a leader.
	clusterReadyWithin = time.Minute
	// nodesReadyWithin bounds the start of its servers. It fails when somebody else has taken a port meanwhile.
	nodesReadyWithin = 15 * time.Second
	// clusterTries is how often that may happen.
	clusterTries = 4
)

// Cluster runs three servers as one cluster, each with its store in a temporary directory and every write synced, until the test
// ends, and returns a connection to it on which streams with three replicas can be created.
func Cluster(t testing.TB) jetstream.JetStream {
	t.Helper()
	for range clusterTries {
		urls, ok := startNodes(t)
		if !ok {
			continue
		}
		nc, err := nats.Connect(strings.Join(urls, ","), nats.Name(t.Name()))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(nc.Close)
		js, err := jetstream.New(nc)
		if err != nil {
			t.Fatal(err)
		}
		waitForLeader(t, js)
		return js
	}
	t.Fatalf("no cluster came up in %d tries", clusterTries)
	return nil
}

// startNodes starts the servers and returns their URLs; ok is false when one of them does not come up.
func startNodes(t testing.TB) (urls []string, ok bool) {
	t.Helper()
	ports := freePorts(t, 3)
	var routes []string
	for _, port := range ports {
		routes = append(routes, fmt.Sprintf("nats://127.0.0.1:%d", port))
	}
	var servers []*server.Server
	for i, port := range ports {
		servers = append(servers, startNode(t, i, port, strings.Join(routes, ",")))
	}
	for _, s := range servers {
		if !s.ReadyForConnections(nodesReadyWithin) {
			return nil, false
		}
		urls = append(urls, s.ClientURL())
	}
	return urls, true
}

func startNode(t testing.TB, number, port int, routes string) *server.Server {
	t.Helper()
	s, err := server.NewServer(&server.Options{
		ServerName: "node-" + strconv.Itoa(number), Host: "127.0.0.1", Port: server.RANDOM_PORT,
		Cluster: server.ClusterOpts{Name: "test", Host: "127.0.0.1", Port: port}, Routes: server.RoutesFromStr(routes),
		JetStream: true, StoreDir: t.TempDir(), SyncAlways: true, MaxPayload: 2 << 20, NoSigs: true, NoLog: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	go s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	return s
}

// waitForLeader returns when the cluster can create a stream. Only an answer tells: the client hears nothing of elections.
func waitForLeader(t testing.TB, js jetstream.JetStream) {
	t.Helper()
	deadline := time.Now().Add(clusterReadyWithin)
	for {
		_, err := js.CreateStream(t.Context(), jetstream.StreamConfig{Name: "READY", Subjects: []string{"ready"}, Replicas: 3})
		if err == nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("the cluster has no leader: %v", err)
		}
	}
	if err := js.DeleteStream(t.Context(), "READY"); err != nil {
		t.Fatal(err)
	}
}

// freePorts returns ports that were free a moment ago: the routes of a cluster must be known before it starts.
func freePorts(t testing.TB, n int) []int {
	t.Helper()
	var ports []int
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close() // after the last, so that no port comes twice
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports
}
