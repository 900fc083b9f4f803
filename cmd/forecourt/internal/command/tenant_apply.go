package command

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/spf13/cobra"

	"forecourt.internal/contract"
	"forecourt.internal/platform/tenant"
	"forecourt.internal/platform/tenants"
)

func newTenantApply() *cobra.Command {
	return &cobra.Command{
		Use:   "apply FILE...|-",
		Short: "Add or change dealerships from their YAML or JSON documents",
		Long: `Add or change dealerships from their documents, one per file; "-" reads standard input. Every file is checked before
any is stored. A running system follows at once.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			docs, err := parseTenants(cmd, args)
			if err != nil {
				return err
			}
			return withTenants(cmd, func(ctx context.Context, store *tenants.Store) error {
				return applyTenants(ctx, cmd, store, docs)
			})
		},
	}
}

// parseTenants reads every file, each of which is of another dealership. It prints each problem of each file, and fails when there is
// any.
func parseTenants(cmd *cobra.Command, args []string) ([]*tenant.Document, error) {
	validator, err := contract.NewValidator()
	if err != nil {
		return nil, err
	}
	var docs []*tenant.Document
	files := make(map[string]string) // by tenant
	bad := 0
	for _, arg := range args {
		text, name, err := read(cmd, arg)
		if err != nil {
			return nil, err
		}
		doc, err := tenant.Parse(text, validator)
		if err == nil && files[doc.ID] != "" {
			err = fmt.Errorf("%s is of tenant %s too; apply one document of each", files[doc.ID], doc.ID)
		}
		if err != nil {
			bad++
			printTenantProblems(cmd, name, err)
			continue
		}
		docs, files[doc.ID] = append(docs, doc), name
	}
	if bad > 0 {
		return nil, fmt.Errorf("nothing was applied: %d of %d documents cannot be used", bad, len(args))
	}
	return docs, nil
}

func printTenantProblems(cmd *cobra.Command, name string, err error) {
	var fault *contract.Error
	if !errors.As(err, &fault) || len(fault.Problems) == 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: %v\n", name, err)
		return
	}
	for _, p := range fault.Problems {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s: %s — %s\n", name, p.InstanceLocation, p.Error, p.Correction)
	}
}

// tenantResult is what became of one dealership, as JSON.
type tenantResult struct {
	Tenant string `json:"tenant"`
	Result string `json:"result"` // added, changed, unchanged or deleted
}

func applyTenants(ctx context.Context, cmd *cobra.Command, store *tenants.Store, docs []*tenant.Document) error {
	results := make([]tenantResult, 0, len(docs))
	for _, doc := range docs {
		result, err := applyTenant(ctx, store, doc)
		if err != nil {
			return err
		}
		results = append(results, tenantResult{Tenant: doc.ID, Result: result})
	}
	if wantsJSON(cmd) {
		return printJSON(cmd.OutOrStdout(), results)
	}
	for _, r := range results {
		fmt.Fprintf(cmd.OutOrStdout(), "tenant %s %s\n", r.Tenant, r.Result)
	}
	return nil
}

func applyTenant(ctx context.Context, store *tenants.Store, doc *tenant.Document) (string, error) {
	before, err := store.Get(ctx, doc.ID)
	switch {
	case errors.Is(err, tenants.ErrNotFound):
		return "added", store.Put(ctx, doc)
	case err != nil:
		return "", err
	case reflect.DeepEqual(before, doc):
		return "unchanged", nil
	}
	return "changed", store.Put(ctx, doc)
}
