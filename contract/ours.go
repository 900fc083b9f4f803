package contract

// What no public text of AAP fixes is decided by this project, and may change when one does. It is all named here; in
// the schemas each place carries "$comment": "ours", which the tool catalog leaves out.
//
//   - the error codes UNSUPPORTED_FILTER, CURSOR_EXPIRED and CURSOR_INVALID (error.go, error.schema.json);
//   - evidence of a vehicle (vehicle.schema.json);
//   - the geo filter (inventory-filters.schema.json);
//   - the shape of the inventory capabilities (inventory-capabilities.schema.json, capabilities.go);
//   - the documents that stay inside: tenant.schema.json and the events;
//   - that a preferred contact channel needs its address (leadrules.go);
//   - what bounds an answer: maxProblems and maxValues, and that numbers must fit a double (findings.go, validate.go, numbers.go);
//   - that an attempt which has to wait for another under the same key is INTERNAL_ERROR with details.retry_after_ms: of the two retryable
//     codes, RATE_LIMITED would claim a quota (the leads service).
