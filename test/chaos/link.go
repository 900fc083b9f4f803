package chaos

import (
	"context"
	"fmt"
	"strings"

	toxiproxy "github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"
)

// Link is the connection of one process to a service, through proxies that break it: one for each address of the service.
type Link struct {
	Name    string
	proxies []*toxiproxy.Proxy
}

var proxyServer = toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop())

func init() { zerolog.SetGlobalLevel(zerolog.Disabled) } // the proxies log to a global logger, too

// newLink opens a proxy for each upstream address.
func newLink(name string, p *ports, upstreams ...string) (*Link, error) {
	l := &Link{Name: name}
	for i, upstream := range upstreams {
		listen, err := p.address()
		if err != nil {
			return nil, err
		}
		proxy := toxiproxy.NewProxy(proxyServer, fmt.Sprintf("%s#%d", name, i), listen, upstream)
		if err := proxy.Start(); err != nil {
			l.Close()
			return nil, fmt.Errorf("open link %s: %w", name, err)
		}
		l.proxies = append(l.proxies, proxy)
	}
	return l, nil
}

// Addresses are where the process finds the service.
func (l *Link) Addresses() []string {
	var all []string
	for _, p := range l.proxies {
		all = append(all, p.Listen)
	}
	return all
}

// Close cuts the link: its connections end, and new ones are refused.
func (l *Link) Close() {
	for _, p := range l.proxies {
		p.Stop()
	}
}

// Break applies a fault, and Heal ends it.
func (l *Link) Break(kind Kind, amount int) error {
	for _, p := range l.proxies {
		if kind == Cut {
			p.Stop()
			continue
		}
		for _, toxic := range toxics(kind, amount) {
			if _, err := p.Toxics.AddToxicJson(strings.NewReader(toxic)); err != nil {
				return fmt.Errorf("break link %s: %w", l.Name, err)
			}
		}
	}
	return nil
}

// Heal lets everything through again.
func (l *Link) Heal(kind Kind) error {
	for _, p := range l.proxies {
		if kind != Cut {
			p.Toxics.ResetToxics(context.Background())
			continue
		}
		if err := p.Start(); err != nil {
			return fmt.Errorf("open link %s again: %w", l.Name, err)
		}
	}
	return nil
}

// toxics are the proxy's words for a fault: upstream is what the process sends, downstream what it gets.
func toxics(kind Kind, amount int) []string {
	const form = `{"type":%q,"stream":%q,"attributes":{%q:%d}}`
	switch kind {
	case Slow:
		return []string{fmt.Sprintf(form, "latency", "upstream", "latency", amount), fmt.Sprintf(form, "latency", "downstream", "latency", amount)}
	case Stall:
		return []string{fmt.Sprintf(form, "timeout", "upstream", "timeout", 0), fmt.Sprintf(form, "timeout", "downstream", "timeout", 0)}
	case Deafen:
		return []string{fmt.Sprintf(form, "timeout", "downstream", "timeout", 0)}
	case Reset:
		return []string{fmt.Sprintf(form, "reset_peer", "downstream", "timeout", 0)}
	case Narrow:
		return []string{fmt.Sprintf(form, "bandwidth", "upstream", "rate", amount), fmt.Sprintf(form, "bandwidth", "downstream", "rate", amount)}
	}
	return nil
}
