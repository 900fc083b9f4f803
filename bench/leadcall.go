package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
)

// leadTenant is the dealership that gets the leads.
const leadTenant = "leads"

// leadRequest is the n-th lead of a run as an HTTP request: a buyer and a key of its own, a vehicle that is in stock.
func leadRequest(host string, n int, vehicle string) []byte {
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"aap_lead_submit","arguments":{`+
		`"type":"lead.submit.request","customer":{"first_name":"Robin","last_name":"Example","email":"robin.%d@mail.example",`+
		`"phone":"+1510%07d","preferred_contact":"email","address":{"address_line_1":"12 Grand Avenue","city":"Oakland","state":"CA",`+
		`"zip":"94612","country":"US"}},"consent":{"granted_at":"2026-01-15T10:00:00-05:00","allowed_channels":["email"],`+
		`"consent_text":"You may email me about this car and what it costs.","scope":["lead_submission"]},`+
		`"vehicle_of_interest":{"vehicle_id":%q},"message":"Is it still there, and may I see it on Saturday?",`+
		`"source_agent":{"name":"bench"},"idempotency_key":"bench-%d"},"_meta":{`+
		`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
		n, n, vehicle, n)
	return fmt.Appendf(nil, "POST /aap/v3.0/%s/mcp HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		leadTenant, host, len(body), body)
}

// caller is an agent with a connection that it keeps. It does no more than HTTP needs, to leave the processors to the system.
type caller struct {
	conn net.Conn
	in   *bufio.Reader
	body []byte
}

func dialEdge(address string) (*caller, error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("call the edge: %w", err)
	}
	return &caller{conn: conn, in: bufio.NewReader(conn)}, nil
}

// submit sends a request and returns an error unless the lead was received.
func (c *caller) submit(request []byte) error {
	if _, err := c.conn.Write(request); err != nil {
		return fmt.Errorf("submit a lead: %w", err)
	}
	status, length, err := c.header()
	if err != nil {
		return fmt.Errorf("submit a lead: %w", err)
	}
	if cap(c.body) < length {
		c.body = make([]byte, length)
	}
	c.body = c.body[:length]
	if _, err := io.ReadFull(c.in, c.body); err != nil {
		return fmt.Errorf("submit a lead: %w", err)
	}
	if !strings.Contains(status, " 200 ") || !bytes.Contains(c.body, []byte(`"status":"received"`)) {
		return fmt.Errorf("submit a lead: %s: %s", status, c.body)
	}
	return nil
}

// header reads up to the body. The edge always states its length.
func (c *caller) header() (status string, length int, err error) {
	for first := true; ; first = false {
		line, err := c.in.ReadSlice('\n')
		if err != nil {
			return "", 0, err
		}
		line = bytes.TrimRight(line, "\r\n")
		switch name, value, _ := bytes.Cut(line, []byte(": ")); {
		case first:
			status = string(line)
		case len(line) == 0:
			return status, length, nil
		case bytes.EqualFold(name, []byte("Content-Length")):
			if length, err = strconv.Atoi(string(value)); err != nil {
				return "", 0, err
			}
		}
	}
}
