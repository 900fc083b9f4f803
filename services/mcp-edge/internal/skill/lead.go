package skill

import (
	"context"
	"fmt"

	leadsv1 "forecourt.internal/proto/leads/v1"
)

// submit hands a lead over. From here on it does not end early when the caller goes away: the outcome would be unknown to
// everyone.
func (p *Pipeline) submit(ctx context.Context, call Call, arguments map[string]any, buf []byte) (Result, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), LeadWithin)
	defer cancel()
	response, err := p.leads.Submit(ctx, &leadsv1.SubmitRequest{
		Tenant: call.Tenant.ID, Caller: callerScope(arguments), Request: call.Arguments,
	})
	if err != nil {
		return Result{}, fmt.Errorf("submit lead: %w", err)
	}
	if err := p.valid(call.Skill, response.GetResponse()); err != nil {
		return Result{}, err
	}
	return Result{Payload: append(buf, response.GetResponse()...), Replayed: response.GetReplayed()}, nil
}

// callerScope says within which scope an idempotency key is unique (R-IDEM). On a public endpoint nobody is authenticated,
// so it is the agent that the lead says it comes from.
func callerScope(arguments map[string]any) string {
	agent, _ := arguments["source_agent"].(map[string]any)
	name, _ := agent["name"].(string)
	return "public|" + name
}
