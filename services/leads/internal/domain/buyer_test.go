package domain_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"forecourt.internal/services/leads/internal/domain"
)

func buyer(t testing.TB, request, vehicleID string) domain.Buyer {
	t.Helper()
	b, err := domain.BuyerOf([]byte(request), vehicleID)
	if err != nil {
		t.Fatalf("%s: %v", request, err)
	}
	return b
}

func TestBuyer_NormalisesContacts(t *testing.T) {
	for name, c := range map[string]struct{ customer, email, phone string }{
		"as it is":            {`{"email":"ines@mail.example","phone":"+15105550117"}`, "ines@mail.example", "+15105550117"},
		"capitals":            {`{"email":"Ines.Okafor@MAIL.example"}`, "ines.okafor@mail.example", ""},
		"space around":        {`{"email":" ines@mail.example\u00a0","phone":" +15105550117\n"}`, "ines@mail.example", "+15105550117"},
		"a tag stays":         {`{"email":"ines+cars@mail.example"}`, "ines+cars@mail.example", ""},
		"dots stay":           {`{"email":"i.nes@mail.example"}`, "i.nes@mail.example", ""},
		"composed characters": {`{"email":"\"JOSE\u0301\"@mail.example"}`, "\"jos\u00e9\"@mail.example", ""},
		"only a phone":        {`{"phone":"+4915112345678"}`, "", "+4915112345678"},
		"neither":             {`{}`, "", ""},
		"of another type":     {`{"email":1,"phone":["+1"]}`, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			want := domain.Buyer{Email: c.email, Phone: c.phone, Interest: domain.Interest[string]{Other: "message "}}
			if diff := cmp.Diff(want, buyer(t, `{"customer":`+c.customer+`}`, "")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestBuyer_KnowsTheVehicleByItsNamesThenItsDescription(t *testing.T) {
	for name, c := range map[string]struct {
		request, vehicleID string
		want               domain.Interest[string]
	}{
		"names": {
			`{"vehicle_of_interest":{"vin":"4T1DAACK5SU512044","stock":" T5120 ","vehicle_id":"Veh_1","make":"Toyota"},"message":"Hi"}`, "",
			domain.Interest[string]{VIN: "4t1daack5su512044", Stock: "t5120", VehicleID: "veh_1"},
		},
		"the listing that was found": {
			`{"vehicle_of_interest":{"stock":"T5120"}}`, "VEH_1", domain.Interest[string]{Stock: "t5120", VehicleID: "veh_1"},
		},
		"the listing before the id that was sent": {
			`{"vehicle_of_interest":{"vehicle_id":"veh_1"}}`, "VEH-1", domain.Interest[string]{VehicleID: "veh-1"},
		},
		"Unicode": {
			`{"vehicle_of_interest":{"stock":"Ma\u0308rz-STRASSE"}}`, "", domain.Interest[string]{Stock: "märz-strasse"},
		},
		"a description": {
			`{"vehicle_of_interest":{"year":2025.0,"make":"TOYOTA","model":"\u0043amry"},"message":"Hi"}`, "",
			domain.Interest[string]{Other: `vehicle {"make":"toyota","model":"camry","year":2025}`},
		},
		"a description with blank names": {
			`{"vehicle_of_interest":{"vin":"","stock":" ","make":"Toyota"}}`, "",
			domain.Interest[string]{Other: `vehicle {"make":"toyota"}`},
		},
		"nothing about the vehicle": {`{"vehicle_of_interest":{"stock":""},"message":"Hi"}`, "", domain.Interest[string]{Other: "message Hi"}},
		"a message":                 {`{"message":"\t Is  it\nstill\u00a0there? "}`, "", domain.Interest[string]{Other: "message Is it still there?"}},
		"an empty message":          {`{"message":" "}`, "", domain.Interest[string]{Other: "message "}},
		"no message":                {`{}`, "", domain.Interest[string]{Other: "message "}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, buyer(t, c.request, c.vehicleID).Interest); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestBuyer_SameNeedsASharedContactAndTheSameVehicle(t *testing.T) {
	const (
		ines = `"customer":{"email":"ines@mail.example","phone":"+15105550117"}`
		mail = `"customer":{"email":"INES@mail.example"}`
		call = `"customer":{"phone":"+15105550117"}`
		tom  = `"customer":{"email":"tom@mail.example","phone":"+15105550118"}`
		hers = `"customer":{"email":"ines@mail.example","phone":"+15105550118"}`
	)
	car := func(members string) string { return `"vehicle_of_interest":{` + members + `}` }
	for name, c := range map[string]struct {
		a, b         string
		aFound, want string
	}{
		"the same e-mail":               {ines, mail, "", "same"},
		"the same phone":                {ines, call, "", "same"},
		"one contact is another's":      {hers, ines, "", "same"},
		"both through a third only":     {mail, call, "", ""},
		"other contacts":                {ines, tom, "", ""},
		"no contact":                    {`"customer":{}`, `"customer":{}`, "", ""},
		"the same VIN":                  {mail + `,` + car(`"vin":"V1"`), mail + `,` + car(`"vin":"v1"`), "", "same"},
		"one name of several":           {mail + `,` + car(`"vin":"V1","stock":"S1"`), mail + `,` + car(`"stock":"S1","vehicle_id":"I1"`), "", "same"},
		"a name that differs":           {mail + `,` + car(`"vin":"V1","stock":"S1"`), mail + `,` + car(`"vin":"V1","stock":"S2"`), "", ""},
		"no name in common":             {mail + `,` + car(`"vin":"V1"`), mail + `,` + car(`"stock":"S1"`), "", ""},
		"the listing in common":         {mail + `,` + car(`"vin":"V1"`), mail + `,` + car(`"vehicle_id":"I1"`), "I1", "same"},
		"the same name of another kind": {mail + `,` + car(`"vin":"X1"`), mail + `,` + car(`"stock":"X1"`), "", ""},
		"names beside other words":      {mail + `,` + car(`"vin":"V1","make":"Toyota"`) + `,"message":"a"`, mail + `,` + car(`"vin":"V1"`), "", "same"},
		"the same description":          {mail + `,` + car(`"make":"Kia","year":2020`), mail + `,` + car(`"year":2020,"make":"KIA"`) + `,"message":"a"`, "", "same"},
		"another description":           {mail + `,` + car(`"make":"Kia"`), mail + `,` + car(`"make":"Kia","year":2020`), "", ""},
		"a name and a description":      {mail + `,` + car(`"vin":"V1","make":"Kia"`), mail + `,` + car(`"make":"Kia"`), "", ""},
		"the same message":              {mail + `,"message":"Call me"`, mail + `,"message":" Call  me"`, "", "same"},
		"another message":               {mail + `,"message":"Call me"`, mail + `,"message":"Call me!"`, "", ""},
		"a message and none":            {mail + `,"message":"Call me"`, mail, "", ""},
		"a vehicle and none":            {mail + `,` + car(`"vin":"V1"`), mail, "", ""},
		"a message like a description":  {mail + `,` + car(`"make":"kia"`), mail + `,"message":"vehicle {\"make\":\"kia\"}"`, "", ""},
		"plus addresses":                {`"customer":{"email":"ines+a@mail.example"}`, mail, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			a, b := buyer(t, `{`+c.a+`}`, c.aFound), buyer(t, `{`+c.b+`}`, "")
			if got := a.Same(b); got != (c.want == "same") || b.Same(a) != got {
				t.Errorf("%s and %s: same = %v, turned %v", c.a, c.b, got, b.Same(a))
			}
		})
	}
}

func TestBuyerOf_NoRequest(t *testing.T) {
	for _, bad := range []string{"", "{", "[]", `"ines@mail.example"`, `{"customer":{"email":"ines@mail.example"}`} {
		if _, err := domain.BuyerOf([]byte(bad), ""); err == nil || strings.Contains(err.Error(), "ines") {
			t.Errorf("%s: err = %v, want one without a value", bad, err)
		}
	}
}

// The command's buyer and that of the event, which holds the request as it was sent, are the same.
func TestBuyer_OfTheCommandAndOfItsEvent(t *testing.T) {
	text := rapid.SampledFrom([]string{"", " ", "a", "A", "ß", "SS", "İ", "ſ", "e\u0301", "é", "Σς", "1", "x  y", `"`, "<"})
	rapid.Check(t, func(t *rapid.T) {
		member := func(name string) string {
			return fmt.Sprintf("%q:%q", name, text.Draw(t, name)+text.Draw(t, name))
		}
		request := `{"idempotency_key":"k","customer":{` + member("email") + `,` + member("phone") + `}`
		if rapid.Bool().Draw(t, "vehicle") {
			request += `,"vehicle_of_interest":{` + member("vin") + `,` + member("stock") + `,` + member("make") + `}`
		}
		request += `,` + member("message") + `}`
		found := text.Draw(t, "found")
		cmd, err := domain.NewCommand("demo-toyota", "public|a", []byte(request))
		if err != nil {
			t.Fatal(err)
		}
		got, err := domain.BuyerOf([]byte(request), found)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(cmd.Buyer(domain.Vehicle{VehicleID: found}), got); diff != "" {
			t.Error(diff)
		}
		again, err := domain.BuyerOf(fmt.Appendf(nil, `{"customer":{"email":%q,"phone":%q},"vehicle_of_interest":{"vin":%q,"stock":%q,"vehicle_id":%q}}`,
			got.Email, got.Phone, got.Interest.VIN, got.Interest.Stock, got.Interest.VehicleID), "")
		if err != nil {
			t.Fatal(err)
		}
		if again.Interest.Other = got.Interest.Other; again != got {
			t.Errorf("normalising twice: %+v, once: %+v", again, got)
		}
	})
}
