module forecourt.internal/services/idempotency

go 1.26.0

require (
	forecourt.internal/contract v0.0.0
	forecourt.internal/proto v0.0.0
	forecourt.internal/platform v0.0.0
)

replace (
	forecourt.internal/contract => ../../contract
	forecourt.internal/proto => ../../proto
	forecourt.internal/platform => ../../platform
)
