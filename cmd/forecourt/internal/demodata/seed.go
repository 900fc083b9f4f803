package demodata

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"log/slog"

	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/contract"
	"forecourt.internal/platform/correlation"
	"forecourt.internal/platform/tenant"
	"forecourt.internal/platform/tenants"
	"forecourt.internal/services/inventory"
)

// Tenant is the id of the demo dealership.
const Tenant = "demo-toyota"

const document = Tenant + ".yaml"

// feeds are the exports of the two rooftops, one per dialect.
var feeds = []string{"san-francisco.csv", "oakland.json"}

//go:embed *.yaml *.csv *.json
var files embed.FS

// Seed puts the demo dealership and its stock into an empty system. The tenant document is written last and marks the seed
// as whole: where there is one nothing is touched, so that a later start keeps what people changed, and a start that was
// killed halfway is completed by the next.
func Seed(ctx context.Context, js jetstream.JetStream, log *slog.Logger) error {
	store, err := tenants.Open(ctx, js)
	if err != nil {
		return err
	}
	_, err = store.Get(ctx, Tenant)
	if err == nil {
		return nil
	}
	if !errors.Is(err, tenants.ErrNotFound) {
		return err
	}
	doc, err := parse()
	if err != nil {
		return err
	}
	ctx = correlation.With(ctx, correlation.New()) // one for all the events of the seed
	for _, feed := range feeds {
		if err := load(ctx, js, log, doc, feed); err != nil {
			return err
		}
	}
	return store.Put(ctx, doc)
}

func parse() (*tenant.Document, error) {
	validator, err := contract.NewValidator()
	if err != nil {
		return nil, err
	}
	text, err := files.ReadFile(document)
	if err != nil {
		return nil, err
	}
	doc, err := tenant.Parse(text, validator)
	if err != nil {
		return nil, fmt.Errorf("read the demo tenant: %w", err)
	}
	return doc, nil
}

func load(ctx context.Context, js jetstream.JetStream, log *slog.Logger, doc *tenant.Document, feed string) error {
	text, err := files.ReadFile(feed)
	if err != nil {
		return err
	}
	report, err := inventory.Import(ctx, js, inventory.ImportConfig{Tenant: doc, File: feed, Logger: log}, bytes.NewReader(text))
	if err != nil {
		return err
	}
	if report.Rejected > 0 {
		return fmt.Errorf("import %s: %d rows rejected, first: %+v", feed, report.Rejected, report.Problems[0])
	}
	return nil
}
