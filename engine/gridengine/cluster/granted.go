package cluster

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"qprism/engine/gridengine/resource"
	"qprism/engine/gridengine/utilization"
	"qprism/engine/model"
)

// advanceReservations are the advance reservations with what they were granted. The list that qrstat prints
// of all lacks that; then the lines tell it that qrsub left in the schedule file, or the number of slots
// that each queue instance keeps.
func (r *Cluster) advanceReservations() []model.AdvanceReservation {
	list := slices.Clone(r.Snapshot.Reserved)
	var unknown []*model.AdvanceReservation
	bookings := r.AdvanceBookings()
	for i := range list {
		m := &list[i]
		if len(m.Granted) > 0 || m.Start.IsZero() || strings.ContainsAny(m.State, "dx") {
			continue
		}
		if at := slices.IndexFunc(bookings, func(b advanceBooking) bool { return b.is(m) }); at >= 0 {
			m.Granted, m.PE, m.Requests = bookings[at].Granted, bookings[at].PE, bookings[at].Requests
			bookings = slices.Delete(bookings, at, at+1)
			continue
		}
		unknown = append(unknown, m)
	}
	r.grantReserved(list, unknown)
	return list
}

// grantReserved gives advance reservations of which nothing else is known the slots that queue instances
// keep and that no other reservation has: to the first of several, for the time of all of them.
func (r *Cluster) grantReserved(list []model.AdvanceReservation, unknown []*model.AdvanceReservation) {
	if len(unknown) == 0 {
		return
	}
	known := map[string]int{}
	for i := range list {
		for _, g := range list[i].Granted {
			known[g.Instance] += g.Slots
		}
	}
	one := unknown[0]
	for i := range r.Snapshot.Instances {
		if q := &r.Snapshot.Instances[i]; q.Reserved > known[q.Name] {
			one.Granted = append(one.Granted, model.Grant{Instance: q.Name, Slots: q.Reserved - known[q.Name]})
		}
	}
	for _, m := range unknown[1:] {
		end := utilization.Later(utilization.Unix(m.Start), lengthOfAdvance(m))
		start := min(utilization.Unix(one.Start), utilization.Unix(m.Start))
		one.Duration = utilization.Lasting(
			max(utilization.Later(utilization.Unix(one.Start), lengthOfAdvance(one)), end) - start)
		one.Start = utilization.Moment(start)
	}
	r.Plan.Notes = append(r.Plan.Notes, "what "+numbersOf(unknown)+
		" asked for is not known (qrstat -ar shows it): only the slots that queue instances keep are booked")
}

func numbersOf(list []*model.AdvanceReservation) string {
	text := "advance reservation"
	if len(list) > 1 {
		text += "s"
	}
	for i, m := range list {
		if i == 5 {
			return text + " and others"
		}
		text += " " + strconv.Itoa(int(m.Number))
	}
	return text
}

// An advanceBooking is what a request for an advance reservation booked, as the lines of job 0 tell it.
type advanceBooking struct {
	Start    time.Time
	Duration time.Duration
	Granted  []model.Grant
	PE       string
	Requests []model.Request
}

func (b *advanceBooking) is(m *model.AdvanceReservation) bool {
	return b.Start.Equal(m.Start) && utilization.Whole(b.Duration) == lengthOfAdvance(m)
}

// Places are the places that the advance reservation keeps.
func (b *advanceBooking) Places() (list []Place) {
	for _, g := range b.Granted {
		list = append(list, Place{Level: resource.LevelQueue, Where: g.Instance})
	}
	if b.PE != "" {
		list = append(list, Place{Level: resource.LevelPE, Where: b.PE})
	}
	return list
}

// AdvanceBookings lists all bookings of advance reservations in the schedule file.
func (r *Cluster) AdvanceBookings() (list []advanceBooking) {
	for i := range r.Snapshot.Runs {
		list = append(list, r.AdvanceBookingsOf(&r.Snapshot.Runs[i])...)
	}
	return list
}

// AdvanceBookingsOf are the bookings of advance reservations in one section of the schedule file.
func (r *Cluster) AdvanceBookingsOf(section *model.RunRecord) (list []advanceBooking) {
	var group []model.ScheduleLine
	for _, l := range slices.Concat(section.Advance, []model.ScheduleLine{{Job: 1}}) {
		switch {
		case l.Job != 0:
			list, group = append(list, r.bookingsOf(group)...), nil
		case l.Level == resource.LevelPE: // the last line of one
			list, group = append(list, r.bookingOf(append(group, l))), nil
		default:
			group = append(group, l)
		}
	}
	return list
}

// bookingsOf are the bookings of lines without a parallel environment: of one slot each, in the last line of each.
func (r *Cluster) bookingsOf(lines []model.ScheduleLine) (list []advanceBooking) {
	from := 0
	for i, l := range lines {
		if l.Level == resource.LevelQueue && (i+1 == len(lines) || lines[i+1].Level != resource.LevelQueue ||
			lines[i+1].Object != l.Object) {
			list, from = append(list, r.bookingOf(lines[from:i+1])), i+1
		}
	}
	return list
}

func (r *Cluster) bookingOf(lines []model.ScheduleLine) advanceBooking {
	b := advanceBooking{Start: lines[0].Start, Duration: lines[0].Duration}
	total, asked := 0.0, map[string]float64{}
	for _, l := range lines {
		switch {
		case l.Level == resource.LevelPE:
			b.PE = l.Object
		case l.Level == resource.LevelQueue && l.Resource == resource.SlotsName:
			b.Granted = append(b.Granted, model.Grant{Instance: l.Object, Slots: resource.ToSlots(l.Amount)})
			total += l.Amount
		default:
			asked[l.Level+l.Resource] += l.Amount
		}
	}
	seen := map[string]bool{}
	for _, l := range lines {
		at := r.Complex[l.Resource]
		if at == nil || at.Exclusive || l.Resource == resource.SlotsName || seen[l.Resource] || total == 0 {
			continue // an exclusive resource is booked whether it was asked for or not
		}
		seen[l.Resource] = true
		each := asked[l.Level+l.Resource]
		if !at.Once {
			each /= total
		}
		b.Requests = append(b.Requests, model.Request{Resource: l.Resource,
			Value: strconv.FormatFloat(each, 'f', -1, 64), Amount: each})
	}
	return b
}
