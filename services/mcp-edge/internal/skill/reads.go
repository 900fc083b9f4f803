package skill

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"forecourt.internal/contract"
	inventoryv1 "forecourt.internal/proto/inventory/v1"
)

func (p *Pipeline) dealer(ctx context.Context, call Call, buf []byte) (Result, error) {
	ctx, cancel := context.WithTimeout(ctx, readWithin)
	defer cancel()
	response, err := p.inventory.GetDealer(ctx, &inventoryv1.GetDealerRequest{Tenant: call.Tenant.ID})
	if err != nil {
		return Result{}, fmt.Errorf("get dealer: %w", err)
	}
	return p.respond(call.Skill, response.GetDealer(), buf)
}

func (p *Pipeline) facets(ctx context.Context, call Call, arguments map[string]any, buf []byte) (Result, error) {
	ctx, cancel := context.WithTimeout(ctx, readWithin)
	defer cancel()
	response, err := p.inventory.Facets(ctx, &inventoryv1.FacetsRequest{
		Tenant: call.Tenant.ID, Filters: filters(arguments["filters"]),
	})
	if err != nil {
		return Result{}, fmt.Errorf("count facets: %w", err)
	}
	return p.respond(call.Skill, response.GetFacets(), buf)
}

func (p *Pipeline) vehicle(ctx context.Context, call Call, arguments map[string]any, buf []byte) (Result, error) {
	ctx, cancel := context.WithTimeout(ctx, readWithin)
	defer cancel()
	response, err := p.inventory.GetVehicle(ctx, &inventoryv1.GetVehicleRequest{
		Tenant: call.Tenant.ID, Vin: text(arguments["vin"]), Stock: text(arguments["stock"]), VehicleId: text(arguments["vehicle_id"]),
	})
	if err != nil {
		return Result{}, fmt.Errorf("get vehicle: %w", err)
	}
	if err := p.validListing(response.GetListing()); err != nil {
		return Result{}, err
	}
	return Result{Payload: envelope(buf, call.Skill, response.GetListing())}, nil
}

// search splices the listings as they came into the page around them: they are not decoded or encoded again.
func (p *Pipeline) search(ctx context.Context, call Call, arguments map[string]any, buf []byte) (Result, error) {
	ctx, cancel := context.WithTimeout(ctx, readWithin)
	defer cancel()
	request := searchRequest(arguments)
	request.Tenant = call.Tenant.ID
	page, err := p.inventory.Search(ctx, request)
	if err != nil {
		return Result{}, fmt.Errorf("search: %w", err)
	}
	for _, listing := range page.GetListings() {
		if err := p.validListing(listing); err != nil {
			return Result{}, err
		}
	}
	payload, err := appendPage(buf, request.GetLimit(), page)
	return Result{Payload: payload}, err
}

// appendPage writes an inventory.search.response, which is valid by construction around valid listings.
func appendPage(buf []byte, limit int32, page *inventoryv1.SearchResponse) ([]byte, error) {
	buf = append(buf, `{"type":"inventory.search.response","data":{"total":`...)
	buf = strconv.AppendInt(buf, max(page.GetTotal(), 0), 10)
	buf = append(buf, `,"limit":`...)
	buf = strconv.AppendInt(buf, int64(limit), 10)
	if cursor := page.GetNextCursor(); cursor != "" {
		buf = append(buf, `,"next_cursor":`...)
		var err error
		if buf, err = jsontext.AppendQuote(buf, cursor); err != nil {
			return nil, fmt.Errorf("encode next_cursor: %w", err)
		}
	}
	buf = append(buf, `,"vehicles":[`...)
	for i, listing := range page.GetListings() {
		if i > 0 {
			buf = append(buf, ',')
		}
		buf = append(buf, listing...)
	}
	return append(buf, `]}}`...), nil
}

// respond wraps data as the skill's response and holds it against the contract.
func (p *Pipeline) respond(skill contract.SkillID, data, buf []byte) (Result, error) {
	start := len(buf)
	payload := envelope(buf, skill, data)
	if err := p.known.check(payload[start:], func(payload []byte) error { return p.valid(skill, payload) }); err != nil {
		return Result{}, err
	}
	return Result{Payload: payload}, nil
}

func envelope(buf []byte, skill contract.SkillID, data []byte) []byte {
	buf = append(buf, `{"type":"`...)
	buf = append(buf, skill...)
	buf = append(buf, `.response","data":`...)
	buf = append(buf, data...)
	return append(buf, '}')
}

// searchRequest reads a valid inventory.search.request.
func searchRequest(arguments map[string]any) *inventoryv1.SearchRequest {
	request := &inventoryv1.SearchRequest{Filters: filters(arguments["filters"]), Limit: contract.DefaultPageLimit}
	if pagination, ok := arguments["pagination"].(map[string]any); ok {
		request.Cursor, _ = pagination["cursor"].(string)
		if limit, ok := pagination["limit"].(json.Number); ok {
			whole, _ := contract.Int64(limit)
			request.Limit = int32(whole)
		}
	}
	if sort, ok := arguments["sort"].(map[string]any); ok {
		field, _ := sort["field"].(string)
		request.Sort = &inventoryv1.Sort{Field: field, Descending: sort["order"] == "desc"}
	}
	return request
}
