package records

import (
	"qprism/importer/fields"
	"qprism/importer/gridengine/bundle"
)

var (
	errSyntax  = fields.ErrSyntax
	errMissing = fields.ErrMissing
)

// A reader reads the records of one bundle.
type reader struct{ *bundle.Reader }
