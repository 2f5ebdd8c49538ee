// Package compat holds, as data, what the releases of a system do differently: their quirks, and how they print.
package compat

import (
	"strings"

	"qprism/engine/model"
)

// sge is what 8.1.9 does; every entry is proved by recordings or vectors.
var sge = model.Quirks{
	PendingWeightsOverAll:  true,
	SecondPass:             true,
	MaximumOverPasses:      true,
	SelectionOffset:        true,
	UrgencyMaximumPositive: true,
	UnsignedWaiting:        true,
	JobConsumableTimesN:    true,
	TasksByFreeSlots:       true,
	StaleTemplate:          true,
	TruncatedJobShare:      true,
	SiblingTarget:          true,
	DiluteByPE:             true,
	LinearDecay:            true,
	ZeroInstancesExcludes:  true,
	FirstRangeOnly:         true,
}

// Profiles are the sets of quirks that --quirks names.
var Profiles = map[string]model.Quirks{
	"8.1.9": sge,
	"6.2u5": sixTwo(),
	"fixed": {},
}

// sixTwo is 6.2u5: its share tree ranks pending jobs only and counts each as one, and it decays everybody's usage.
func sixTwo() model.Quirks {
	q := sge
	q.DiluteByPE, q.OldDilution, q.DecayAll, q.ZeroInstancesExcludes = false, true, true, false
	return q
}

// For is the profile of a release: of 8.1.9 for Son of Grid Engine and for what is not known.
func For(r model.Release) (name string, q model.Quirks) {
	if strings.HasPrefix(r.Version, "6.") || strings.HasPrefix(r.Version, "8.0") {
		return "6.2u5", Profiles["6.2u5"]
	}
	return "8.1.9", Profiles["8.1.9"]
}
