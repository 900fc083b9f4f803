package buyers

import (
	"time"

	"forecourt.internal/platform/tenants"
)

// maxWindow bounds every window.
const maxWindow = 168 * time.Hour

// Windows tells how long a lead counts for those that come after it.
type Windows interface {
	// Window is the tenant's; 0 when its leads are not compared.
	Window(tenant string) time.Duration
	// Longest is the longest of all tenants.
	Longest() time.Duration
}

// Documents are the windows in the tenants' documents.
type Documents struct{ *tenants.Directory }

// Window is the duplicate window of the tenant's document; 0 when there is none.
func (d Documents) Window(tenant string) time.Duration {
	doc, ok := d.Get(tenant)
	if !ok {
		return 0
	}
	return doc.Leads.DuplicateWindow()
}

// Longest is 0 when there is no document.
func (d Documents) Longest() (longest time.Duration) {
	for _, doc := range d.All() {
		longest = max(longest, doc.Leads.DuplicateWindow())
	}
	return longest
}
