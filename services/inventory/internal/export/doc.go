// Package export writes a tenant's current listings from the stream, as the search serves them.
package export
