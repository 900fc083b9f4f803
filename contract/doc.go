// Package contract is the AAP payload contract as code: release constants, the skill registry, the JSON Schemas of every
// payload, their validation with corrections, the error codes, and the tool catalog generated from all of these.
//
// It imports no other module of the project. Start reading at skill.go (the registry) and error.go (what a caller is told);
// schemas/ holds the payload schemas, catalog.go derives the MCP tool catalog from them.
package contract
