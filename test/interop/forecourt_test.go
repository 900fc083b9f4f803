package interop

import (
	"os"
	"testing"

	"forecourt.internal/test/internal/binary"
)

func TestMain(m *testing.M) { os.Exit(binary.Main(m)) }

// startDemo runs `forecourt demo` on free ports with data of its own until the test ends, and returns its MCP URL.
func startDemo(t *testing.T) string { return binary.Start(t, "demo", t.TempDir()).Endpoints["mcp"] }
