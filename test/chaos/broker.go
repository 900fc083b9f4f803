package chaos

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// node is one NATS server. Clients do not hear of the others, which they would reach past the links.
type node struct{ Name, Client, Route, Monitor, Dir string }

var brokerConfig = template.Must(template.New("nats").Parse(`
server_name: {{.Node.Name}}
listen: "{{.Node.Client}}"
http: "{{.Node.Monitor}}"
max_payload: 2MB
jetstream { store_dir: {{printf "%q" .Node.Dir}}, sync_interval: always }
{{if gt (len .All) 1 -}}
cluster {
  name: chaos
  listen: "{{.Node.Route}}"
  no_advertise: true
  routes: [{{range .All}}"nats://{{.Route}}", {{end}}]
}
{{end}}`))

// newNodes chooses addresses for n servers and writes their configuration.
func newNodes(n int, dir string, p *ports) ([]node, error) {
	nodes := make([]node, n)
	for i := range nodes {
		nodes[i].Name = fmt.Sprintf("nats-%d", i+1)
		nodes[i].Dir = filepath.Join(dir, nodes[i].Name)
		for _, address := range []*string{&nodes[i].Client, &nodes[i].Route, &nodes[i].Monitor} {
			var err error
			if *address, err = p.address(); err != nil {
				return nil, err
			}
		}
	}
	for _, node := range nodes {
		var text strings.Builder
		if err := brokerConfig.Execute(&text, map[string]any{"Node": node, "All": nodes}); err != nil {
			return nil, err
		}
		if err := os.WriteFile(node.config(), []byte(text.String()), 0o600); err != nil {
			return nil, fmt.Errorf("configure %s: %w", node.Name, err)
		}
	}
	return nodes, nil
}

func (n node) config() string { return n.Dir + ".conf" }

// urls are the servers as a client names them.
func urls(addresses []string) string { return "nats://" + strings.Join(addresses, ",nats://") }

// connect opens a connection of the harness's own, past every link.
func connect(nodes []node) (*nats.Conn, jetstream.JetStream, error) {
	var addresses []string
	for _, n := range nodes {
		addresses = append(addresses, n.Client)
	}
	nc, err := nats.Connect(urls(addresses), nats.Name("chaos"), nats.MaxReconnects(-1), nats.RetryOnFailedConnect(true))
	if err != nil {
		return nil, nil, fmt.Errorf("connect to the broker: %w", err)
	}
	js, err := jetstream.New(nc)
	if err != nil {
		nc.Close()
		return nil, nil, err
	}
	return nc, js, nil
}

// leader returns the name of the server that leads the LEADS stream.
func leader(ctx context.Context, js jetstream.JetStream) (string, error) {
	stream, err := js.Stream(ctx, "LEADS")
	if err != nil {
		return "", fmt.Errorf("find the leader of the log: %w", err)
	}
	cluster := stream.CachedInfo().Cluster
	if cluster == nil || cluster.Leader == "" {
		return "", fmt.Errorf("find the leader of the log: there is none")
	}
	return cluster.Leader, nil
}
