package mcp

import (
	"context"

	"forecourt.internal/contract"
	"forecourt.internal/services/mcp-edge/internal/skill"
)

// binding is this binding's name in telemetry.
const binding = "mcp"

// call runs a tool (R-CALL). What the skill refuses is a completed result; only a tool that the dealership does not have is a
// protocol error (R-ERR).
func (e *Endpoint) call(ctx context.Context, req request, buf []byte) ([]byte, *rpcError) {
	name, ok := stringOf(req.params.Name)
	if !ok {
		return buf, invalidParams("Invalid params: name must be a string")
	}
	tools := e.catalog.Tools(req.tenant)
	id, ok := tools.Skill(name)
	if !ok {
		return buf, unknownTool(tools.Names)
	}
	payload := newBuffer()
	defer payload.free()
	result := e.pipeline.Do(ctx, skill.Call{
		Tenant: req.tenant, Skill: id, Arguments: req.params.Arguments,
		CorrelationID: req.correlationID, Binding: binding, Revision: req.revision,
	}, payload.bytes)
	payload.bytes = result.Payload
	return appendResult(buf, req, result), nil
}

// appendResult writes the members of a CallToolResult: the payload once as text and once as it is.
func appendResult(buf []byte, req request, result skill.Result) []byte {
	buf = append(buf, `"content":[{"type":"text","text":`...)
	buf = appendQuoted(buf, result.Payload)
	buf = append(buf, `}],"structuredContent":`...)
	buf = append(buf, result.Payload...)
	if result.Code == "" {
		buf = append(buf, `,"isError":false,"_meta":{`...)
	} else {
		buf = append(buf, `,"isError":true,"_meta":{`...)
	}
	if req.current() {
		buf = append(buf, serverMeta+`,`...)
	}
	buf = append(buf, `"`+contract.MetaNamespace+`":{"correlation_id":"`...)
	buf = append(buf, req.correlationID...) // free of characters that need escaping
	buf = append(buf, '"')
	if result.Replayed {
		buf = append(buf, `,"replayed":true`...)
	}
	return append(buf, `}}`...)
}
