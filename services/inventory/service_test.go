package inventory_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go/jetstream"

	inventoryv1 "forecourt.internal/proto/inventory/v1"
)

// providerFeed has two vehicles on sale and a sold one, all at the rooftops of demo-toyota.
const providerFeed = `VIN,Stock #,New/Used,Year,Make,Model,Trim,Selling Price,MSRP,Miles,Location,Status
4T1DAACK5SU512044,T5120,N,2025,Toyota,Camry,XSE,"$33,900","$35,200",14,oakland,In Stock
4T1C11AK6NU654321,U6543,U,2022,Toyota,Camry,SE,21990,,"31,204",San Jose,Available
JTMRWRFV1KD012345,U0123,U,2019,Toyota,RAV4,XLE,Call,,58000,San Jose,Sold
`

// providerFeedOf has the same vehicles at one rooftop.
func providerFeedOf(rooftop string) string {
	return strings.NewReplacer("oakland", rooftop, "San Jose", rooftop).Replace(providerFeed)
}

func TestImport_ReachesSearchThroughTheLog(t *testing.T) {
	t.Parallel()
	b := broker(t)
	svc := serve(t, b, nil)
	report := load(t, svc.js, toyota, providerFeed)
	if report.Listed != 2 || report.Unchanged != 1 || report.Rejected != 0 {
		t.Fatalf("report = %+v", report)
	}
	eventually(t, func() bool { return svc.total(t, "demo-toyota") == 2 })
	resp := svc.search(t, &inventoryv1.SearchRequest{
		Tenant: "demo-toyota", Limit: 10, Filters: &inventoryv1.Filters{Model: []string{"camry"}}, Sort: &inventoryv1.Sort{Field: "year", Descending: true},
	})
	var stocks []string
	for _, l := range decoded(t, resp.GetListings()) {
		stocks = append(stocks, l["stock"].(string))
	}
	if diff := cmp.Diff([]string{"T5120", "U6543"}, stocks); diff != "" {
		t.Error(diff)
	}
}

func TestNew_LeavesStreamAndBucketAsTheOperatorConfiguredThem(t *testing.T) {
	t.Parallel()
	b := broker(t)
	js := b.JetStream()
	stream := jetstream.StreamConfig{Name: "INVENTORY", Subjects: []string{"inventory.v1.*.*"}, MaxMsgsPerSubject: 8, AllowDirect: true}
	if _, err := js.CreateStream(t.Context(), stream); err != nil {
		t.Fatal(err)
	}
	if _, err := js.CreateKeyValue(t.Context(), jetstream.KeyValueConfig{Bucket: "INVENTORY_KEYS", History: 5}); err != nil {
		t.Fatal(err)
	}
	serve(t, b, nil)
	kept, err := js.Stream(t.Context(), "INVENTORY")
	if err != nil {
		t.Fatal(err)
	}
	bucket, err := js.KeyValue(t.Context(), "INVENTORY_KEYS")
	if err != nil {
		t.Fatal(err)
	}
	status, err := bucket.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if events, history := kept.CachedInfo().Config.MaxMsgsPerSubject, status.History(); events != 8 || history != 5 {
		t.Errorf("%d events per vehicle, history of %d; want the operator's 8 and 5", events, history)
	}
}
