package chaos

import (
	"fmt"
	"math/rand/v2"
	"net"
)

// The ports of the harness are below those that systems give to outgoing connections, of which one could take the port of a process
// while it is down.
const firstPort, lastPort = 15000, 29999

// ports hands out addresses that nobody listens on, each once.
type ports struct{ taken map[int]bool }

func (p *ports) address() (string, error) {
	for range 1000 {
		port := firstPort + rand.IntN(lastPort-firstPort+1)
		if p.taken[port] {
			continue
		}
		address := fmt.Sprintf("127.0.0.1:%d", port)
		l, err := net.Listen("tcp", address)
		if err != nil {
			continue
		}
		l.Close()
		p.taken[port] = true
		return address, nil
	}
	return "", fmt.Errorf("find a free port from %d to %d", firstPort, lastPort)
}
