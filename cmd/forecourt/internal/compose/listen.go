package compose

import (
	"errors"
	"fmt"
	"net"
	"syscall"
)

// listen opens the socket of a flag's address.
func listen(flag, address string) (net.Listener, error) {
	if _, _, err := net.SplitHostPort(address); err != nil { // Listen would take "" for every interface
		return nil, fmt.Errorf("%s %q is no host:port, such as 127.0.0.1:8080", flag, address)
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, addressError(flag, address, err)
	}
	return l, nil
}

// addressError names the flag to change when an address is taken.
func addressError(flag, address string, err error) error {
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("%s %s is taken by another process; choose another address, or port 0 for any free one", flag, address)
	}
	return fmt.Errorf("%s %q: %w", flag, address, err)
}
