package boot

import (
	"errors"
	"fmt"
	"net"
	"syscall"
)

// Listen opens the socket of a setting's address, host:port. Its error names the setting, a flag or an environment variable.
func Listen(setting, address string) (net.Listener, error) {
	if _, _, err := net.SplitHostPort(address); err != nil { // net.Listen would take "" for every interface
		return nil, fmt.Errorf("%s %q is no host:port, such as 127.0.0.1:8080", setting, address)
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, AddressError(setting, address, err)
	}
	return l, nil
}

// AddressError names the setting to change when its address cannot be listened on.
func AddressError(setting, address string, err error) error {
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("%s %s is taken by another process; choose another address, or port 0 for any free one", setting, address)
	}
	return fmt.Errorf("%s %q: %w", setting, address, err)
}
