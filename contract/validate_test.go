package contract

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRequest_ReportsEveryProblemUnderOneCode(t *testing.T) {
	tests := map[string]struct {
		skill SkillID
		args  string
		want  found
	}{
		"dealer information needs its type only": {DealerInformation, `{"type":"dealer.information.request"}`, found{}},
		"an unknown skill is not offered":        {"inventory.sell", `{}`, found{UnsupportedSkill, nil}},
		"type is required":                       {DealerInformation, `{}`, found{MissingRequiredField, [][2]string{{"/type", "required"}}}},
		"type agrees with the skill": {DealerInformation, `{"type":"inventory.facets.request"}`,
			found{SchemaValidationFailed, [][2]string{{"/type", "const"}}}},
		"arguments are an object": {InventorySearch, `[]`, found{SchemaValidationFailed, [][2]string{{"", "type"}}}},

		"empty filters do not narrow":      {InventorySearch, `{"type":"inventory.search.request","filters":{"make":[],"status":[]}}`, found{}},
		"null is not an absent filter":     {InventorySearch, `{"type":"inventory.search.request","filters":{"make":null}}`, found{SchemaValidationFailed, [][2]string{{"/filters/make", "type"}}}},
		"a whole number may be written so": {InventorySearch, `{"type":"inventory.search.request","filters":{"price_max":3.5e4,"year_min":2020.0}}`, found{}},
		"unknown members are refused one by one": {InventorySearch,
			`{"type":"inventory.search.request","filters":{"colour":["x"],"Make":["x"]},"page":2}`,
			found{SchemaValidationFailed, [][2]string{{"/filters/Make", "additionalProperties"}, {"/filters/colour", "additionalProperties"},
				{"/page", "additionalProperties"}}}},
		"limits are inclusive": {InventorySearch,
			`{"type":"inventory.search.request","filters":{"year_min":1900,"year_max":2100,"price_min":0},"pagination":{"limit":100}}`, found{}},
		"limits hold": {InventorySearch,
			`{"type":"inventory.search.request","filters":{"year_min":1899,"year_max":2101,"price_min":-1,"mileage_max":1.5},"pagination":{"limit":0}}`,
			found{SchemaValidationFailed, [][2]string{{"/filters/mileage_max", "type"}, {"/filters/price_min", "minimum"},
				{"/filters/year_max", "maximum"}, {"/filters/year_min", "minimum"}, {"/pagination/limit", "minimum"}}}},
		"a page has at most 100 listings": {InventorySearch, `{"type":"inventory.search.request","pagination":{"limit":101}}`,
			found{SchemaValidationFailed, [][2]string{{"/pagination/limit", "maximum"}}}},
		"query has at most 200 characters": {InventorySearch, fmt.Sprintf(`{"type":"inventory.search.request","filters":{"query":%q}}`, strings.Repeat("é", 201)),
			found{SchemaValidationFailed, [][2]string{{"/filters/query", "maxLength"}}}},
		"characters are counted, not bytes": {InventorySearch, fmt.Sprintf(`{"type":"inventory.search.request","filters":{"query":%q}}`, strings.Repeat("é", 200)), found{}},
		"enumerated filters have known values": {InventorySearch, `{"type":"inventory.search.request","filters":{"condition":["new","good"],"vehicle_type":["boat"],"status":["sold"]}}`,
			found{SchemaValidationFailed, [][2]string{{"/filters/condition/1", "enum"}, {"/filters/status/0", "enum"}, {"/filters/vehicle_type/0", "enum"}}}},
		"geo is all three or none": {InventorySearch, `{"type":"inventory.search.request","filters":{"geo":{"latitude":37.8}}}`,
			found{MissingRequiredField, [][2]string{{"/filters/geo/longitude", "required"}, {"/filters/geo/radius_mi", "required"}}}},
		"geo is on the globe": {InventorySearch, `{"type":"inventory.search.request","filters":{"geo":{"latitude":90.5,"longitude":-181,"radius_mi":0}}}`,
			found{SchemaValidationFailed, [][2]string{{"/filters/geo/latitude", "maximum"}, {"/filters/geo/longitude", "minimum"}, {"/filters/geo/radius_mi", "exclusiveMinimum"}}}},
		"sort names field and order": {InventorySearch, `{"type":"inventory.search.request","sort":{"field":"color"}}`,
			found{SchemaValidationFailed, [][2]string{{"/sort/field", "enum"}, {"/sort/order", "required"}}}},
		"items are listed in numeric order": {InventoryFacets,
			`{"type":"inventory.facets.request","filters":{"make":["a","a","a","a","a","a","a","a",1,1,1]}}`,
			found{SchemaValidationFailed, [][2]string{{"/filters/make/8", "type"}, {"/filters/make/9", "type"}, {"/filters/make/10", "type"}}}},
		"a number beyond a double is refused beside the rest": {InventoryFacets,
			`{"type":"inventory.facets.request","filters":{"price_min":1e999999999,"year_min":1,"year_max":1e-999999}}`,
			found{SchemaValidationFailed, [][2]string{{"/filters/price_min", "number"}, {"/filters/year_max", "number"}, {"/filters/year_min", "minimum"}}}},

		"a vehicle is named in one of three ways": {InventoryVehicle, `{"type":"inventory.vehicle.request","stock":"T1"}`, found{}},
		"a vehicle must be named": {InventoryVehicle, `{"type":"inventory.vehicle.request"}`,
			found{MissingRequiredField, [][2]string{{"", "anyOf"}}}},
		"a VIN has no I, O or Q": {InventoryVehicle, `{"type":"inventory.vehicle.request","vin":"4T1DAACK5SU51204O"}`,
			found{SchemaValidationFailed, [][2]string{{"/vin", "pattern"}}}},
		"what is no name is not repeated": {DealerInformation, `{"type":"dealer.information.request","ines@mail.example":1,"+15105550117":1,"15105550117":1,"Bearer eyJh":1}`,
			found{SchemaValidationFailed, [][2]string{
				{"/…", "additionalProperties"}, {"/…", "additionalProperties"}, {"/…", "additionalProperties"}, {"/…", "additionalProperties"}}}},
		"pointers are escaped and short": {DealerInformation, fmt.Sprintf(`{"type":"dealer.information.request","a/b~c":1,%q:2}`, strings.Repeat("n", 100)),
			found{SchemaValidationFailed, [][2]string{{"/a~1b~0c", "additionalProperties"}, {"/" + strings.Repeat("n", 64) + "…", "additionalProperties"}}}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			err := validator(t).Request(tt.skill, decode(t, tt.args), leadNow)
			if diff := cmp.Diff(tt.want, foundIn(err)); diff != "" {
				t.Error(diff)
			}
			checkWording(t, err)
		})
	}
}

func TestRequest_Lead_OneCodePerResponse(t *testing.T) {
	tests := map[string]struct {
		edit edit
		want found
	}{
		"a lead without fault is valid": {nil, found{}},
		"only required members absent": {
			func(r, c, _ map[string]any) {
				delete(r, "idempotency_key")
				delete(c, "first_name")
				delete(object(r["source_agent"]), "name")
			},
			found{MissingRequiredField, [][2]string{{"/customer/first_name", "required"}, {"/idempotency_key", "required"}, {"/source_agent/name", "required"}}}},
		"a customer without email and phone": {
			func(_, c, _ map[string]any) { delete(c, "email"); delete(c, "phone") },
			found{MissingRequiredField, [][2]string{{"/customer", "anyOf"}}}},
		"only the consent absent": {
			func(r, _, _ map[string]any) { delete(r, "consent") },
			found{ContactConsentRequired, [][2]string{{"/consent", "required"}}}},
		"consent and others absent": {
			func(r, _, _ map[string]any) { delete(r, "consent"); delete(r, "customer") },
			found{MissingRequiredField, [][2]string{{"/consent", "required"}, {"/customer", "required"}}}},
		"a consent that is no object": {
			func(r, _, _ map[string]any) { r["consent"] = nil },
			found{InvalidConsent, [][2]string{{"/consent", "type"}}}},
		"an incomplete consent": {
			func(_, _, g map[string]any) { delete(g, "consent_text"); delete(g, "scope") },
			found{InvalidConsent, [][2]string{{"/consent/consent_text", "required"}, {"/consent/scope", "required"}}}},
		"any fault inside the consent": {
			func(_, _, g map[string]any) {
				g["allowed_channels"], g["scope"], g["consent_text"], g["extra"] = []any{"email", "fax", "email"}, []any{"all"}, "", true
			},
			found{InvalidConsent, [][2]string{{"/consent/allowed_channels", "uniqueItems"}, {"/consent/allowed_channels/1", "enum"},
				{"/consent/consent_text", "minLength"}, {"/consent/extra", "additionalProperties"}, {"/consent/scope/0", "const"}}}},
		"time rules join the schema's problems": {
			func(_, _, g map[string]any) { g["consent_text"], g["expires_at"] = "", "2026-01-01T00:00:00Z" },
			found{InvalidConsent, [][2]string{{"/consent/consent_text", "minLength"}, {"/consent/expires_at", "consent_expired"}}}},
		"channel rules join the schema's problems": {
			func(r, c, _ map[string]any) {
				c["preferred_contact"] = "sms"
				delete(r, "consent_text")
				r["extra"] = 1
			},
			found{SchemaValidationFailed, [][2]string{{"/customer/preferred_contact", "contact_channel"}, {"/extra", "additionalProperties"}}}},
		"the wrong vocabularies": {
			func(r, _, _ map[string]any) {
				r["vehicle_of_interest"] = map[string]any{"condition": "excellent"}
				r["trade_in"] = map[string]any{"condition": "mint"}
			},
			found{InvalidCondition, [][2]string{{"/trade_in/condition", "enum"}, {"/vehicle_of_interest/condition", "enum"}}}},
		"a test drive without a vehicle": {
			func(r, _, _ map[string]any) { r["appointment"] = map[string]any{"appointment_type": "test_drive"} },
			found{MissingRequiredField, [][2]string{{"/vehicle_of_interest", "required"}}}},
		"an appointment time needs an offset": {
			func(r, _, _ map[string]any) {
				r["appointment"] = map[string]any{"appointment_type": "sales", "appointment_at": "2026-05-03T11:00:00", "duration_minutes": json.Number("14")}
			},
			found{SchemaValidationFailed, [][2]string{{"/appointment/appointment_at", "format"}, {"/appointment/duration_minutes", "minimum"}}}},
		"a phone number in E.164 form": {
			func(_, c, _ map[string]any) { c["phone"] = "510-555-0117" },
			found{SchemaValidationFailed, [][2]string{{"/customer/phone", "pattern"}}}},
		"a key has 1 to 128 characters": {
			func(r, _, _ map[string]any) { r["idempotency_key"] = strings.Repeat("k", 129) },
			found{SchemaValidationFailed, [][2]string{{"/idempotency_key", "maxLength"}}}},
		"a vehicle may have other members": {
			func(r, _, _ map[string]any) {
				r["vehicle_of_interest"] = map[string]any{"wheels": "alloy", "rooftop": nil}
			}, found{}},
		"rules alone do not make a request invalid": {
			func(_, c, g map[string]any) { c["preferred_contact"] = "sms"; g["expires_at"] = "2020-01-01T00:00:00Z" }, found{}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			err := validator(t).Request(LeadSubmit, lead(t, tt.edit), leadNow)
			if diff := cmp.Diff(tt.want, foundIn(err)); diff != "" {
				t.Error(diff)
			}
			checkWording(t, err)
		})
	}
}

func TestRequest_WordsAProblem(t *testing.T) {
	tests := map[string]struct {
		skill SkillID
		args  string
		want  Problem
	}{
		"type":               {InventoryFacets, `{"type":"inventory.facets.request","filters":{"make":"x"}}`, Problem{"/filters/make", "type", "The value is a string.", "Send an array."}},
		"enum":               {InventoryFacets, `{"type":"inventory.facets.request","filters":{"condition":["x"]}}`, Problem{"/filters/condition/0", "enum", "The value is not one of those allowed.", `Send "new", "used" or "cpo".`}},
		"did you mean":       {InventoryFacets, `{"type":"inventory.facets.request","filters":{"maxPrice":1,"priceMax":1}}`, Problem{"/filters/priceMax", "additionalProperties", "The member is not known here.", `Did you mean "price_max"? Rename or remove the member.`}},
		"skip became cursor": {InventorySearch, `{"type":"inventory.search.request","pagination":{"skip":20}}`, Problem{"/pagination/skip", "additionalProperties", "The member is not known here.", `Remove the member; for the next page send the next_cursor of the page before as "cursor".`}},
		"no idea":            {InventorySearch, `{"type":"inventory.search.request","pagination":{"zzzzzz":1}}`, Problem{"/pagination/zzzzzz", "additionalProperties", "The member is not known here.", "Remove the member; those known here are cursor, limit."}},
		"anyOf":              {InventoryVehicle, `{"type":"inventory.vehicle.request"}`, Problem{"", "anyOf", `One of these members is needed: "vin", "stock" or "vehicle_id".`, `Add at least one of "vin", "stock" or "vehicle_id".`}},
		"type is missing":    {InventorySearch, `{}`, Problem{"/type", "required", "The required member is missing.", `Add "type": "inventory.search.request".`}},
		"limit":              {InventorySearch, `{"type":"inventory.search.request","pagination":{"limit":1000}}`, Problem{"/pagination/limit", "maximum", "The number is too large.", "Send a number of at most 100."}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			err := validator(t).Request(tt.skill, decode(t, tt.args), leadNow)
			if err == nil {
				t.Fatal("valid")
			}
			if diff := cmp.Diff(tt.want, err.Problems[len(err.Problems)-1]); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestRequest_BoundsTheListOfProblems(t *testing.T) {
	request := map[string]any{"type": "dealer.information.request"}
	for i := range 1_000 {
		request[fmt.Sprintf("m%05d", i)] = i
	}
	err := validator(t).Request(DealerInformation, request, leadNow)
	if n := len(err.Problems); n != maxProblems+1 || err.Code != SchemaValidationFailed {
		t.Fatalf("%d problems, code %s", n, err.Code)
	}
	want := Problem{"", "problems", "There are more problems than are listed.", "Correct the listed problems first."}
	if diff := cmp.Diff(want, err.Problems[maxProblems]); diff != "" {
		t.Error(diff)
	}
}

func TestRequest_ManyValues_AreOnlyTakenWhenValid(t *testing.T) {
	makes := make([]any, maxValues)
	for i := range makes {
		makes[i] = "Toyota"
	}
	request := map[string]any{"type": "inventory.facets.request", "filters": map[string]any{"make": makes}}
	if err := validator(t).Request(InventoryFacets, request, leadNow); err != nil {
		t.Errorf("a valid request is refused: %+v", err.Problems)
	}
	for name, broken := range map[string]any{"wrong": true, "huge": json.Number("1e999")} {
		makes[maxValues-1] = broken
		want := found{SchemaValidationFailed, [][2]string{{"", "values"}}}
		for _, skill := range []SkillID{InventoryFacets, LeadSubmit} {
			if diff := cmp.Diff(want, foundIn(validator(t).Request(skill, request, leadNow))); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
		}
	}
}

func TestRequest_IsDeterministic(t *testing.T) {
	args := decode(t, `{"type":1,"a":1,"b":2,"c":3,"filters":{"Make":1,"Model":2,"year_min":0,"year_max":0,"geo":{}},"sort":{},"pagination":[]}`)
	first := validator(t).Request(InventorySearch, args, leadNow)
	for range 50 {
		if diff := cmp.Diff(first, validator(t).Request(InventorySearch, args, leadNow)); diff != "" {
			t.Fatal(diff)
		}
	}
}

func TestTexts_EveryPatternHasWords(t *testing.T) {
	eachSchema(t, func(t *testing.T, name string, doc map[string]any) {
		walk(doc, "", func(at string, v any) {
			if pattern, ok := v.(string); ok && strings.HasSuffix(at, "/pattern") && strings.Contains(patternText(pattern).correction, pattern) {
				t.Errorf("%s has no words", at)
			}
		})
	})
}

func TestResponse_IsTheSkillsOrAnError(t *testing.T) {
	long := strings.Repeat("m", 2001)
	listing := `{"status":"available","updated_at":"2026-04-30T08:42:00Z","condition":"used"}`
	tests := map[string]struct {
		skill   SkillID
		payload string
		want    string // part of the error, "" when valid
	}{
		"success":              {InventoryVehicle, `{"type":"inventory.vehicle.response","data":` + listing + `}`, ""},
		"error":                {InventoryVehicle, string(NewError(VehicleNotFound, "No such vehicle.").Payload("err_1", leadNow)), ""},
		"another skill's":      {InventoryFacets, `{"type":"inventory.vehicle.response","data":{}}`, `"/type"`},
		"unknown skill":        {"x", `{}`, "no response schema"},
		"no object":            {InventoryFacets, `7`, `"": The value is a number`},
		"long message":         {InventoryFacets, `{"type":"inventory.facets.response","data":{},"message":"` + long + `"}`, `"/message"`},
		"unknown member":       {InventoryFacets, `{"type":"inventory.facets.response","data":{},"extra":1}`, `"/extra"`},
		"listing of wear":      {InventoryVehicle, `{"type":"inventory.vehicle.response","data":{"status":"available","updated_at":"2026-04-30T08:42:00Z","condition":"good"}}`, `"/data/condition"`},
		"listing out of stock": {InventorySearch, `{"type":"inventory.search.response","data":{"total":1,"limit":20,"vehicles":[{"status":"sold","updated_at":"2026-04-30T08:42:00Z"}]}}`, `"/data/vehicles/0/status"`},
		"repeated fee":         {InventorySearch, `{"type":"inventory.search.response","data":{"total":1,"limit":20,"vehicles":[{"status":"pending","updated_at":"2026-04-30T08:42:00Z","fees":[{"name":"Doc","amount":1},{"name":"Doc","amount":2}]}]}}`, `"/data/vehicles/0/fees/1/name"`},
		"rooftop fee repeated": {DealerInformation, `{"type":"dealer.information.response","data":{"name":"D","rooftops":[{"name":"R","fees":[{"name":"Doc","amount":1},{"name":"Doc","amount":2}]}]}}`, `"/data/rooftops/0/fees/1/name"`},
		"a closed day":         {DealerInformation, `{"type":"dealer.information.response","data":{"name":"D","rooftops":[{"name":"R","schedules":[{"value":{"sunday":null,"monday":{"open":"9:00","close":"18:00"}}}]}]}}`, `"/data/rooftops/0/schedules/0/value/monday/open"`},
		"error of other code":  {LeadSubmit, `{"type":"aap.error","error_id":"e","code":"OOPS","message":"m","retryable":false,"created_at":"2026-04-30T08:42:00Z"}`, `"/code"`},
		"many problems":        {InventorySearch, `{"type":"inventory.search.response","data":{}}`, `"/data/vehicles"`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			err := validator(t).Response(tt.skill, decode(t, tt.payload))
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error = %v, want %q", err, tt.want)
			}
		})
	}
}

func TestListing_ClaimsAvailability(t *testing.T) {
	tests := map[string]struct {
		vehicle string
		want    found
	}{
		"status and updated_at suffice": {`{"status":"intransit","updated_at":"2026-04-30T08:42:00Z"}`, found{}},
		"both are required":             {`{}`, found{MissingRequiredField, [][2]string{{"/status", "required"}, {"/updated_at", "required"}}}},
		"fees have unique names": {`{"status":"available","updated_at":"2026-04-30T08:42:00Z","fees":[{"name":"a","amount":1},{"name":"b","amount":1},{"name":"a","amount":2}]}`,
			found{SchemaValidationFailed, [][2]string{{"/fees/2/name", "unique_fee"}}}},
		"money is whole dollars": {`{"status":"available","updated_at":"2026-04-30T08:42:00Z","price":1.5,"msrp":-1,"fees":[{"name":"","amount":1}]}`,
			found{SchemaValidationFailed, [][2]string{{"/fees/0/name", "minLength"}, {"/msrp", "minimum"}, {"/price", "type"}}}},
		"other attributes are scalars": {`{"status":"available","updated_at":"2026-04-30T08:42:00Z","other_attributes":{"a":1,"b":["x",true],"c":{},"d":[[]]}}`,
			found{SchemaValidationFailed, [][2]string{{"/other_attributes/c", "type"}, {"/other_attributes/d/0", "type"}}}},
		"photos and dates have their form": {`{"status":"available","updated_at":"2026-04-30T08:42:00Z","photos":["1.jpg"],"inventory_date":"04/21/2026"}`,
			found{SchemaValidationFailed, [][2]string{{"/inventory_date", "format"}, {"/photos/0", "format"}}}},
		"a listing is an object": {`null`, found{SchemaValidationFailed, [][2]string{{"", "type"}}}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			err := validator(t).Listing(decode(t, tt.vehicle))
			got, _ := err.(*Error)
			if err != nil && got == nil {
				t.Fatalf("error is %T", err)
			}
			if diff := cmp.Diff(tt.want, foundIn(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestDocument_Tenant(t *testing.T) {
	roof := `"rooftops":[{"name":"R"}]`
	tests := map[string]struct {
		doc  string
		want found
	}{
		"the least":       {`{"id":"a","name":"A",` + roof + `}`, found{}},
		"no rooftop":      {`{"id":"a","name":"A","rooftops":[]}`, found{SchemaValidationFailed, [][2]string{{"/rooftops", "minItems"}}}},
		"id is a token":   {`{"id":"A.b","name":"A",` + roof + `}`, found{SchemaValidationFailed, [][2]string{{"/id", "pattern"}}}},
		"id ends plain":   {`{"id":"a-","name":"A",` + roof + `}`, found{SchemaValidationFailed, [][2]string{{"/id", "pattern"}}}},
		"origins":         {`{"id":"a","name":"A",` + roof + `,"origins":["https://a.example","http://[::1]:8080","https://a.example/","*"]}`, found{SchemaValidationFailed, [][2]string{{"/origins/2", "pattern"}, {"/origins/3", "pattern"}}}},
		"skills are once": {`{"id":"a","name":"A",` + roof + `,"skills":["lead.submit","lead.submit"]}`, found{SchemaValidationFailed, [][2]string{{"/skills", "uniqueItems"}}}},
		"feed":            {`{"id":"a","name":"A",` + roof + `,"feed":{"price_includes_fees":"yes","x":1}}`, found{SchemaValidationFailed, [][2]string{{"/feed/price_includes_fees", "type"}, {"/feed/x", "additionalProperties"}}}},
		"rooftop fees":    {`{"id":"a","name":"A","rooftops":[{"name":"R","fees":[{"name":"f","amount":1},{"name":"f","amount":1}]}]}`, found{SchemaValidationFailed, [][2]string{{"/rooftops/0/fees/1/name", "unique_fee"}}}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, foundIn(validator(t).Document("tenant.schema.json", decode(t, tt.doc)))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestDocument_UnknownFile_IsInternal(t *testing.T) {
	if err := validator(t).Document("nothing.schema.json", nil); err == nil || err.Code != InternalError {
		t.Errorf("error = %v", err)
	}
}
