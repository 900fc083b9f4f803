package boot

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"forecourt.internal/contract"
)

// Address is host:port. To listen on, port 0 is any free one and an empty host every interface.
type Address string

// UnmarshalText refuses what is not host:port with a port number.
func (a *Address) UnmarshalText(text []byte) error {
	_, port, err := net.SplitHostPort(string(text))
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil {
		return fmt.Errorf("%q is not host:port", text)
	}
	*a = Address(text)
	return nil
}

// NATSURL is the URL of a NATS server, or of several of one cluster, separated by commas. It may hold credentials.
type NATSURL string

// UnmarshalText refuses what the client could not read, without repeating it.
func (u *NATSURL) UnmarshalText(text []byte) error {
	for part := range strings.SplitSeq(string(text), ",") {
		if _, err := parseNATS(part); err != nil {
			return err
		}
	}
	*u = NATSURL(text)
	return nil
}

// Redacted returns the URL without credentials, to show.
func (u NATSURL) Redacted() string {
	var shown []string
	for part := range strings.SplitSeq(string(u), ",") {
		parsed, err := parseNATS(part)
		if err != nil {
			shown = append(shown, "(not a URL)")
			continue
		}
		parsed.User, parsed.RawQuery, parsed.Fragment = nil, "", ""
		shown = append(shown, parsed.String())
	}
	return strings.Join(shown, ",")
}

// parseNATS reads one URL as the client does: without a scheme it is "nats://".
func parseNATS(text string) (*url.URL, error) {
	text = strings.TrimSpace(text)
	if !strings.Contains(text, "://") {
		text = "nats://" + text
	}
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" {
		return nil, errors.New("it is not a NATS URL, or several separated by commas")
	}
	switch u.Scheme {
	case "nats", "tls", "ws", "wss":
		return u, nil
	}
	return nil, fmt.Errorf("a NATS URL does not begin with %q", u.Scheme+"://")
}

// Retention is how long idempotency keys are remembered, at least contract.MinRetention.
type Retention time.Duration

// UnmarshalText refuses less than every caller is promised (R-IDEM).
func (r *Retention) UnmarshalText(text []byte) error {
	d, err := time.ParseDuration(string(text))
	if err != nil {
		return fmt.Errorf("%q is not a duration", text)
	}
	if d <= 0 {
		return fmt.Errorf("%s is no time to remember keys for; the contract promises at least %s", d, contract.MinRetention)
	}
	if d, err = contract.Retention(d); err != nil {
		return err
	}
	*r = Retention(d)
	return nil
}

// Lease is how long an attempt holds an idempotency key.
type Lease time.Duration

const (
	// minLease leaves an attempt some time besides the second that it stops early.
	minLease = 2 * time.Second
	// maxLease is what callers and drains wait for.
	maxLease = 10 * time.Second
)

// UnmarshalText refuses leases under which no lead could be recorded.
func (l *Lease) UnmarshalText(text []byte) error {
	d, err := time.ParseDuration(string(text))
	if err != nil {
		return fmt.Errorf("%q is not a duration", text)
	}
	if d < minLease {
		return fmt.Errorf("%s is too short to record a lead in; the least is %s", d, minLease)
	}
	if d > maxLease {
		return fmt.Errorf("%s is longer than callers wait for a lead; the most is %s", d, maxLease)
	}
	*l = Lease(d)
	return nil
}

// Replicas is how many servers of a NATS cluster keep each stream.
type Replicas int

// UnmarshalText refuses numbers that NATS has no quorum for.
func (r *Replicas) UnmarshalText(text []byte) error {
	n, err := strconv.Atoi(string(text))
	if err != nil || n < 1 || n > 5 {
		return fmt.Errorf("%q is not a number of replicas from 1 to 5", text)
	}
	*r = Replicas(n)
	return nil
}

// MonitorURLs are the base URLs of the NATS servers' monitoring ports.
type MonitorURLs []string

// UnmarshalText reads URLs separated by commas.
func (m *MonitorURLs) UnmarshalText(text []byte) error {
	var urls MonitorURLs
	for part := range strings.SplitSeq(string(text), ",") {
		u, err := url.Parse(strings.TrimSpace(part))
		if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
			return errors.New("it is not a list of http URLs, separated by commas, one of each server's monitoring port")
		}
		urls = append(urls, strings.TrimSuffix(u.String(), "/"))
	}
	*m = urls
	return nil
}
