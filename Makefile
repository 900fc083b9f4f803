# Everything a contributor runs. Needs Go, and for `test` a way to Postgres; `interop` also needs Node.js with npm.

MODULES  := $(patsubst ./%,%,$(shell go list -m -f '{{.Dir}}' | sed 's|^$(CURDIR)/||'))
PACKAGES := $(MODULES:%=./%/...)
# The race detector needs cgo; go itself knows whether there is a C compiler.
RACE     := $(if $(filter 1,$(shell go env CGO_ENABLED)),-race)

BUF         := go run github.com/bufbuild/buf/cmd/buf@v1.75.0
STATICCHECK := go run honnef.co/go/tools/cmd/staticcheck@v0.8.2

# A Postgres server for the command that follows, from wherever this machine can have one. It is a binary and not `go run`, which
# keeps signals to itself.
WITH_POSTGRES := bin/with-postgres

.PHONY: $(WITH_POSTGRES) build test chaos interop bench fuzz lint generate tidy

build: ## Build the binary into bin/.
	go build -o bin/forecourt ./cmd/forecourt

# The second line drives binaries, whose changes the test cache does not see, and each package keeps every processor busy.
test: $(WITH_POSTGRES) ## Every test but those of `interop`, on a Postgres server that it finds or installs.
	$(WITH_POSTGRES) sh -ec ' \
	  go test $(RACE) $(filter-out ./test/...,$(PACKAGES)); \
	  go test -count=1 -p 1 $(RACE) ./test/...'

$(WITH_POSTGRES):
	go build -o $@ ./platform/pgtest/cmd/with-postgres

SEED     ?= 1
DURATION ?= 3m
NODES    ?= 1
chaos: $(WITH_POSTGRES) ## Leads while everything breaks, for DURATION, on NODES=1 or 3 NATS servers; SEED gives what breaks. RACE= is faster.
	$(WITH_POSTGRES) go test $(RACE) ./test/chaos -run ExactlyOnce -count=1 -v -timeout 0 -args -seed $(SEED) -duration $(DURATION) -nodes $(NODES)

interop: ## Official MCP clients and the conformance runner against the real binary.
	go test -tags interop -count=1 -v -timeout 20m ./test/interop/...

bench: ## What searches, memory, replay and leads cost; BENCH=-full for a million vehicles, BENCH=-help for the rest.
	go run ./bench $(BENCH)

FUZZTIME ?= 30s
fuzz: ## Each fuzz target for FUZZTIME.
	.ci/fuzz $(FUZZTIME) $(MODULES)

lint: ## Formatting, vet, staticcheck, protocol buffers, module files.
	test -z "$$(gofmt -l $(MODULES))" || { gofmt -d $(MODULES); exit 1; }
	go vet -tags interop $(PACKAGES)
	$(STATICCHECK) -tags interop $(PACKAGES)
	$(BUF) lint
	for m in $(MODULES); do (cd $$m && GOWORK=off go mod tidy -diff && GOWORK=off go build ./...) || exit 1; done

generate: ## Go code from the protocol buffers.
	$(BUF) generate

tidy:
	for m in $(MODULES); do (cd $$m && GOWORK=off go mod tidy) || exit 1; done
