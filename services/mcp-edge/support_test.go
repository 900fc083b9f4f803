package mcpedge_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"

	"forecourt.internal/contract"
	"forecourt.internal/platform/natstest"
	"forecourt.internal/platform/rpc"
	"forecourt.internal/platform/tenant"
	"forecourt.internal/platform/tenants"
	inventoryv1 "forecourt.internal/proto/inventory/v1"
	leadsv1 "forecourt.internal/proto/leads/v1"
	mcpedge "forecourt.internal/services/mcp-edge"
)

// now is what every clock in these tests says.
var now = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// world is an edge with services at the other end of gRPC that answer as the test says. It serves the dealerships alpha (all
// skills, one origin) and beta (search and vehicle only).
type world struct {
	t         testing.TB
	edge      *mcpedge.Edge
	inventory *inventory
	leads     *leads
	tenants   *tenants.Store
	log       *logBuffer
}

func newWorld(t testing.TB) *world {
	t.Helper()
	w := &world{t: t, inventory: &inventory{}, leads: &leads{}, log: &logBuffer{}}
	log := slog.New(slog.NewJSONHandler(w.log, nil))
	var err error
	if w.tenants, err = tenants.Open(t.Context(), natstest.Start(t).JetStream()); err != nil {
		t.Fatal(err)
	}
	w.put(&tenant.Document{ID: "alpha", Name: "Alpha", Origins: []string{"https://alpha.example"}})
	w.put(&tenant.Document{ID: "beta", Name: "Beta", Skills: []contract.SkillID{contract.InventoryVehicle, contract.InventorySearch}})
	directory, err := w.tenants.Watch(t.Context(), log)
	if err != nil {
		t.Fatal(err)
	}
	services := rpc.NewServer(log)
	inventoryv1.RegisterInventoryServiceServer(services, w.inventory)
	leadsv1.RegisterLeadsServiceServer(services, w.leads)
	conn := connect(t, services)
	w.edge, err = mcpedge.New(mcpedge.Config{
		Tenants: directory, Logger: log, Now: func() time.Time { return now },
		Inventory: inventoryv1.NewInventoryServiceClient(conn), Leads: leadsv1.NewLeadsServiceClient(conn),
	})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// connect serves gRPC inside the process until the test ends.
func connect(t testing.TB, services *grpc.Server) *grpc.ClientConn {
	t.Helper()
	pipe := rpc.NewPipe()
	go services.Serve(pipe.Listener())
	t.Cleanup(services.Stop)
	conn, err := pipe.Dial()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

func (w *world) put(doc *tenant.Document) {
	w.t.Helper()
	if err := w.tenants.Put(w.t.Context(), doc); err != nil {
		w.t.Fatal(err)
	}
}

// eventually polls until the edge has followed a change; the bound only ends a test that fails.
func (w *world) eventually(what string, holds func() bool) {
	w.t.Helper()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(patience); !holds(); <-tick.C {
		if time.Now().After(end) {
			w.t.Fatalf("not within %s: %s", patience, what)
		}
	}
}

// reply is an HTTP response with its JSON body decoded; body is nil when there is none or it is of another type.
type reply struct {
	status int
	header http.Header
	raw    string
	body   map[string]any
}

// post sends a body to a dealership's MCP URL. Headers come in pairs; the content type is JSON unless they say otherwise, and
// an empty value leaves a header out.
func (w *world) post(tenant, body string, headers ...string) reply {
	w.t.Helper()
	r := httptest.NewRequestWithContext(w.t.Context(), http.MethodPost, "/aap/v3.0/"+tenant+"/mcp", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	return w.do(r, headers...)
}

func (w *world) get(method, path string, headers ...string) reply {
	w.t.Helper()
	return w.do(httptest.NewRequestWithContext(w.t.Context(), method, path, nil), headers...)
}

func (w *world) do(r *http.Request, headers ...string) reply {
	w.t.Helper()
	for i := 0; i < len(headers); i += 2 {
		name, value := headers[i], headers[i+1]
		if r.Header.Get(name) == "application/json" { // the default
			r.Header.Del(name)
		}
		if value != "" {
			r.Header.Add(name, value)
		}
	}
	recorder := httptest.NewRecorder()
	w.edge.Handler().ServeHTTP(recorder, r)
	return readReply(w.t, recorder.Result().StatusCode, recorder.Header(), recorder.Body.Bytes())
}

func readReply(t testing.TB, status int, header http.Header, raw []byte) reply {
	t.Helper()
	got := reply{status: status, header: header, raw: string(raw)}
	if len(raw) > 0 && header.Get("Content-Type") == "application/json" {
		if err := json.Unmarshal(raw, &got.body); err != nil {
			t.Errorf("%v in %s", err, raw)
		}
	}
	return got
}

// rpcCode is the code of a JSON-RPC error; 0 when there is none.
func (r reply) rpcCode() int {
	fault, _ := r.body["error"].(map[string]any)
	code, _ := fault["code"].(float64)
	return int(code)
}

func (r reply) result() map[string]any {
	result, _ := r.body["result"].(map[string]any)
	return result
}

// structured is the payload of a tool result, and code that of an aap.error.
func (r reply) structured() map[string]any {
	payload, _ := r.result()["structuredContent"].(map[string]any)
	return payload
}

func (r reply) code() any { return r.structured()["code"] }

// text is the text block of a tool result.
func (r reply) text() string {
	content, _ := r.result()["content"].([]any)
	if len(content) != 1 {
		return ""
	}
	block, _ := content[0].(map[string]any)
	text, _ := block["text"].(string)
	return text
}

// current builds a request of the current revision; params are members, such as `"cursor":"x"`.
func current(method string, params ...string) string {
	params = append(params, `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`)
	return `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{` + strings.Join(params, ",") + `}}`
}

// legacy builds a request without current metadata, to be sent with legacyHeader.
func legacy(method string, params ...string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{` + strings.Join(params, ",") + `}}`
}

var legacyHeader = []string{"MCP-Protocol-Version", "2025-11-25"}

// call calls a tool on the current revision.
func (w *world) call(tenant, tool, arguments string, headers ...string) reply {
	w.t.Helper()
	return w.post(tenant, current("tools/call", `"name":"`+tool+`"`, `"arguments":`+arguments), headers...)
}

// logBuffer collects log lines.
type logBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

// lines returns the decoded lines with a message.
func (b *logBuffer) lines(message string) []map[string]any {
	b.mu.Lock()
	defer b.mu.Unlock()
	var found []map[string]any
	for line := range strings.Lines(b.buf.String()) {
		var entry map[string]any
		if json.Unmarshal([]byte(line), &entry) == nil && entry["msg"] == message {
			found = append(found, entry)
		}
	}
	return found
}

func (b *logBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}
