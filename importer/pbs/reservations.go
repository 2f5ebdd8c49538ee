package pbs

import "qprism/engine/model"

// readReservations reads pbs_rstat -F.
func readReservations(r *reader) error {
	file := r.choose("reservations")
	f := &filler{reader: r, file: file}
	return r.eachText(file, resvForm, uninterestingOfReservations,
		r.shown("reservation", func(rec *record) error { return r.reservation(f, rec) }))
}

var uninterestingOfReservations = names("Variable_List", "Submit_Host", "server", "Mail_Points", "Mail_Users", "hashname")

func (r *reader) reservation(f *filler, rec *record) error {
	f.rec, f.fault = rec, nil
	v := model.PBSReservation{ID: rec.id}
	f.each(func(name string) {
		if !f.resvIdentity(name, &v) && !f.resvTimes(name, &v) && !f.resvRequest(name, &v) {
			s := f.setting()
			v.Other = append(v.Other, s)
			if !knownOfReservations[name] {
				r.Unknown(f.file, f.attr.line, s.Name, s.Value)
			}
		}
	})
	good, err := f.settle()
	if good {
		r.pbs.Reservations = append(r.pbs.Reservations, v)
	}
	return err
}

// knownOfReservations are attributes that have no field of their own.
var knownOfReservations = names("Authorized_Users", "Authorized_Groups", "Authorized_Hosts", "ctime", "mtime", "partition", "interactive",
	"reserve_retry", "reserve_tag", "reserve_job", "reserve_timezone", "delete_idle_time", "resv_standing", "Account_Name", "project")

func (f *filler) resvIdentity(name string, v *model.PBSReservation) bool {
	switch name {
	case "Reserve_Name":
		v.Name = f.str()
	case "Reserve_Owner":
		v.Owner = f.str()
	case "reserve_state":
		v.State = f.str()
	case "reserve_substate":
		v.Substate = f.small()
	case "queue":
		v.Queue = f.str()
	case "euser":
		v.User = f.str()
	case "egroup":
		v.Group = f.str()
	default:
		return false
	}
	return true
}

func (f *filler) resvTimes(name string, v *model.PBSReservation) bool {
	switch name {
	case "reserve_start":
		v.Start = f.time()
	case "reserve_end":
		v.End = f.time()
	case "reserve_duration":
		v.Duration = f.duration()
	case "reserve_rrule":
		v.Rule = f.str()
	case "reserve_index":
		v.Index = f.small()
	case "reserve_count":
		v.Count = f.small()
	default:
		return false
	}
	return true
}

func (f *filler) resvRequest(name string, v *model.PBSReservation) bool {
	switch {
	case name == "Resource_List" && f.attr.resource == "select":
		v.Select = f.str()
	case name == "Resource_List" && f.attr.resource == "place":
		v.Place = f.str()
	case name == "Resource_List":
		v.Requests = append(v.Requests, f.request())
	case name == "schedselect":
		v.Sched = f.str()
	case name == "resv_nodes":
		v.Nodes = f.str()
	default:
		return false
	}
	return true
}
