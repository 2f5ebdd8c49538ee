package records

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"qprism/engine/model"
	"qprism/importer/fields"
	"qprism/importer/gridengine/bundle"
)

const shareMon = "sge_share_mon.txt"

// shareFields are the fields of a node that sge_share_mon prints, in their order.
var shareFields = []string{
	"curr_time", "usage_time", "node_name", "user_name", "project_name", "shares", "job_count", "level%", "total%",
	"long_target_share", "short_target_share", "actual_share", "usage", "cpu", "mem", "io", "ltcpu", "ltmem", "ltio",
}

// ReadUsage reads the output of sge_share_mon: nodes of the share tree, and the usage of users and projects.
// Each line is one node, with tabs between its fields. Names stand before the values (-n), or in a header (-h).
func ReadUsage(b *bundle.Reader) error {
	r := &reader{b}
	u := newUsageReader(r)
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
	order           []string // order of the fields
	known           fields.Table
	report          model.ShareReport // the current node
	users, projects map[string]int
}

func newUsageReader(r *reader) *usageReader {
	u := &usageReader{reader: r, order: shareFields, users: map[string]int{}, projects: map[string]int{}}
	u.known = nodeReportFields(&u.report)
	return u
}

func nodeReportFields(n *model.ShareReport) fields.Table {
	name := func(into *string) fields.Field { return fields.Converted(into, strings.Clone).Holding(fields.Names) }
	return fields.Table{
		"curr_time":          fields.Parsed(&n.At, bundle.ParseUnix),
		"usage_time":         fields.Parsed(&n.UsageAt, bundle.ParseUnix),
		"node_name":          name(&n.Path),
		"user_name":          name(&n.User),
		"project_name":       name(&n.Project),
		"shares":             fields.Parsed(&n.Shares, parseCount),
		"job_count":          fields.Parsed(&n.JobCount, parseJobCount),
		"level%":             fields.Parsed(&n.Level, parseFloat),
		"total%":             fields.Parsed(&n.Total, parseFloat),
		"long_target_share":  fields.Parsed(&n.LongTarget, parseFloat),
		"short_target_share": fields.Parsed(&n.ShortTarget, parseFloat),
		"actual_share":       fields.Parsed(&n.ActualShare, parseFloat),
		"usage":              fields.Parsed(&n.Usage, parseFloat),
		"cpu":                fields.Parsed(&n.CPU, parseFloat),
		"mem":                fields.Parsed(&n.Mem, parseFloat),
		"io":                 fields.Parsed(&n.IO, parseFloat),
		"ltcpu":              fields.Parsed(&n.LongCPU, parseFloat),
		"ltmem":              fields.Parsed(&n.LongMem, parseFloat),
		"ltio":               fields.Parsed(&n.LongIO, parseFloat),
	}
}

func parseJobCount(value string) (int, error) {
	n, err := parseCount(value)
	return int(n), err
}

// line reads a node. The message of sge_share_mon without a share tree is no node, and no error.
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
	u.report = model.ShareReport{}
	for i, field := range list {
		name, value := "", field
		if named {
			name, value, _ = strings.Cut(field, "=")
		} else {
			name = u.order[i]
		}
		known, err := u.known.Read(name, value)
		if err != nil {
			return n, err
		}
		if !known {
			u.Unknown(shareMon, number, name, value)
		}
	}
	if u.report.Path == "" {
		return n, errors.New("node_name: missing")
	}
	return u.report, nil
}

func parseCount(value string) (uint32, error) {
	n, err := strconv.ParseUint(value, 10, 32)
	if err != nil {
		return 0, errSyntax
	}
	return uint32(n), nil
}

func parseFloat(value string) (float64, error) {
	n, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return 0, errSyntax
	}
	return n, nil
}

// attribute copies the usage of nodes to their users and projects. If the configuration in the bundle lacks
// one, it still exists, because sge_share_mon names it.
func (u *usageReader) attribute() {
	for i := range u.Snap.ShareReport {
		n := &u.Snap.ShareReport[i]
		last := n.Path[strings.LastIndexByte(n.Path, '/')+1:]
		decayed := []model.Amount{{Name: "cpu", Value: n.CPU}, {Name: "mem", Value: n.Mem}, {Name: "io", Value: n.IO}}
		longTerm := []model.Amount{{Name: "cpu", Value: n.LongCPU}, {Name: "mem", Value: n.LongMem},
			{Name: "io", Value: n.LongIO}}
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

// stamp notes the moment of usage, if a node shows it.
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
