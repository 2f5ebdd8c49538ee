package qstat

import (
	"qprism/engine/model"
	"qprism/importer/fields"
	"qprism/importer/gridengine/bundle"
)

var (
	errSyntax  = fields.ErrSyntax
	errRange   = fields.ErrRange
	errMissing = fields.ErrMissing
)

// A reader reads the listings of one bundle.
type reader struct {
	*bundle.Reader
	types   map[string]model.ResourceType // see resourceType
	amounts map[string]float64            // what values of requests mean
}
