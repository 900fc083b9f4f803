module forecourt.internal/cmd/forecourt

go 1.26.0

require (
	forecourt.internal/contract v0.0.0
	forecourt.internal/proto v0.0.0
	forecourt.internal/platform v0.0.0
	forecourt.internal/services/mcp-edge v0.0.0
	forecourt.internal/services/inventory v0.0.0
	forecourt.internal/services/leads v0.0.0
	forecourt.internal/services/idempotency v0.0.0
)

replace (
	forecourt.internal/contract => ../../contract
	forecourt.internal/proto => ../../proto
	forecourt.internal/platform => ../../platform
	forecourt.internal/services/mcp-edge => ../../services/mcp-edge
	forecourt.internal/services/inventory => ../../services/inventory
	forecourt.internal/services/leads => ../../services/leads
	forecourt.internal/services/idempotency => ../../services/idempotency
)
