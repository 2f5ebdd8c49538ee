package pbs

import (
	"qprism/engine/model"
	"qprism/importer/pbs/object"
)

var reservations = &kind{part: "reservations", Kind: object.Kind{
	Name: "Reservation", Text: object.Text{Heads: []string{"Resv ID:"}},
	Skip: names("Variable_List Submit_Host server Mail_Points Mail_Users hashname"),
}}

// readReservations reads pbs_rstat -F.
func readReservations(r *reader) error {
	f := r.filler(reservations)
	var v model.PBSReservation
	to := places{
		"Reserve_Name":     &v.Name,
		"Reserve_Owner":    &v.Owner,
		"reserve_state":    &v.State,
		"reserve_substate": &v.Substate,
		"queue":            &v.Queue,
		"euser":            &v.User,
		"egroup":           &v.Group,
		"reserve_start":    &v.Start,
		"reserve_end":      &v.End,
		"reserve_duration": &v.Duration,
		"reserve_rrule":    &v.Rule,
		"reserve_index":    &v.Index,
		"reserve_count":    &v.Count,
		"Resource_List":    places{"select": &v.Select, "place": &v.Place, "": &v.Requests},
		"schedselect":      &v.Sched,
		"resv_nodes":       &v.Nodes,
	}
	to.addKnown(`Authorized_Users Authorized_Groups Authorized_Hosts ctime mtime partition interactive reserve_retry reserve_tag
		reserve_job reserve_timezone delete_idle_time resv_standing Account_Name project`)
	return f.objects(func() {
		v = model.PBSReservation{ID: f.rec.ID}
		f.fill(to, func() { f.keep(&v.Other, to) })
		if f.whole() {
			r.pbs.Reservations = append(r.pbs.Reservations, v)
		}
	})
}
