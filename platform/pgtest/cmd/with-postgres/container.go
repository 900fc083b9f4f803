package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// image is what a container runs.
const image = "postgres:17.6-alpine"

// containerScript runs the server until standard input closes, which it does when this process is gone, however it went.
const containerScript = `docker-entrypoint.sh postgres -c max_connections=300 & cat >/dev/null; kill -INT $!; wait $!`

const (
	engineWithin    = 10 * time.Second // for an engine to answer
	containerWithin = 5 * time.Minute  // for an image to come and a server to start
)

// container is a server in a container of the engine, if that answers.
func container(engine string) way {
	return func(ctx context.Context) (server, error) {
		if !answers(ctx, engine) {
			return server{}, errNotHere
		}
		say("starting %s with %s", image, engine)
		s, err := runContainer(ctx, engine)
		if err != nil {
			return server{}, fmt.Errorf("run Postgres with %s: %w", engine, err)
		}
		return s, nil
	}
}

func answers(ctx context.Context, engine string) bool {
	ctx, cancel := context.WithTimeout(ctx, engineWithin)
	defer cancel()
	return exec.CommandContext(ctx, engine, "ps", "--quiet").Run() == nil
}

func runContainer(ctx context.Context, engine string) (server, error) {
	ctx, cancel := context.WithTimeout(ctx, containerWithin)
	defer cancel()
	name, password := "forecourt-test-"+strings.ToLower(rand.Text()), rand.Text()
	cmd := exec.Command(engine, "run", "--rm", "--interactive", "--name", name, "--publish", "127.0.0.1::5432",
		"--env", "POSTGRES_PASSWORD", image, "sh", "-c", containerScript)
	cmd.Env = append(os.Environ(), "POSTGRES_PASSWORD="+password) // not for the list of processes
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}         // Ctrl-C is not for it
	var said strings.Builder
	cmd.Stdout, cmd.Stderr = &said, &said
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return server{}, err
	}
	if err := cmd.Start(); err != nil {
		return server{}, err
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // how it ended is in what it said
		close(ended)
	}()
	stop := func() error {
		_ = stdin.Close()
		<-ended
		return nil
	}
	address := func() string { return published(ctx, engine, name) }
	dsn, err := waitForServer(ctx, address, password, ended)
	if err != nil {
		_ = stop()
		return server{}, fmt.Errorf("%w\n%s", err, &said)
	}
	return server{dsn, stop}, nil
}

// published is the address of the container's server on this machine, "" before it has one.
func published(ctx context.Context, engine, name string) string {
	out, _ := exec.CommandContext(ctx, engine, "port", name, "5432/tcp").Output()
	first, _, _ := strings.Cut(string(out), "\n")
	return strings.TrimSpace(first)
}

// waitForServer returns the DSN of the container's server once it takes connections: the one that runs while the image sets itself up
// does not listen on the network.
func waitForServer(ctx context.Context, address func() string, password string, ended <-chan struct{}) (string, error) {
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		if host := address(); host != "" {
			u := url.URL{Scheme: "postgres", User: url.UserPassword("postgres", password), Host: host, Path: "/postgres",
				RawQuery: "sslmode=disable"}
			if conn, err := pgx.Connect(ctx, u.String()); err == nil {
				return u.String(), conn.Close(ctx)
			}
		}
		select {
		case <-tick.C:
		case <-ended:
			return "", fmt.Errorf("the container ended")
		case <-ctx.Done():
			return "", fmt.Errorf("wait for the container's server: %w", ctx.Err())
		}
	}
}
