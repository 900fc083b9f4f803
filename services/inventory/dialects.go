package inventory

// Dialects are the names that ImportConfig.Dialect and a tenant's feed.dialect may have.
func Dialects() []string {
	return []string{"provider-csv", "google-vehicle-listings", "meta-automotive", "aap-json"}
}
