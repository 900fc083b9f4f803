package main

import (
	"testing"

	"forecourt.internal/platform/boot/boottest"
)

func TestSettings_AreDocumented(t *testing.T) { boottest.Documented[settings](t, "mcp-edge") }
