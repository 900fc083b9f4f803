package deployment

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strconv"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// Parts are the names under which ProcessorTime counts, in the order of a lead's way. The driver is this process.
var Parts = []string{"driver", "mcp-edge", "leads", "inventory", "idempotency", "postgres", broker}

// ProcessorTime is how long each part has kept a processor so far.
func (d *Deployment) ProcessorTime(ctx context.Context) (map[string]time.Duration, error) {
	taken := map[string]time.Duration{}
	var self syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &self); err != nil {
		return nil, fmt.Errorf("read processor time: %w", err)
	}
	taken["driver"] = time.Duration(self.Utime.Nano() + self.Stime.Nano())
	for _, p := range d.processes {
		t, err := processorTime(p.cmd.Process.Pid)
		if err != nil {
			return nil, err
		}
		taken[p.name] = t
	}
	pids, err := postgresProcesses(ctx, d.PostgresDSN)
	if err != nil {
		return nil, err
	}
	for _, pid := range pids {
		t, err := processorTime(pid)
		if os.IsNotExist(err) {
			continue // a session that has ended
		}
		if err != nil {
			return nil, err
		}
		taken["postgres"] += t
	}
	return taken, nil
}

// postgresProcesses are those of the sessions and of the background.
func postgresProcesses(ctx context.Context, dsn string) ([]int, error) {
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return nil, fmt.Errorf("list the processes of Postgres: %w", err)
	}
	defer conn.Close(ctx)
	rows, err := conn.Query(ctx, "SELECT pid FROM pg_stat_activity")
	if err != nil {
		return nil, fmt.Errorf("list the processes of Postgres: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowTo[int])
}

// tick is the unit of /proc/PID/stat, USER_HZ, which is 100 a second on every Linux.
const tick = time.Second / 100

// processorTime reads the user's and the system's time, fields 14 and 15, from /proc/PID/stat.
func processorTime(pid int) (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:]) // the name before may hold anything; these begin with the third
	var ticks int
	for _, field := range fields[11:13] {
		n, err := strconv.Atoi(string(field))
		if err != nil {
			return 0, fmt.Errorf("read the processor time of process %d: %w", pid, err)
		}
		ticks += n
	}
	return time.Duration(ticks) * tick, nil
}
