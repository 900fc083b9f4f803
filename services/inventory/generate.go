package inventory

import (
	"io"

	"forecourt.internal/services/inventory/internal/generate"
)

// GenerateConfig says which invented feed is written: how many vehicles, at which rooftops, and the seed that chooses them.
type GenerateConfig = generate.Config

// MaxGenerated is the largest Count of a GenerateConfig.
const MaxGenerated = generate.MaxCount

// Generate writes a feed of invented vehicles as provider CSV, for trials and measurements. The same configuration gives the same
// bytes on every machine, and a longer feed of the same seed and rooftops begins with the same rows. Every row is one that Import
// takes without a problem, provided that the rooftops are the tenant's. It keeps one row in memory.
func Generate(w io.Writer, cfg GenerateConfig) error { return generate.Write(w, cfg) }
