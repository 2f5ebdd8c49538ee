package retrace

import (
	"strings"

	"qprism/engine/model"
)

// restore brings a reservation back that is gone, with what records from before its end tell of it.
func (x *state) restore(gone *model.AccountingRecord) {
	if x.reservation(gone.ID) != nil {
		return
	}
	v := model.PBSReservation{ID: gone.ID}
	v.Queue, _, _ = strings.Cut(gone.ID, ".")
	if !x.toldOf(&v, gone) {
		x.lose("", "reservation "+gone.ID+" is gone since the cycle, and no record tells which vnodes it had", decisions...)
		return
	}
	x.PBS.Reservations = append(x.PBS.Reservations, v)
	x.Queues = append(x.Queues, model.Queue{Name: v.Queue, PBS: &model.PBSQueue{Type: "Execution", Enabled: true,
		Started: v.State == "RESV_RUNNING"}})
}

// toldOf gives a reservation what the records before another one tell: when it is, and which vnodes it has
// (Y), and whether it had begun (B). It reports whether there is such a record.
func (x *state) toldOf(v *model.PBSReservation, until *model.AccountingRecord) (known bool) {
	v.State, v.Nodes = "RESV_UNCONFIRMED", ""
	for i := range x.PBS.Accounting {
		r := &x.PBS.Accounting[i]
		if r == until {
			break
		}
		if r.ID != v.ID || r.Value("nodes") == "" {
			continue
		}
		known = true
		v.Start, v.End, v.Nodes = model.PBSTime(r.Value("start")), model.PBSTime(r.Value("end")), r.Value("nodes")
		v.Duration = v.End.Sub(v.Start)
		v.State = map[bool]string{true: "RESV_RUNNING", false: "RESV_CONFIRMED"}[r.Type == "B" || v.State == "RESV_RUNNING"]
	}
	return known
}
