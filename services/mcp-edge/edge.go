package mcpedge

import (
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"forecourt.internal/contract"
	"forecourt.internal/platform/tenants"
	inventoryv1 "forecourt.internal/proto/inventory/v1"
	leadsv1 "forecourt.internal/proto/leads/v1"
	"forecourt.internal/services/mcp-edge/internal/catalog"
	"forecourt.internal/services/mcp-edge/internal/mcp"
	"forecourt.internal/services/mcp-edge/internal/skill"
)

// Config holds what the edge needs.
type Config struct {
	Tenants   *tenants.Directory
	Inventory inventoryv1.InventoryServiceClient
	Leads     leadsv1.LeadsServiceClient
	// Retention is how long idempotency keys are remembered, as the tools advertise it. Default: 72 hours; less than 24 is
	// refused (R-IDEM).
	Retention time.Duration
	// Logger receives one line per call. Default: slog.Default().
	Logger *slog.Logger
	// Now is the clock. Default: time.Now.
	Now func() time.Time
}

// Edge is the public endpoint. It is safe for concurrent use.
type Edge struct {
	log      *slog.Logger
	tenants  *tenants.Directory
	catalog  *catalog.Catalog
	schemas  map[string]catalog.Document
	endpoint *mcp.Endpoint
}

// New prepares an edge: it compiles the contract's schemas and generates the tool catalog.
func New(cfg Config) (*Edge, error) {
	if cfg.Logger == nil {
		cfg.Logger = slog.Default()
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	validator, err := contract.NewValidator()
	if err != nil {
		return nil, fmt.Errorf("prepare edge: %w", err)
	}
	tools, err := catalog.New(cfg.Retention)
	if err != nil {
		return nil, fmt.Errorf("prepare edge: %w", err)
	}
	pipeline, err := skill.New(skill.Config{
		Validator: validator, Inventory: cfg.Inventory, Leads: cfg.Leads, Logger: cfg.Logger, Now: cfg.Now,
	})
	if err != nil {
		return nil, fmt.Errorf("prepare edge: %w", err)
	}
	return &Edge{
		log: cfg.Logger, tenants: cfg.Tenants, catalog: tools, schemas: catalog.Schemas(),
		endpoint: mcp.New(cfg.Tenants, tools, pipeline),
	}, nil
}

// Handler serves the public paths under /aap/v3.0/: {tenant}/mcp, {tenant}/mcp.json and schemas/{file}. It cannot tell what it
// listens on, so the guard against DNS rebinding is left to Serve.
func (e *Edge) Handler() http.Handler { return e.routes(e.endpoint) }

// base is the prefix of the public paths.
const base = "/aap/" + contract.PathLabel + "/"

func (e *Edge) routes(endpoint http.Handler) http.Handler {
	mux := http.NewServeMux()
	// One pattern, because those of a tenant called "schemas" and of the schema files would overlap.
	mux.HandleFunc(base+"{tenant}/{document}", func(w http.ResponseWriter, r *http.Request) {
		switch name := r.PathValue("document"); {
		case name == "mcp":
			endpoint.ServeHTTP(w, r)
		case name == "mcp.json":
			e.serveCatalog(w, r)
		case r.PathValue("tenant") == "schemas":
			e.serveSchema(w, r, name)
		default:
			http.NotFound(w, r)
		}
	})
	return mux
}

// serveCatalog publishes the tools of a dealership.
func (e *Edge) serveCatalog(w http.ResponseWriter, r *http.Request) {
	doc, ok := e.tenants.Get(r.PathValue("tenant"))
	if !ok {
		http.NotFound(w, r)
		return
	}
	serveDocument(w, r, e.catalog.Tools(doc).Document)
}

// serveSchema publishes a schema file of the contract.
func (e *Edge) serveSchema(w http.ResponseWriter, r *http.Request, file string) {
	document, ok := e.schemas[file]
	if !ok {
		http.NotFound(w, r)
		return
	}
	serveDocument(w, r, document)
}

func serveDocument(w http.ResponseWriter, r *http.Request, document catalog.Document) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
		return
	}
	document.ServeHTTP(w, r)
}
