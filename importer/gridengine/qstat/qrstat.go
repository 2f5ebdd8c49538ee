package qstat

import (
	"fmt"
	"time"

	"qprism/engine/model"
	"qprism/importer/gridengine/bundle"
)

// readQrstat reads the output of qrstat -xml about advance reservations. qrstat.xml has a line of each (-u),
// qrstat-ar.xml has everything of each (-ar).
func readQrstat(r *reader, _ *clusterTable) error {
	q := &qrstatReader{places: map[uint32]int{}}
	for _, file := range []string{"qrstat.xml", "qrstat-ar.xml"} {
		if err := r.readXML(file, q.readReservations, "qrstat"); err != nil {
			return err
		}
	}
	return nil
}

type qrstatReader struct {
	*xmlFile
	ar     model.AdvanceReservation
	places map[uint32]int // indices in the snapshot's list, by number
}

func (q *qrstatReader) readReservations(x *xmlFile) {
	x.BareAmpersand = true
	q.xmlFile = x
	known := q.reservationElements()
	q.read(elements{
		"ar_unknown": nil, // it ended between the two commands
		"ar_summary": func() {
			q.ar = model.AdvanceReservation{}
			q.readOthers(known)
			if q.ar.Number == 0 {
				q.note(nil, fmt.Errorf("id: %w", errMissing))
			}
			if q.settle("advance reservation", q.ar.Number) {
				q.keep()
			}
		},
	})
}

// keep adds a reservation. If the list has its line already, keep replaces it.
func (q *qrstatReader) keep() {
	list := &q.r.Snap.Reserved
	if place, known := q.places[q.ar.Number]; known {
		(*list)[place] = q.ar
		return
	}
	q.places[q.ar.Number] = len(*list)
	*list = append(*list, q.ar)
}

func (q *qrstatReader) reservationElements() elements {
	ar := &q.ar
	return elements{
		"id":                           put(&ar.Number, q.uint32),
		"name":                         put(&ar.Name, q.str),
		"owner":                        put(&ar.Owner, q.str),
		"state":                        put(&ar.State, q.str),
		"start_time":                   put(&ar.Start, q.time),
		"submission_time":              put(&ar.Submitted, q.time),
		"end_time":                     put(&ar.End, q.time),
		"duration":                     put(&ar.Duration, q.interval),
		"resource_list":                q.readRequests,
		"granted_slots_list":           q.readGranted,
		"granted_parallel_environment": func() { q.readOthers(elements{"parallel_environment": put(&ar.PE, q.str)}) },
		"mail_list":                    func() { q.readUsers("mail_list") },
		"acl_list":                     func() { q.readUsers("acl_list") },
		"xacl_list":                    func() { q.readUsers("xacl_list") },
	}
}

// readOthers reads elements. An element without a field becomes a setting.
func (q *qrstatReader) readOthers(known elements) {
	for d := q.Depth(); q.Child(d); {
		if name := string(q.Name()); known[name] != nil {
			known[name]()
		} else {
			q.setting(name, q.str())
		}
	}
}

func (q *qrstatReader) interval() time.Duration {
	text := q.Text()
	d, err := model.ParseInterval(string(text))
	if err != nil {
		q.bad(text, errSyntax)
	}
	return d
}

// readUsers keeps users and their hosts as settings.
func (q *qrstatReader) readUsers(list string) {
	for d := q.Depth(); q.Child(d); {
		user, host := q.attribute("user"), q.attribute("host")
		if host != "" {
			user += "@" + host
		}
		q.setting(list, user)
	}
}

// setting keeps a value without a field.
func (q *qrstatReader) setting(name, value string) {
	q.ar.Settings = append(q.ar.Settings, model.Setting{Name: name, Value: value})
}

// readRequests reads the resources that the reservation requests. The attribute named type has the value.
func (q *qrstatReader) readRequests() {
	for d := q.Depth(); q.Child(d); {
		c := model.Request{Resource: q.attribute("name"), Value: q.attribute("type"), Contribution: nan}
		c.Amount = q.r.amount(c.Resource, c.Value)
		q.ar.Requests = append(q.ar.Requests, c)
	}
}

func (q *qrstatReader) readGranted() {
	for d := q.Depth(); q.Child(d); {
		g := model.Grant{Instance: q.attribute("queue_instance")}
		printed := q.attribute("slots")
		if g.Slots = bundle.Digits(printed); printed == "" || len(printed) > 9 || g.Slots < 0 {
			q.note([]byte(printed), fmt.Errorf("slots: %w", errSyntax))
		}
		q.ar.Granted = append(q.ar.Granted, g)
	}
}
