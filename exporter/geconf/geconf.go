// Package geconf writes the configuration of a Grid Engine cell in the form in which qconf prints it and takes it back:
// sched_conf(5), complex(5), share_tree(5), user(5), project(5), sge_resource_quota(5), sge_pe(5), and a script that installs it.
package geconf

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"qprism/engine/model"
)

// A File is a file to be installed.
type File struct {
	Name  string // "sched_conf"; with a folder, "users/alice"
	About string // what it is for, in a few words
	Text  []byte
}

// Script installs the files.
const Script = "install.sh"

//go:embed install.sh
var script []byte

// Files are the files of a cell. Of sched_conf, the complex and the global configuration there is only what is to be set: the
// script keeps all else. A name that cannot be written is an error.
func Files(s *model.Snapshot) ([]File, error) {
	w := &writer{}
	w.add("sched_conf", "weights, half-life and reservations of the scheduler's configuration", schedConf(&s.Policy))
	if len(s.Resources) > 0 {
		w.add("complex", "entries of the complex with their urgencies", w.complex(s.Resources))
	}
	if s.ShareTree != nil {
		w.add("share_tree", "the share tree", w.shareTree(s.ShareTree))
	}
	for i := range s.Projects {
		w.add("projects/"+w.file(s.Projects[i].Name), "a project of the share tree", w.project(&s.Projects[i]))
	}
	for i := range s.Users {
		w.add("users/"+w.file(s.Users[i].Name), "a user with shares or tickets", w.user(&s.Users[i]))
	}
	for i := range s.PEs {
		w.add("pes/"+w.file(s.PEs[i].Name), "what jobs of several processors ask for", w.pe(&s.PEs[i]))
	}
	for i := range s.Quotas {
		w.add("rqs/"+w.file(s.Quotas[i].Name), "limits", w.quota(&s.Quotas[i]))
	}
	if len(s.Config.Global) > 0 {
		w.add("global", "what is to be set in the global configuration", w.settings(s.Config.Global))
	}
	for i := range s.Hosts {
		if h := &s.Hosts[i]; h.Name == model.GlobalHost {
			w.add("global_host", "resources of the global host", w.settings(h.Capacity))
		}
	}
	w.add(Script, "installs all of it with qconf; run it as a manager", script)
	return w.files, w.err
}

type writer struct {
	files []File
	err   error
}

func (w *writer) add(name, about string, text []byte) {
	w.files = append(w.files, File{name, about, text})
}

// word is a name or value that stands in a file as it is: qconf ends it at a blank.
func (w *writer) word(text string) string {
	if w.err == nil && (text == "" || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) || r == ' ' || r == '\uFFFD' })) {
		w.err = fmt.Errorf("the name %q cannot be written for qconf", text)
	}
	return text
}

// file is the name of an object as that of a file, which has letters that no shell and no folder minds.
func (w *writer) file(name string) string {
	w.word(name)
	plain := func(r rune) bool {
		return r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r)) || strings.ContainsRune("_@+=,", r)
	}
	var b strings.Builder
	for i, r := range name {
		if plain(r) && r != '+' || i > 0 && (r == '.' || r == '-') {
			b.WriteRune(r)
			continue
		}
		fmt.Fprintf(&b, "+%x", r)
	}
	return b.String()
}

// lines are keys and values in columns, as qconf prints them.
func lines(width int, list []model.Setting) []byte {
	var b strings.Builder
	for _, s := range list {
		fmt.Fprintf(&b, "%-*s %s\n", width, s.Name, s.Value)
	}
	return []byte(b.String())
}

func (w *writer) settings(list []model.Setting) []byte {
	for _, s := range list {
		w.word(s.Name)
		w.word(s.Value)
	}
	return lines(28, list)
}

// schedConf is sched_conf(5), as far as it orders jobs or limits them: how often the scheduler runs, how it looks at load and what
// it records is the site's own business, and stays as it is.
func schedConf(p *model.Policy) []byte {
	return lines(33, []model.Setting{
		{Name: "maxujobs", Value: strconv.Itoa(p.MaxUserJobs)}, {Name: "halftime", Value: strconv.FormatInt(int64(p.HalfTime.Hours()), 10)},
		{Name: "usage_weight_list", Value: amounts(p.UsageWeights)}, {Name: "compensation_factor", Value: six(p.CompensationFactor)},
		{Name: "weight_user", Value: six(p.WeightUser)}, {Name: "weight_project", Value: six(p.WeightProject)}, {Name: "weight_department", Value: six(p.WeightDepartment)},
		{Name: "weight_job", Value: six(p.WeightJob)}, {Name: "weight_tickets_functional", Value: unsigned(p.FunctionalTickets)}, {Name: "weight_tickets_share", Value: unsigned(p.ShareTreeTickets)},
		{Name: "share_override_tickets", Value: truth(p.ShareOverrideTickets)}, {Name: "share_functional_shares", Value: truth(p.ShareFunctionalShares)},
		{Name: "report_pjob_tickets", Value: truth(p.ReportPendingTickets)}, {Name: "halflife_decay_list", Value: "none"}, {Name: "policy_hierarchy", Value: orNone(p.Hierarchy)},
		{Name: "weight_ticket", Value: six(p.WeightTicket)}, {Name: "weight_waiting_time", Value: six(p.WeightWaitingTime)}, {Name: "weight_deadline", Value: six(p.WeightDeadline)},
		{Name: "weight_urgency", Value: six(p.WeightUrgency)}, {Name: "weight_priority", Value: six(p.WeightPriority)}, {Name: "max_reservation", Value: strconv.Itoa(p.MaxReservation)},
		{Name: "default_duration", Value: duration(p.DefaultDuration)},
	})
}

func six(v float64) string     { return strconv.FormatFloat(v, 'f', 6, 64) }
func unsigned(n uint32) string { return strconv.FormatUint(uint64(n), 10) }

func truth(v bool) string {
	if v {
		return "TRUE"
	}
	return "FALSE"
}

func orNone(text string) string {
	if text == "" {
		return "NONE"
	}
	return text
}

// clock is a time as "2:0:0".
func clock(d time.Duration) string {
	s := int64(d / time.Second)
	return fmt.Sprintf("%d:%d:%d", s/3600, s/60%60, s%60)
}

func duration(d time.Duration) string {
	if d == model.Forever {
		return "INFINITY"
	}
	return clock(d)
}

func settings(list []model.Setting, none string) string {
	if len(list) == 0 {
		return none
	}
	var parts []string
	for _, s := range list {
		parts = append(parts, s.Name+"="+s.Value)
	}
	return strings.Join(parts, ",")
}

func amounts(list []model.Amount) string {
	var parts []string
	for _, a := range list {
		parts = append(parts, a.Name+"="+six(a.Value))
	}
	return strings.Join(parts, ",")
}

// complex is complex(5), as far as entries are new or changed.
func (w *writer) complex(list []model.Resource) []byte {
	var b strings.Builder
	b.WriteString("#name shortcut type relop requestable consumable default urgency\n")
	for _, r := range list {
		for i, cell := range []string{r.Name, r.Shortcut, string(r.Type), string(r.Relop), string(r.Requestable), string(r.Consumable), r.Default, r.Urgency} {
			if i > 0 {
				b.WriteByte(' ')
			}
			fmt.Fprintf(&b, "%-*s", []int{19, 10, 9, 5, 11, 10, 8, 1}[i], w.word(cell))
		}
		b.WriteByte('\n')
	}
	return []byte(b.String())
}

// shareTree is share_tree(5): a node before those below it, children by number.
func (w *writer) shareTree(root *model.ShareNode) []byte {
	nodes := []*model.ShareNode{root}
	for i := 0; i < len(nodes); i++ {
		nodes = append(nodes, nodes[i].Children...)
	}
	var b strings.Builder
	next := 1
	for i, n := range nodes {
		kind, children := 0, make([]string, 0, len(n.Children))
		if n.Project {
			kind = 1
		}
		for range n.Children {
			children = append(children, strconv.Itoa(next))
			next++
		}
		list := strings.Join(children, ",")
		fmt.Fprintf(&b, "id=%d\nname=%s\ntype=%d\nshares=%d\nchildnodes=%s\n", i, w.word(n.Name), kind, n.Shares, orNone(list))
	}
	return []byte(b.String())
}

func (w *writer) user(u *model.User) []byte {
	project := orNone(u.DefaultProject)
	return lines(0, []model.Setting{{Name: "name", Value: w.word(u.Name)}, {Name: "oticket", Value: unsigned(u.OverrideTickets)}, {Name: "fshare", Value: unsigned(u.FunctionalShares)},
		{Name: "delete_time", Value: "0"}, {Name: "default_project", Value: w.word(project)}})
}

func (w *writer) project(p *model.Project) []byte {
	return lines(0, []model.Setting{{Name: "name", Value: w.word(p.Name)}, {Name: "oticket", Value: unsigned(p.OverrideTickets)}, {Name: "fshare", Value: unsigned(p.FunctionalShares)},
		{Name: "acl", Value: "NONE"}, {Name: "xacl", Value: "NONE"}})
}

func (w *writer) pe(p *model.PE) []byte {
	return lines(18, []model.Setting{{Name: "pe_name", Value: w.word(p.Name)}, {Name: "slots", Value: strconv.Itoa(p.Slots)}, {Name: "user_lists", Value: "NONE"}, {Name: "xuser_lists", Value: "NONE"},
		{Name: "start_proc_args", Value: "NONE"}, {Name: "stop_proc_args", Value: "NONE"}, {Name: "allocation_rule", Value: w.word(p.AllocationRule)},
		{Name: "control_slaves", Value: truth(p.ControlSlaves)}, {Name: "job_is_first_task", Value: truth(p.JobIsFirstTask)}, {Name: "urgency_slots", Value: w.word(p.UrgencySlots)},
		{Name: "accounting_summary", Value: "FALSE"}, {Name: "qsort_args", Value: "NONE"}})
}

// quota is sge_resource_quota(5).
func (w *writer) quota(q *model.QuotaSet) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "{\n   name         %s\n   description  \"%s\"\n   enabled      %s\n", w.word(q.Name), strings.Map(harmless, q.Description), truth(q.Enabled))
	for _, r := range q.Rules {
		b.WriteString("   limit        ")
		for _, f := range []struct {
			name string
			model.QuotaFilter
		}{{"users", r.Users}, {"projects", r.Projects}, {"pes", r.PEs}, {"queues", r.Queues}, {"hosts", r.Hosts}} {
			if f.Set {
				b.WriteString(f.name + " " + w.filter(f.QuotaFilter) + " ")
			}
		}
		b.WriteString("to " + w.word(settings(r.Limits, "")) + "\n")
	}
	b.WriteString("}\n")
	return []byte(b.String())
}

func harmless(r rune) rune {
	if r == '"' || !unicode.IsPrint(r) {
		return ' '
	}
	return r
}

func (w *writer) filter(f model.QuotaFilter) string {
	list := slices.Clone(f.Include)
	for _, x := range f.Exclude {
		list = append(list, "!"+x)
	}
	for _, name := range list {
		if strings.ContainsAny(name, ",{}") && w.err == nil {
			w.err = fmt.Errorf("the name %q cannot be written in a quota", name)
		}
		w.word(name)
	}
	text := strings.Join(list, ",")
	if f.Each {
		return "{" + text + "}"
	}
	return text
}
