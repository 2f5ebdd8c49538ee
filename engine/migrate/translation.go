// Package migrate translates the policy of a Grid Engine cluster to PBS: its queues, hosts, complex, quotas, lists, share
// tree and scheduler configuration become the objects and files of a PBS server, and every line of every file of the bundle is
// accounted for: what it became, how well, and what to do where PBS has nothing like it.
package migrate

import "qprism/engine/model"

// A Translation is one Grid Engine cluster in PBS's words.
type Translation struct {
	From  *model.Snapshot // the newest of the history: the one that was translated
	To    *model.Snapshot // the PBS cluster: Resources, Queues, Hosts and PBS, no jobs; what an administrator would install
	Hooks []Hook          // hooks of the server, in the order in which they run

	Names  Names   // Grid Engine names that PBS has in another spelling
	Ledger []Entry // every line of every file, file by file
	Steps  []Step  // what is to be done besides, by hand or by cron
}

// A Line is one logical line of a file of the bundle.
type Line struct {
	File   string // "queues/all.q.txt"
	Number int    // of its first physical line, from 1
	Count  int    // of physical lines, more than 1 where it is continued or where lines of one kind are told of together
	Kind   string // of what the file holds: "queue", "host", "sched_conf" …, empty where no parser knows the file
	Object string // whose line it is: "all.q", "node01", "/P1/alice" of the share tree; empty where a file is one object
	Key    string // "seq_no"; empty for blank lines and comments
	Value  string
	Text   string // as it stands in the file, shortened where it is very long
}

// A Verdict says how well a line was translated.
type Verdict string

// The verdicts. NoRule is the loud one: nothing handles the line, and a person has to look at it.
const (
	Exact       Verdict = "exact"
	Approximate Verdict = "approximate"
	Lost        Verdict = "lost"
	NoEffect    Verdict = "no effect"
	NoRule      Verdict = "no rule"
)

// Verdicts are all of them, in the order in which they are reported.
var Verdicts = []Verdict{Exact, Approximate, Lost, NoEffect, NoRule}

// An Entry is what became of a line.
type Entry struct {
	Line
	Concept string // what the line is about, for the headings of a report: "resource quota sets"
	Verdict Verdict
	Into    string // what it became: "set server max_run = [u:PBS_GENERIC=4]"; empty where it became nothing
	Note    string // approximate: how, and a bound on the error; lost: what to do instead; no effect: why
}

// Count is how many entries have each verdict.
func Count(ledger []Entry) map[Verdict]int {
	n := map[Verdict]int{}
	for _, e := range ledger {
		n[e.Verdict] += max(1, e.Line.Count)
	}
	return n
}

// A Hook is a PBS hook (pbs_hook_attributes(7B)) with its text.
type Hook struct {
	Name   string
	Event  string // "queuejob,modifyjob"
	About  string // what it does, in a sentence
	Python string
}

// A Step is something to be done that no file does by itself.
type Step struct {
	What    string // a sentence
	Command string // a line for a shell; empty where there is none
	Cron    string // "*/5 * * * *" where it is to be repeated; empty for once
}

// Names are the names that had to change, kind by kind, in the order in which they were met.
type Names []Renaming

// A Renaming is a Grid Engine name and its spelling in PBS. It can be taken back: no two names of a kind get one spelling.
type Renaming struct {
	Kind     string // "queue", "resource", "host", "user", "node of the share tree" …
	From, To string
	Why      string
}

// Translate translates the newest snapshot of a cluster; lines are those of its bundle's files. The formula that orders jobs
// is not part of it: Use adds the one that was chosen.
func Translate(s *model.Snapshot, lines []Line) *Translation {
	return &Translation{From: s, To: &model.Snapshot{System: model.PBSSystem, PBS: &model.PBS{}}}
}

// Jobs is the translated cluster with the jobs of a snapshot, as they would have been submitted to it: requests, select and
// place, priority, queue, what runs where. The proof of a formula, and forecasts, are made on it. The snapshot may be any of
// the cluster's history.
func (t *Translation) Jobs(s *model.Snapshot) *model.Snapshot {
	to := *t.To
	return &to
}

// Use makes a formula that of the cluster, with all that it needs.
func (t *Translation) Use(f Formula) {
	t.To.PBS.Formula = f.Text
}

// PBS is the PBS spelling of a Grid Engine name.
func (n Names) PBS(kind, name string) string {
	for _, r := range n {
		if r.Kind == kind && r.From == name {
			return r.To
		}
	}
	return name
}

// A Formula is a job_sort_formula and all that it needs to be evaluated for every job.
type Formula struct {
	Text      string           // empty for none
	Resources []model.Resource // custom resources that it reads, and that the cluster does not have without it
	Feeds     []Feed           // who gives them their values
	Eligible  bool             // it reads eligible_time: eligible_time_enable has to be on
	Fairshare bool             // it reads fairshare numbers: usage has to be charged
	Steps     []Step           // what refreshes its constants, and other things to do
}

// A Feed gives each job a value of a resource when it is submitted or altered.
type Feed struct {
	Resource string
	By       string           // what the value depends on: "user", "project", "group", or the name of a resource
	Values   map[string]int64 // the value for each
	Default  int64            // for all others
}
