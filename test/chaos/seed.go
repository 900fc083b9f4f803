package chaos

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"time"

	"forecourt.internal/platform/tenants"
	"forecourt.internal/services/inventory"
)

// stocks are the stock numbers of the vehicles of every dealership.
var stocks = []string{"CHAOS1", "CHAOS2", "CHAOS3"}

// Seed gives the cluster its dealerships and their vehicles, and waits until the edges know them.
func (c *Cluster) Seed(ctx context.Context) error {
	store, err := tenants.Existing(ctx, c.js)
	if err != nil {
		return err
	}
	var feed []map[string]any
	for _, stock := range stocks {
		feed = append(feed, map[string]any{"stock": stock, "status": "available", "condition": "used", "make": "Toyota", "rooftop": "Main"})
	}
	text, err := json.Marshal(feed)
	if err != nil {
		return err
	}
	for _, d := range dealerships {
		if err := store.Put(ctx, d); err != nil {
			return err
		}
		report, err := inventory.Import(ctx, c.js, inventory.ImportConfig{
			Tenant: d, File: "chaos.json", Strict: true, Logger: slog.New(slog.DiscardHandler),
		}, bytes.NewReader(text))
		if err != nil {
			return fmt.Errorf("import %s: %w", d.ID, err)
		}
		if report.Listed != len(stocks) {
			return fmt.Errorf("import %s: %+v", d.ID, report)
		}
	}
	for _, url := range c.edges {
		for _, d := range dealerships {
			if err := c.serves(ctx, url+"/aap/v3.0/"+d.ID+"/mcp", `"total":3`); err != nil {
				return err
			}
		}
	}
	return nil
}

// serves waits until a search at an edge finds all vehicles.
func (c *Cluster) serves(ctx context.Context, url, want string) error {
	const search = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"aap_inventory_search","arguments":{"type":"inventory.search.request"},` +
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"` + revision + `","io.modelcontextprotocol/clientCapabilities":{}}}}`
	for {
		resp, err := probes.Post(url, "application/json", bytes.NewReader([]byte(search)))
		var text []byte
		if err == nil {
			text, err = io.ReadAll(resp.Body)
			resp.Body.Close()
		}
		if bytes.Contains(text, []byte(want)) {
			return nil
		}
		if !sleep(ctx, 100*time.Millisecond) {
			return fmt.Errorf("%s does not serve its vehicles: %s, %w", url, text, err)
		}
	}
}
