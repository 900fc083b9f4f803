// Package contract is the AAP payload contract as code: release constants, the skill registry, the JSON Schemas of
// every payload, their validation with corrections, the error codes, and the tool catalog generated from all of these.
//
// It imports no other module of the project. Start reading at skill.go (the registry) and error.go (what a caller is
// told); schemas/ holds the payload schemas, validate.go checks payloads against them, leadrules.go holds what schemas
// cannot say about a lead, and catalog.go derives the MCP tool catalog. ours.go names what no public text fixes.
package contract
