package gridengine

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"qprism/engine/model"
)

const shareMon = "sge_share_mon.txt"

// shareFields are the fields of a node that sge_share_mon prints, in their order.
var shareFields = []string{
	"curr_time", "usage_time", "node_name", "user_name", "project_name", "shares", "job_count", "level%", "total%",
	"long_target_share", "short_target_share", "actual_share", "usage", "cpu", "mem", "io", "ltcpu", "ltmem", "ltio",
}

// readUsage reads what sge_share_mon printed: the nodes of the share tree, and the usage of the users and projects in it.
//
// Each line is a node, its fields ended by tabs, with their names before them (-n) or without; a header names them (-h).
// A user's node outside of projects shows the user's own usage, one inside a project the user's usage in that project,
// and a project's node the project's.
func readUsage(r *reader) error {
	u := &usageReader{reader: r, order: shareFields, users: map[string]int{}, projects: map[string]int{}}
	for i, user := range r.Snap.Users {
		u.users[user.Name] = i
	}
	for i, project := range r.Snap.Projects {
		u.projects[project.Name] = i
	}
	if err := r.EachLine(shareMon, u.line); err != nil {
		return err
	}
	u.attribute()
	return nil
}

type usageReader struct {
	*reader
	order           []string // of the fields
	users, projects map[string]int
}

// line reads a node. What sge_share_mon says where there is no share tree is no node, and no error.
func (u *usageReader) line(number int, text []byte) error {
	list := strings.Split(strings.TrimSuffix(string(text), "\t"), "\t")
	switch {
	case strings.TrimSpace(string(text)) == "":
		return nil
	case list[0] == "curr_time":
		u.order = list
		return nil
	case len(list) == 1:
		u.Unknown(shareMon, number, "line", string(text))
		return nil
	}
	n, err := u.node(number, list)
	if err != nil {
		return u.Problem(shareMon, number, string(text), err)
	}
	u.Snap.ShareReport = append(u.Snap.ShareReport, n)
	return nil
}

func (u *usageReader) node(number int, list []string) (n model.ShareReport, err error) {
	named := strings.HasPrefix(list[0], "curr_time=")
	if !named && len(list) != len(u.order) {
		return n, fmt.Errorf("%d fields, not %d", len(list), len(u.order))
	}
	for i, field := range list {
		name, value := "", field
		if named {
			name, value, _ = strings.Cut(field, "=")
		} else {
			name = u.order[i]
		}
		if err := u.field(&n, number, name, value); err != nil {
			return n, fmt.Errorf("%s: %w", name, err)
		}
	}
	if n.Path == "" {
		return n, errors.New("node_name: missing")
	}
	return n, nil
}

func (u *usageReader) field(n *model.ShareReport, number int, name, value string) (err error) {
	switch name {
	case "curr_time":
		n.At, err = parseUnix(value)
	case "usage_time":
		n.UsageAt, err = parseUnix(value)
	case "node_name":
		n.Path = value
	case "user_name":
		n.User = value
	case "project_name":
		n.Project = value
	case "shares":
		n.Shares, err = parseCount(value)
	case "job_count":
		var c uint32
		c, err = parseCount(value)
		n.JobCount = int(c)
	default:
		into := shareValue(n, name)
		if into == nil {
			u.Unknown(shareMon, number, name, value)
			return nil
		}
		if *into, err = strconv.ParseFloat(value, 64); err != nil {
			err = errSyntax
		}
	}
	return err
}

// shareValue is where the value of that name belongs, nil for none.
func shareValue(n *model.ShareReport, name string) *float64 {
	switch name {
	case "level%":
		return &n.Level
	case "total%":
		return &n.Total
	case "long_target_share":
		return &n.LongTarget
	case "short_target_share":
		return &n.ShortTarget
	case "actual_share":
		return &n.ActualShare
	case "usage":
		return &n.Usage
	case "cpu":
		return &n.CPU
	case "mem":
		return &n.Mem
	case "io":
		return &n.IO
	case "ltcpu":
		return &n.LongCPU
	case "ltmem":
		return &n.LongMem
	case "ltio":
		return &n.LongIO
	}
	return nil
}

func parseCount(value string) (uint32, error) {
	n, err := strconv.ParseUint(value, 10, 32)
	if err != nil {
		return 0, errSyntax
	}
	return uint32(n), nil
}

// attribute gives the usage of the nodes to the users and projects that it is of. One that the configuration in the
// bundle does not know exists nevertheless, or sge_share_mon would not name it.
func (u *usageReader) attribute() {
	for i := range u.Snap.ShareReport {
		n := &u.Snap.ShareReport[i]
		last := n.Path[strings.LastIndexByte(n.Path, '/')+1:]
		decayed := []model.Amount{{Name: "cpu", Value: n.CPU}, {Name: "mem", Value: n.Mem}, {Name: "io", Value: n.IO}}
		longTerm := []model.Amount{{Name: "cpu", Value: n.LongCPU}, {Name: "mem", Value: n.LongMem}, {Name: "io", Value: n.LongIO}}
		switch {
		case n.User != "" && n.Project != "":
			user := u.user(n.User)
			stamp(&user.Usage.At, n.UsageAt)
			user.Projects = append(user.Projects, model.ProjectUsage{Project: n.Project, Decayed: decayed, LongTerm: longTerm})
		case n.User != "" && n.User == last:
			user := u.user(n.User)
			stamp(&user.Usage.At, n.UsageAt)
			user.Usage.Decayed, user.Usage.LongTerm = decayed, longTerm
		case n.Project != "" && n.Project == last:
			project := u.project(n.Project)
			stamp(&project.Usage.At, n.UsageAt)
			project.Usage.Decayed, project.Usage.LongTerm = decayed, longTerm
		}
	}
}

// stamp notes the moment of usage, where a node shows it.
func stamp(at *time.Time, shown time.Time) {
	if !shown.IsZero() {
		*at = shown
	}
}

func (u *usageReader) user(name string) *model.User {
	place, known := u.users[name]
	if !known {
		place = len(u.Snap.Users)
		u.users[name] = place
		u.Snap.Users = append(u.Snap.Users, model.User{Name: name})
	}
	return &u.Snap.Users[place]
}

func (u *usageReader) project(name string) *model.Project {
	place, known := u.projects[name]
	if !known {
		place = len(u.Snap.Projects)
		u.projects[name] = place
		u.Snap.Projects = append(u.Snap.Projects, model.Project{Name: name})
	}
	return &u.Snap.Projects[place]
}
