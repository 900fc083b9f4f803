package rpc

import (
	"fmt"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
)

const (
	// pingAfter is how long a connection may be silent before the client asks whether the peer is alive; gRPC allows no less.
	pingAfter = 10 * time.Second
	// pingWithin bounds the answer to that, and, on Linux, for how long sent bytes may stay unacknowledged.
	pingWithin = 2 * time.Second
	// connectWithin bounds one attempt to connect, for a peer that takes the connection and then says nothing.
	connectWithin = 2 * time.Second
	// maxReconnect bounds the pause between attempts, so that a neighbour that was restarted is found within about a second.
	maxReconnect = time.Second
)

// policy balances calls over every address of the name, and repeats a call that the neighbour did not answer (UNAVAILABLE): up to
// four times within about 2 seconds, which a restart takes. Only methods that may be repeated are listed. Reads may; Submit and
// Begin are idempotent by their key, Complete and Release by the claim's owner: a second one finds the claim done or gone and
// changes nothing. While most calls fail, none are repeated: the neighbour is down and its callers should know at once.
const policy = `{
	"loadBalancingConfig": [{"round_robin": {}}],
	"methodConfig": [{
		"name": [
			{"service": "forecourt.inventory.v1.InventoryService"},
			{"service": "forecourt.leads.v1.LeadsService", "method": "Submit"},
			{"service": "forecourt.idempotency.v1.IdempotencyService"}
		],
		"retryPolicy": {
			"maxAttempts": 5, "initialBackoff": "0.1s", "maxBackoff": "1s", "backoffMultiplier": 3,
			"retryableStatusCodes": ["UNAVAILABLE"]
		}
	}],
	"retryThrottling": {"maxTokens": 100, "tokenRatio": 0.5}
}`

// Dial returns a client of the service at host:port. The host may stand for several replicas: calls go to each in turn. It does not
// wait for the service, which may come and go: a call that meets none fails with UNAVAILABLE, the next one finds it when it is back. A
// peer that is silent is given up within 12 seconds and its calls fail with UNAVAILABLE.
func Dial(address string) (*grpc.ClientConn, error) {
	conn, err := grpc.NewClient("dns:///"+address, append(everyClient(),
		grpc.WithDefaultServiceConfig(policy),
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff:           backoff.Config{BaseDelay: 100 * time.Millisecond, Multiplier: 1.6, Jitter: 0.2, MaxDelay: maxReconnect},
			MinConnectTimeout: connectWithin,
		}),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: pingAfter, Timeout: pingWithin, PermitWithoutStream: true}),
	)...)
	if err != nil {
		return nil, fmt.Errorf("dial %s: %w", address, err)
	}
	return conn, nil
}

// everyClient is what clients over a network and inside the process have in common.
func everyClient() []grpc.DialOption {
	return []grpc.DialOption{
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(maxMessage), grpc.MaxCallSendMsgSize(maxMessage)),
		grpc.WithChainUnaryInterceptor(call),
	}
}
