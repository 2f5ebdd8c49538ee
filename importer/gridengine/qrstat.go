package gridengine

import (
	"fmt"

	"qprism/engine/model"
)

// readQrstat reads what qrstat -xml printed: advance reservations, one line of each with -u in qrstat.xml, and all of each with -ar in
// qrstat-ar.xml.
func readQrstat(r *reader, _ *clusterTable) error {
	q := &qrstatReader{places: map[uint32]int{}}
	for _, file := range []string{"qrstat.xml", "qrstat-ar.xml"} {
		if err := r.readXML(file, q.readReservations, "qrstat"); err != nil {
			return err
		}
	}
	return nil
}

func (q *qrstatReader) readReservations(x *xmlFile) error {
	x.bareAmpersand = true
	q.xmlFile = x
	for x.child(1) {
		switch string(x.name()) {
		case "ar_summary":
			if err := q.readReservation(); err != nil {
				return err
			}
		case "ar_unknown": // it ended between the two calls
			for d := q.depth(); q.child(d); {
				q.str()
			}
		default:
			x.unknown()
		}
	}
	return x.err
}

type qrstatReader struct {
	*xmlFile
	ar     model.AdvanceReservation
	places map[uint32]int // in the snapshot's list, by number
}

func (q *qrstatReader) readReservation() error {
	q.ar = model.AdvanceReservation{}
	for d := q.depth(); q.child(d); {
		q.readElement()
	}
	if q.ar.Number == 0 {
		q.note(nil, fmt.Errorf("id: %w", errMissing))
	}
	good, err := q.settle("advance reservation", q.ar.Number)
	if good {
		q.keep()
	}
	return err
}

// keep adds a reservation, or puts all that is printed of it in the place of its line.
func (q *qrstatReader) keep() {
	list := &q.r.Snap.Reserved
	if place, known := q.places[q.ar.Number]; known {
		(*list)[place] = q.ar
		return
	}
	q.places[q.ar.Number] = len(*list)
	*list = append(*list, q.ar)
}

func (q *qrstatReader) readElement() {
	ar := &q.ar
	switch name := string(q.name()); name {
	case "id":
		ar.Number = q.uint32()
	case "name":
		ar.Name = q.str()
	case "owner":
		ar.Owner = q.str()
	case "state":
		ar.State = q.str()
	case "start_time":
		ar.Start = q.time()
	case "submission_time":
		ar.Submitted = q.time()
	case "end_time":
		ar.End = q.time()
	case "duration":
		text := q.text()
		d, err := model.ParseInterval(string(text))
		if err != nil {
			q.bad(text, errSyntax)
		}
		ar.Duration = d
	case "resource_list":
		q.readRequests()
	case "granted_slots_list":
		q.readGranted()
	case "granted_parallel_environment":
		q.readPE()
	case "mail_list", "acl_list", "xacl_list":
		for d := q.depth(); q.child(d); {
			user, host := q.attribute("user"), q.attribute("host")
			if host != "" {
				user += "@" + host
			}
			q.setting(name, user)
		}
	default:
		q.setting(name, q.str())
	}
}

// setting keeps what has no field of its own.
func (q *qrstatReader) setting(name, value string) {
	q.ar.Settings = append(q.ar.Settings, model.Setting{Name: name, Value: value})
}

// readRequests reads the resources that the reservation asked for; the attribute named type holds the value.
func (q *qrstatReader) readRequests() {
	for d := q.depth(); q.child(d); {
		c := model.Request{Resource: q.attribute("name"), Value: q.attribute("type"), Contribution: nan}
		c.Amount = q.r.amount(c.Resource, c.Value)
		q.ar.Requests = append(q.ar.Requests, c)
	}
}

func (q *qrstatReader) readGranted() {
	for d := q.depth(); q.child(d); {
		g := model.Grant{Instance: q.attribute("queue_instance")}
		printed := q.attribute("slots")
		if g.Slots = digits(printed); printed == "" || len(printed) > 9 || g.Slots < 0 {
			q.note([]byte(printed), fmt.Errorf("slots: %w", errSyntax))
		}
		q.ar.Granted = append(q.ar.Granted, g)
	}
}

func (q *qrstatReader) readPE() {
	for d := q.depth(); q.child(d); {
		switch name := string(q.name()); name {
		case "parallel_environment":
			q.ar.PE = q.str()
		default:
			q.setting(name, q.str())
		}
	}
}
