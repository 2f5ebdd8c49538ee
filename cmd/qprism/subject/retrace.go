package subject

import (
	"qprism/engine/model"
	"qprism/engine/pbs/retrace"
)

// Retrace recomputes the cycle next to the snapshot, with the logs that are named, or else lie in the bundle or beside it. Of
// Torque only the fairshare tree is compared.
func (s OpenPBS) Retrace(logs *MasterLogs, bundle string, before *model.Snapshot) (*retrace.Report, error) {
	switch {
	case s.System == model.Torque:
		own := *s.PBS
		own.Cycles, s.PBS = nil, &own
	case logs.Given():
		if err := logs.addTo(s.Snapshot); err != nil {
			return nil, err
		}
	case len(s.PBS.Cycles) == 0 && bundle != "":
		logs.Beside(s.Snapshot, bundle)
	}
	return retrace.Run(s.Snapshot, retrace.Options{At: s.Look.At, Before: before}), nil
}
