package subject

import (
	"qprism/engine/model"
	"qprism/engine/pbs/retrace"
)

// Retrace recomputes the cycle nearest to the snapshot.
func (s OpenPBS) Retrace(o AuditOptions) (*retrace.Report, error) {
	opts, err := s.retracing(&o)
	if err != nil {
		return nil, err
	}
	return retrace.Run(s.Snapshot, opts), nil
}

// retracing makes the snapshot ready to be retraced, with the logs that are named, or else lie in the
// bundle or beside it. Of Torque only the fairshare tree is compared.
func (s OpenPBS) retracing(o *AuditOptions) (retrace.Options, error) {
	opts := retrace.Options{At: s.Look.At, Before: o.Before}
	switch {
	case s.System == model.Torque:
		own := *s.PBS
		own.Cycles, s.PBS = nil, &own
	case o.Logs.Given():
		return opts, o.Logs.addTo(s.Snapshot)
	case len(s.PBS.Cycles) == 0 && o.Bundle != "":
		o.Logs.Beside(s.Snapshot, o.Bundle)
	}
	return opts, nil
}
