package gridengine

import (
	"fmt"

	"qprism/engine/model"
)

// readQrstat reads what qrstat -xml printed: advance reservations, one line of each with -u, and all of each with -ar.
func readQrstat(r *reader, _ *clusterTable) error {
	return r.readXML("qrstat.xml", func(x *xmlFile) error {
		x.bareAmpersand = true
		q := &qrstatReader{xmlFile: x}
		for x.child(1) {
			if string(x.name()) != "ar_summary" {
				x.unknown()
				continue
			}
			if err := q.readReservation(); err != nil {
				return err
			}
		}
		return x.err
	}, "qrstat")
}

type qrstatReader struct {
	*xmlFile
	ar model.AdvanceReservation
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
		q.r.Snap.Reserved = append(q.r.Snap.Reserved, q.ar)
	}
	return err
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
