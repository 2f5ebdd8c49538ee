package synthesis

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	tools "qprism/fixtures/needs"

	"qprism/engine/model"
	"qprism/engine/pbs/fairshare"
)

// python runs the programs of candidates with a stand-in for the server.
func python(t *testing.T, cases []map[string]any, results any) {
	t.Helper()
	path := tools.Program(t, "python3", "the programs of a migration")
	in, err := json.Marshal(cases)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(path, "-B", "testdata/run.py")
	var out, complaints bytes.Buffer
	c.Stdin, c.Stdout, c.Stderr = bytes.NewReader(in), &out, &complaints
	if err := c.Run(); err != nil {
		t.Fatalf("%v: %s", err, complaints.String())
	}
	if err := json.Unmarshal(out.Bytes(), results); err != nil {
		t.Fatal(err)
	}
}

// asked is what a job asks for, as PBS prints it.
func asked(r *resident, s *model.Snapshot, number uint32) map[string]any {
	list := map[string]any{"ncpus": int(r.slots), "qp_share": r.jobShare, "qp_override": r.override}
	for i := range s.Jobs {
		if s.Jobs[i].Number == number {
			for _, h := range s.Jobs[i].Hard {
				list[h.Resource] = h.Value
			}
		}
	}
	return list
}

// renewedOf makes the renewed candidate of a whole history, for its program.
func renewedOf(h History) *Candidate {
	return newBench(h, translated(h), resourcesOf(h)).frozen(NeedsJob)
}

// treeOf is what pbsfs -p prints on the cluster of a candidate.
func treeOf(c *Candidate, census *census) string {
	if !c.tree {
		return ""
	}
	return fairshare.Build(filesOf(census.tree, c.usage)).List("cput")
}

// A renewal is the formula that a cron script sets, with marks, and the constants that the proof counts on.
type renewal struct {
	pattern string
	values  map[string]float64
}

func (c *Candidate) sets(run Run) renewal {
	r := renewal{pattern: c.on.pattern(), values: map[string]float64{}}
	for _, f := range c.renewed(run).Frozen {
		r.values[f.Name] = f.Value
	}
	return r
}

var mark = regexp.MustCompile(`\\\{([a-z_]+)\\\}`)

// check holds a line of the program against it. The range of urgencies is not compared: these jobs ask for none.
func (r renewal) check(line string) error {
	if r.pattern == "" {
		if line != "" {
			return fmt.Errorf("the formula needs no renewal, but: %s", line)
		}
		return nil
	}
	pattern := regexp.QuoteMeta(r.pattern)
	marks := mark.FindAllStringSubmatch(pattern, -1)
	found := regexp.MustCompile(mark.ReplaceAllString(pattern, `([-+.e0-9]+)`)).FindStringSubmatch(line)
	if found == nil {
		return fmt.Errorf("it sets %q, which is no %s", line, r.pattern)
	}
	for i, m := range marks {
		got, err := strconv.ParseFloat(found[i+1], 64)
		if want := r.values[m[1]]; err != nil || m[1] != "urgency_range" && math.Abs(got-want) > 2e-5*math.Abs(want) {
			return fmt.Errorf("%s is set to %s, the proof counts on %v", m[1], found[i+1], want)
		}
	}
	return nil
}

// TestThePeriodicJobSetsWhatTheProofCountsOn runs the written program over the jobs of recorded runs: each
// qalter has the numbers with which the proof was made.
func TestThePeriodicJobSetsWhatTheProofCountsOn(t *testing.T) {
	var cases []map[string]any
	var wants []map[string]string
	var formulas []renewal
	for _, name := range []string{"prio-2", "share-2", "dispatch-2", "dispatch-8", "essc-departments",
		"n1ge-usecase1-sharetree"} {
		h := recorded(t, name)
		c := renewedOf(h)
		run, census := h[len(h)-1], takeCensus(h)
		jobs, want := map[string]any{}, map[string]string{}
		for _, state := range []string{"R", "Q"} {
			list := run.Lists.Running
			if state == "Q" {
				list = run.Lists.Pending
			}
			for _, e := range list {
				r := census.resident(e.Job)
				n := len(e.Tasks)
				if state == "Q" {
					n = 1
				}
				for i := range n {
					res := asked(r, run.Snapshot, e.Job.Number)
					res["qp_since"] = e.Job.Submitted.Unix() - c.on.epoch.Unix()
					jobs[fmt.Sprintf("%d.%s%d", e.Job.Number, state, i)] = map[string]any{"job_state": state, "euser": e.Job.Owner,
						"project": e.Job.Project, "Resource_List": res}
				}
			}
		}
		// a subjob that waits, and an array all of whose subjobs run
		for _, name := range []string{"9001[3].Q0", "9002[].Q0"} {
			jobs[name] = map[string]any{"job_state": "Q", "euser": run.Lists.Pending[0].Job.Owner,
				"array_state_count": "Queued:0 Running:2 Exiting:0 Expired:0",
				"Resource_List":     map[string]any{"ncpus": 1}}
		}
		for number, v := range amounts(c, h) {
			var sets []string
			// the server knows no other resource, and qalter then changes nothing
			for _, name := range []string{placeResource, ticketsResource} {
				if c.uses(name) {
					sets = append(sets, fmt.Sprintf("%s=%.0f", name, v[name]))
				}
			}
			if v[ticketsResource] != 0 || v[placeResource] != 0 {
				want[fmt.Sprintf("%d.Q0", number)] = strings.Join(sets, ",")
			}
		}
		cases = append(cases, map[string]any{"program": c.Refresh, "jobs": jobs, "now": run.At.Unix() - c.on.epoch.Unix(),
			"pbsfs": treeOf(c, census)})
		wants, formulas = append(wants, want), append(formulas, c.sets(run))
	}
	var lines [][]string
	python(t, cases, &lines)
	for i, want := range wants {
		got, set := map[string]string{}, ""
		for _, line := range lines[i] {
			words := strings.Fields(line)
			switch words[0] {
			case "qalter":
				got[words[3]] = words[2]
			case "qmgr":
				set = line
			}
		}
		if len(want) < 3 {
			t.Errorf("case %d: only %d jobs", i, len(want))
		}
		for _, id := range slices.Sorted(maps.Keys(want)) {
			if got[id] != want[id] {
				t.Errorf("case %d: job %s is set to %q, the proof counts on %q", i, id, got[id], want[id])
			}
		}
		if err := formulas[i].check(set); err != nil {
			t.Errorf("case %d: %v", i, err)
		}
		if len(got) != len(want) {
			t.Errorf("case %d: %d jobs are altered, want %d", i, len(got), len(want))
		}
	}
}

// TestTheHookSetsWhatTheProofCountsOn submits the jobs of a recorded history one after the other.
func TestTheHookSetsWhatTheProofCountsOn(t *testing.T) {
	var cases []map[string]any
	var wants []map[string]float64
	var names []string
	for _, name := range []string{"prio-2", "share-2", "dispatch-2", "essc-departments", "n1ge-usecase1-sharetree"} {
		h := recorded(t, name)
		c := newBench(h, translated(h), resourcesOf(h)).frozen(NeedsHook)
		run := h[len(h)-1]
		census := takeCensus(h)
		for _, r := range census.residents {
			r.started, r.until, r.aside = time.Time{}, time.Time{}, false // a queue that only fills
		}
		rules := newTicketRules(run.Snapshot)
		rules.freeze(run, census.accounts)
		others := []map[string]any{}
		census.atSubmission(rules, func(r *resident, met *population) {
			list := asked(r, run.Snapshot, r.number)
			delete(list, overrideResource)
			owner, project := r.names[ofUser], r.names[ofProject]
			want := map[string]float64{ticketsResource: math.RoundToEven(thousandth * (r.shared + r.functioned)),
				placeResource: 0,
				keyResource:   r.key}
			if r.node != "" {
				want[placeResource] = met.ahead(r) + 1
			}
			counts := c.uses(ticketsResource, placeResource)
			maps.DeleteFunc(want, func(name string, _ float64) bool { return !counts || !c.uses(name) })
			cases = append(cases, map[string]any{"program": c.Hook, "others": append([]map[string]any{}, others...),
				"job": map[string]any{"user": owner, "project": project, "Resource_List": list}})
			wants, names = append(wants, want), append(names, fmt.Sprintf("%s job %d", name, r.number))
			there := maps.Clone(list)
			there["qp_key"], there[overrideResource] = r.key, r.override
			others = append(others, map[string]any{"id": fmt.Sprintf("%d.pbs", r.number), "job_state": "Q",
				"Job_Owner": owner + "@host",
				"project":   project, "ctime": r.submitted.Unix(), "Resource_List": there})
		})
	}
	var got []map[string]any
	python(t, cases, &got)
	for i, want := range wants {
		for _, name := range []string{ticketsResource, placeResource, keyResource} {
			x, set := got[i][name].(float64)
			if w, wanted := want[name]; x != w || set != wanted {
				t.Errorf("%s: the hook sets %s to %v, the proof counts on %v (%v)", names[i], name, got[i][name], w, wanted)
			}
		}
	}
}

// TestADepartmentKnowsItsMembersByName, else by their first group, which the system knows at that moment;
// of users whom it does not know the history has to tell.
func TestADepartmentKnowsItsMembersByNameOrGroup(t *testing.T) {
	h := recorded(t, "essc-departments")
	for _, r := range h {
		for i := range r.Snapshot.Usersets {
			if u := &r.Snapshot.Usersets[i]; u.Name == "Privileged" {
				u.Entries = []string{"pri1", "@staff"} // not pri2, who was in it by name
			}
		}
		for i := range r.Snapshot.Jobs {
			if j := &r.Snapshot.Jobs[i]; j.Owner == "pri2" {
				j.Group = "staff"
			}
		}
	}
	for _, c := range []*Candidate{newBench(h, translated(h), resourcesOf(h)).frozen(NeedsHook), renewedOf(h)} {
		try := func(user string, groups map[string]string) map[string]any {
			return map[string]any{"program": c.Hook, "others": []any{}, "groups": groups,
				"job": map[string]any{"user": user, "project": nil, "Resource_List": map[string]any{}}}
		}
		cases := []map[string]any{try("pri1", map[string]string{"pri1": "users"}),
			try("new", map[string]string{"new": "staff"}),
			try("new", map[string]string{"new": "users"}),
			try("pri2", map[string]string{"pri2": "users"}), try("pri2", nil), try("grid1", map[string]string{"grid1": "staff"}),
			try("stranger", nil)}
		var got []map[string]any
		python(t, cases, &got)
		most, _ := got[0][ticketsResource].(float64)
		for i, in := range []bool{true, true, false, false, true, false, false} {
			if x, _ := got[i][ticketsResource].(float64); most < 1 || (x == most) != in {
				t.Errorf("%s, case %d: %v thousandths of tickets, one who is in the department has %v", c.Name, i, x, most)
			}
		}
	}
}

// TestOnlyDeadlineUsersMayAskForADeadline and what a hook cannot read keeps no job out.
func TestOnlyDeadlineUsersMayAskForADeadline(t *testing.T) {
	h := recorded(t, "prio-2")
	for i := range h[len(h)-1].Snapshot.Usersets {
		if u := &h[len(h)-1].Snapshot.Usersets[i]; u.Name == "deadlineusers" {
			// Grid Engine looks for no groups there (userset_is_deadline_user)
			u.Entries = append(slices.Clone(u.Entries), "@staff")
		}
	}
	c := newBench(h, translated(h), resourcesOf(h)).frozen(NeedsHook)
	try := func(user string, requests map[string]any) map[string]any {
		return map[string]any{"program": c.Hook, "others": []any{},
			"job": map[string]any{"user": user, "project": nil, "Resource_List": requests}}
	}
	var got []map[string]any
	python(t, []map[string]any{
		try("usr0", map[string]any{"qp_deadline": 60}), try("nobody", map[string]any{"qp_deadline": 60}),
		try("nobody", map[string]any{}),
		try("usr0", map[string]any{"select": "2:ncpus=2:gpu=1+1:ncpus=1", "scratch": "2gb"}),
	}, &got)
	for i, rejected := range []bool{false, true, false, false} {
		if _, was := got[i]["rejected"]; was != rejected {
			t.Errorf("case %d: %v", i, got[i])
		}
	}
	urgencies := map[string]float64{}
	for _, r := range h[0].Snapshot.Resources {
		urgencies[r.Name], _ = model.ParseNumber(r.Urgency)
	}
	want := 5*urgencies["slots"] + 2*urgencies["gpu"] + 5*2*(1<<30)*urgencies["scratch"]
	if r := slices.IndexFunc(h[0].Snapshot.Resources,
		func(r model.Resource) bool {
			return r.Name == "scratch"
		}); h[0].Snapshot.Resources[r].Consumable == model.ConsumeYes {
		want = 5*urgencies["slots"] + 2*urgencies["gpu"] + 2*(1<<30)*urgencies["scratch"]
	}
	if x, _ := got[3][urgencyResource].(float64); x != want {
		t.Errorf("urgency of a job of five processors is %v, want %v", got[3][urgencyResource], want)
	}
}

// TestFormulasReadWhatPBSCallsAResource, and leave out what PBS has nothing for.
func TestFormulasReadWhatPBSCallsAResource(t *testing.T) {
	h := recorded(t, "prio-2")
	for i := range h {
		s := *h[i].Snapshot
		s.Resources = append(slices.Clone(s.Resources),
			model.Resource{Name: "lic-a", Type: model.TypeInt, Consumable: model.ConsumeYes, Urgency: "3"},
			model.Resource{Name: "mem_total", Type: model.TypeMemory, Urgency: "5"},
			model.Resource{Name: "qname", Type: model.TypeInt, Urgency: "7"})
		h[i].Snapshot = &s
	}
	list := Candidates(h, translated(h), resourcesOf(h))
	if f := list[0].Formula; !strings.Contains(f, "3*lic_a") || !strings.Contains(f, "5120*mem") ||
		strings.Contains(f, "mem_total") || strings.Contains(f, "qname") {
		t.Errorf("plain reads %s", f)
	}
	hook := list[1].Hook
	if !strings.Contains(hook, `"lic_a":[3,"sum"]`) || !strings.Contains(hook, `"mem":[5120,"slots"]`) ||
		strings.Contains(hook, "mem_total") || strings.Contains(hook, `"qname":[`) {
		i := strings.Index(hook, `"urgency":`)
		t.Errorf("the hook knows %.200s", hook[max(i, 0):])
	}
}
