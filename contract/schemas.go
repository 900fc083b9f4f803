package contract

import (
	"embed"
	"io/fs"
	"path"
	"strings"
)

// schemaFS holds the canonical JSON Schemas (2020-12). Each file's $id is SchemaBaseURL and its name; references
// between files are relative.
//
//go:embed schemas/*.schema.json
var schemaFS embed.FS

const errorSchema = "error.schema.json"

// SchemaFiles lists the names of the canonical schema files, such as "vehicle.schema.json", in sorted order.
func SchemaFiles() []string {
	entries, err := fs.ReadDir(schemaFS, "schemas")
	if err != nil {
		return nil // the directory is part of the binary
	}
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// SchemaFile returns the bytes of a canonical schema file by its name, and false for any other name. The caller owns
// the returned slice.
func SchemaFile(name string) ([]byte, bool) {
	if strings.ContainsAny(name, `/\`) {
		return nil, false
	}
	b, err := schemaFS.ReadFile(path.Join("schemas", name))
	return b, err == nil
}
