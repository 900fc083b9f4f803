// Command forecourt is the whole project in one binary: a demo, a server, and the tools of an operator and of an agent.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // rooftops' time zones, also on machines that have none

	"forecourt.internal/cmd/forecourt/internal/command"
)

func main() {
	ctx, restore := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, restore) // the first signal asks to end; the second is the system's and ends at once
	os.Exit(command.Main(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
