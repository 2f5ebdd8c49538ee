package migrate

import (
	"slices"

	"qprism/engine/model"
)

// A Translation is one Grid Engine cluster as a PBS cluster.
type Translation struct {
	From *model.Snapshot // the translated snapshot: the newest of the history
	// the PBS cluster to install: Resources, Queues, Hosts and PBS, without jobs
	To     *model.Snapshot
	Submit model.PBSSubmission // what the hook does with each submitted job
	Hooks  []model.PBSHook     // further hooks, for the formula

	Names  Names   // Grid Engine names with another PBS name
	Ledger []Entry // every line of every file, file by file
	Steps  []Step  // further work, by hand or by cron

	lines   []model.Line
	said    map[place]*saying
	made    maker
	options map[string]string // of the formula, see there
}

// Translates reports whether qprism can translate the snapshot's system.
func Translates(s *model.Snapshot) bool { return s.System == model.GridEngine }

// Translate translates the newest snapshot of a history, which is its last. lines are those of its bundle's
// files. The formula that orders jobs is not included; Use adds it.
func Translate(history []*model.Snapshot, lines []model.Line) *Translation {
	t := newTranslation(history, lines)
	for _, step := range []func(*Translation){
		defaults,         // what every PBS server has
		translateComplex, // custom resources
		translateHosts,   // nodes, and what the global host has for all
		translateQueues,  // queues, and on which nodes their jobs run
		translatePEs,     // what becomes of -pe
		translateQuotas,  // limits
		translateLists,   // managers, access lists, users, projects
		translateTree,    // resource_group
		translatePolicy,  // sched_config
		translateConf,    // server attributes
		translateCalendars,
	} {
		step(t)
	}
	t.account()
	return t
}

func newTranslation(history []*model.Snapshot, lines []model.Line) *Translation {
	from := history[len(history)-1]
	t := &Translation{
		From: from,
		To: &model.Snapshot{System: model.PBSSystem, Cluster: from.Cluster, TakenAt: from.TakenAt,
			Location: from.Location, PBS: &model.PBS{}},
		lines: lines,
		said:  map[place]*saying{},
	}
	t.made = newMaker(history)
	return t
}

// Use adds a formula to the cluster, with all its parts. Its ledger entries replace earlier ones.
func (t *Translation) Use(f Formula) {
	pbs := t.To.PBS
	pbs.Formula = f.Text
	if f.Text != "" {
		t.setScheduler("job_sort_formula", f.Text)
	}
	for _, r := range f.Resources {
		t.addResource(r)
	}
	for _, s := range f.Server {
		t.setServer(s.Name, s.Value)
	}
	for _, s := range f.Sched {
		t.setSched(s.Name, s.Value)
	}
	if len(f.Groups) > 0 {
		pbs.Fairshare.Groups = slices.Clone(f.Groups)
	}
	t.Hooks, t.options = append(t.Hooks, f.Hooks...), f.Options
	t.Steps = append(t.Steps, f.Steps...)
	for _, s := range f.Says {
		t.replace(s)
	}
	t.account()
}

// replace says something else of lines that have an effect: what is 0 or off stays without.
func (t *Translation) replace(s Says) {
	if s.Kind == "complex" && s.Key == urgencyColumn {
		t.made.urgency = saying{s.Verdict, appendNew(nil, s.Into), appendNew(nil, s.Note)}
		return
	}
	if _, known := t.made.belong[s.Key]; known && s.Kind == "userset" {
		t.made.belong[s.Key] = saying{s.Verdict, appendNew(nil, s.Into), appendNew(nil, s.Note)}
		return
	}
	for p, old := range t.said {
		if p.kind == s.Kind && p.key == s.Key && (p.object == s.Object || s.Object == "*") && old.verdict != NoEffect {
			*old = saying{s.Verdict, appendNew(nil, s.Into), appendNew(nil, s.Note)}
		}
	}
}

// A Formula is a job_sort_formula and all its parts.
type Formula struct {
	Name      string
	Text      string                // for job_sort_formula; empty for none
	Resources []model.Resource      // custom resources in the formula
	Server    []model.Setting       // server attributes: eligible_time_enable
	Sched     []model.Setting       // options of sched_config: fair_share, fairshare_usage_res
	Groups    []model.ResourceGroup // resource_group; empty to keep the translated one
	Hooks     []model.PBSHook       // set resources when jobs are submitted
	Steps     []Step                // refresh constants, and other work
	Options   map[string]string     // resources that replace options of Grid Engine's qsub: "-dl"
	Says      []Says                // ledger entries for the lines that it covers
}

// Says is a formula's ledger entry for the lines with a kind of file, object and key. Object "*" means all
// objects. For the complex, the key "urgency" is the column of that name.
type Says struct {
	Kind, Object, Key string // "sched_conf", "", "weight_urgency"
	Verdict           Verdict
	Into, Note        string
}

// A Step is work that no file does by itself.
type Step struct {
	What    string // a sentence
	Command string // lines for a shell; empty for none
	Cron    string // "*/5 * * * *" if it is to be repeated; empty for once
}
