package server

import (
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"forecourt.internal/contract"
	"forecourt.internal/platform/tenant"
	"forecourt.internal/platform/tenants"
	inventoryv1 "forecourt.internal/proto/inventory/v1"
	"forecourt.internal/services/inventory/internal/cursor"
	"forecourt.internal/services/inventory/internal/index"
)

// Server implements InventoryService. Every method answers for the tenant of its request only (R-TEN); a tenant that has no
// document is NOT_FOUND, whatever the stream holds.
type Server struct {
	inventoryv1.UnimplementedInventoryServiceServer
	tenants *tenants.Directory
	index   *index.Index
	cursors *cursor.Codec
}

// New returns a server that reads from the directory and the index.
func New(tenants *tenants.Directory, x *index.Index, cursors *cursor.Codec) *Server {
	return &Server{tenants: tenants, index: x, cursors: cursors}
}

func (s *Server) tenant(id string) (*tenant.Document, error) {
	doc, ok := s.tenants.Get(id)
	if !ok {
		return nil, status.Error(codes.NotFound, "no such tenant")
	}
	return doc, nil
}

// invalid is the error of a request that no valid AAP request becomes.
func invalid(location, keyword, text, correction string) error {
	return contract.NewError(contract.SchemaValidationFailed, "The request is not valid.", contract.Problem{
		InstanceLocation: location, Keyword: keyword, Error: text, Correction: correction,
	})
}
