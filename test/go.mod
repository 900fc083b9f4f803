module forecourt.internal/test

go 1.26.0

require (
	forecourt.internal/cmd/forecourt v0.0.0
	forecourt.internal/contract v0.0.0
	forecourt.internal/platform v0.0.0
	forecourt.internal/proto v0.0.0
	forecourt.internal/services/idempotency v0.0.0
	forecourt.internal/services/inventory v0.0.0
	forecourt.internal/services/leads v0.0.0
	forecourt.internal/services/mcp-edge v0.0.0
	github.com/google/go-cmp v0.7.0
	github.com/google/jsonschema-go v0.4.3
	github.com/modelcontextprotocol/go-sdk v1.8.0
	sigs.k8s.io/yaml v1.6.0
)

require (
	github.com/segmentio/asm v1.1.3 // indirect
	github.com/segmentio/encoding v0.5.4 // indirect
	github.com/yosida95/uritemplate/v3 v3.0.2 // indirect
	go.yaml.in/yaml/v2 v2.4.2 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/oauth2 v0.35.0 // indirect
	golang.org/x/sync v0.20.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
	golang.org/x/time v0.16.0 // indirect
)

replace (
	forecourt.internal/cmd/forecourt => ../cmd/forecourt
	forecourt.internal/contract => ../contract
	forecourt.internal/platform => ../platform
	forecourt.internal/proto => ../proto
	forecourt.internal/services/idempotency => ../services/idempotency
	forecourt.internal/services/inventory => ../services/inventory
	forecourt.internal/services/leads => ../services/leads
	forecourt.internal/services/mcp-edge => ../services/mcp-edge
)
