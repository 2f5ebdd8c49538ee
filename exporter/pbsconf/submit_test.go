package pbsconf

import (
	"bytes"
	"encoding/json"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"qprism/fixtures/needs"

	"github.com/google/go-cmp/cmp"

	"qprism/engine/model"
)

// A submitted job, for the stand-in of the server.
type submitted struct {
	User   string              `json:"user"`
	Groups map[string][]string `json:"groups,omitempty"` // of the system's users, the first one first
	Job    jobText             `json:"job"`
	Old    *jobText            `json:"old,omitempty"` // as it was, where it is altered
}

type jobText struct {
	Requests map[string]string `json:"Resource_List"`
	Queue    string            `json:"queue,omitempty"`
	Project  string            `json:"project,omitempty"`
	Array    string            `json:"array,omitempty"`
}

// An outcome is what the hook made of it.
type outcome struct {
	Rejected string            `json:"rejected"`
	Requests map[string]string `json:"requests"`
	Queue    string            `json:"queue"`
	Project  string            `json:"project"`
	NoTop    string            `json:"topjob_ineligible"`
	Once     bool              `json:"once"`
}

// submit runs the hook over jobs.
func submit(t *testing.T, rules model.PBSSubmission, jobs ...submitted) (results []outcome) {
	t.Helper()
	python := needs.Program(t, "python3", "the hook")
	hook, err := SubmitHook(rules)
	if err != nil {
		t.Fatal(err)
	}
	in, err := json.Marshal(map[string]any{"program": hook.Python, "cases": jobs})
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(python, "-B", "testdata/run.py")
	var out, complaints bytes.Buffer
	c.Stdin, c.Stdout, c.Stderr = bytes.NewReader(in), &out, &complaints
	if err := c.Run(); err != nil {
		t.Fatalf("%v: %s", err, complaints.String())
	}
	if err := json.Unmarshal(out.Bytes(), &results); err != nil {
		t.Fatal(err)
	}
	return results
}

func TestTheHookDoesWhatTheRulesSay(t *testing.T) {
	rules := model.PBSSubmission{
		Default: "workq",
		Choices: []model.PBSChoice{{Resource: "immediate", Queue: "fast", Forced: true}, {Resource: "dull", Queue: "slow"}},
		Slots:   []model.PBSQueueSlots{{Queue: "slow", Resource: "slots_slow"}},
		Quotas: []model.PBSQuota{{Set: "one", Rules: []model.PBSQuotaRule{
			{Resource: "q1", Of: "ncpus", Users: model.PBSFilter{Include: []string{"alice", "bob"}}},
			{Resource: "q2", Of: "ncpus", Users: model.PBSFilter{Include: []string{"*"}, Exclude: []string{"root"}},
				Projects: model.PBSFilter{Include: []string{"*"}}},
			{Resource: "q3", Of: "lic", Queues: model.PBSFilter{Include: []string{"slow"}}},
		}}},
		Projects: []model.PBSGate{{Queue: "slow", Deny: []string{"secret"}}, {Queue: "fast", Allow: []string{"urgent"}}},
		Defaults: []model.PBSMember{{User: "carol", Project: "urgent"}},
		Timed:    []string{"timed"},
		Once:     []string{"once"},
		Soft:     3600, NoTop: true, Reserve: "reserve",
	}
	soft := map[string]string{"soft_walltime": "3600"}
	with := func(more map[string]string) map[string]string {
		all := map[string]string{}
		for _, m := range []map[string]string{soft, more} {
			for k, v := range m {
				all[k] = v
			}
		}
		return all
	}
	cases := map[string]struct {
		in   submitted
		want outcome
	}{
		"a job of no rule gets what the scheduler assumes": {submitted{User: "dave",
			Job: jobText{Requests: map[string]string{"select": "2:ncpus=2"}}},
			outcome{Requests: with(map[string]string{"select": "2:ncpus=2"}), NoTop: "True"}},
		"a walltime of its own stays alone": {submitted{User: "dave", Job: jobText{Requests: map[string]string{"walltime": "60"}}},
			outcome{Requests: map[string]string{"walltime": "60"}, NoTop: "True"}},
		"a queue with a walltime of its own assumes nothing": {submitted{User: "dave", Job: jobText{Queue: "timed"}},
			outcome{Requests: map[string]string{}, Queue: "timed", NoTop: "True"}},
		"a boolean comes as a number": {submitted{User: "dave", Job: jobText{Requests: map[string]string{"reserve": "1"}}},
			outcome{Requests: with(map[string]string{"reserve": "1"}), NoTop: "False"}},
		"who asks for a reservation gets one": {submitted{User: "dave", Job: jobText{Requests: map[string]string{"reserve": "True"}}},
			outcome{Requests: with(map[string]string{"reserve": "True"}), NoTop: "False"}},
		"a resource chooses the queue, and the default project opens it": {submitted{User: "carol@node01",
			Job: jobText{Requests: map[string]string{"immediate": "true", "ncpus": "2"}}},
			outcome{Requests: with(map[string]string{"immediate": "true", "ncpus": "2", "q2": "2"}),
				Queue: "fast", Project: "urgent",
				NoTop: "True"}},
		"a queue that has to be asked for refuses others": {submitted{User: "carol", Job: jobText{Queue: "fast"}},
			outcome{Rejected: "queue fast is for jobs that ask for immediate"}},
		"a queue refuses a project": {submitted{User: "dave", Job: jobText{Queue: "slow", Project: "secret"}},
			outcome{Rejected: "queue slow is not for project secret"}},
		"each chunk asks for its queue's slots": {submitted{User: "dave",
			Job: jobText{Queue: "slow", Requests: map[string]string{"select": "2:ncpus=3:mem=1gb+1:mem=2gb"}}},
			outcome{Requests: with(
				map[string]string{"select": "2:ncpus=3:mem=1gb:slots_slow=3+1:mem=2gb:slots_slow=1"}), Queue: "slow",
				NoTop: "True"}},
		"also a job without chunks": {submitted{User: "dave", Job: jobText{Queue: "slow", Requests: map[string]string{"ncpus": "4"}}},
			outcome{Requests: with(map[string]string{"ncpus": "4", "slots_slow": "4"}), Queue: "slow", NoTop: "True"}},
		"the first rule that fits is counted": {submitted{User: "alice",
			Job: jobText{Project: "p", Requests: map[string]string{"select": "3:ncpus=2"}}},
			outcome{Requests: with(map[string]string{"select": "3:ncpus=2", "q1": "6"}), Project: "p", NoTop: "True"}},
		"an exception fits nobody": {submitted{User: "root", Job: jobText{Project: "p"}},
			outcome{Requests: soft, Project: "p", NoTop: "True"}},
		"a queue that runs no job twice": {submitted{User: "dave", Job: jobText{Queue: "once"}},
			outcome{Requests: soft, Queue: "once", NoTop: "True", Once: true}},
		"but arrays have to be rerunnable": {submitted{User: "dave", Job: jobText{Queue: "once", Array: "1-5"}},
			outcome{Requests: soft, Queue: "once", NoTop: "True"}},
		"an altered job is counted anew": {submitted{User: "alice", Job: jobText{Requests: map[string]string{"select": "5:ncpus=1"}},
			Old: &jobText{Queue: "slow", Requests: map[string]string{"select": "1:ncpus=1:slots_slow=1",
				"q1": "1", "walltime": "5"}}},
			outcome{Requests: map[string]string{"select": "5:ncpus=1:slots_slow=1", "q1": "5"}, NoTop: "True"}},
		"an altered job that says nothing of it keeps its requests": {submitted{User: "dave",
			Job: jobText{Requests: map[string]string{"walltime": "9"}},
			Old: &jobText{Queue: "slow", Requests: map[string]string{"select": "1:ncpus=1:slots_slow=1"}}},
			outcome{Requests: map[string]string{"walltime": "9"}, NoTop: "True"}},
	}
	names := slices.Sorted(maps.Keys(cases))
	var jobs []submitted
	for _, name := range names {
		jobs = append(jobs, cases[name].in)
	}
	for i, got := range submit(t, rules, jobs...) {
		if diff := cmp.Diff(cases[names[i]].want, got); diff != "" {
			t.Errorf("%s: %s", names[i], diff)
		}
	}
}

// A filter by group counts a user's first group, in newer releases of Grid Engine further ones too.
func TestAFilterCountsTheGroupsThatGridEngineCounts(t *testing.T) {
	job := submitted{User: "erin", Groups: map[string][]string{"erin": {"staff", "chem"}}}
	for group, counts := range map[string][2]bool{"@staff": {true, true}, "@chem": {false, true},
		"@phys": {false, false}} {
		for further, want := range map[bool]bool{false: counts[0], true: counts[1]} {
			rules := model.PBSSubmission{Default: "workq", Further: further,
				Quotas: []model.PBSQuota{{Set: "one", Rules: []model.PBSQuotaRule{
					{Resource: "q1", Of: "ncpus", Users: model.PBSFilter{Include: []string{group}}}}}}}
			if got := submit(t, rules, job)[0].Requests["q1"] == "1"; got != want {
				t.Errorf("%s, further groups %v: counted %v, want %v", group, further, got, want)
			}
		}
	}
	if got := submit(t, model.PBSSubmission{Default: "workq", Quotas: []model.PBSQuota{{Rules: []model.PBSQuotaRule{
		{Resource: "q1", Of: "ncpus", Users: model.PBSFilter{Include: []string{"@staff"}}}}}}},
		submitted{User: "stranger"}); got[0].Requests["q1"] != "" {
		t.Error("a user whom the system does not know is in a group")
	}
}

// Names of a cluster are data in the hook, whatever is in them.
func TestNamesCannotLeaveTheHooksRules(t *testing.T) {
	evil := "'''\nimport os\n\\\"é\U0001F600"
	rules := model.PBSSubmission{Default: "workq", Defaults: []model.PBSMember{{User: "dave", Project: evil}}}
	got := submit(t, rules, submitted{User: "dave"})
	if got[0].Project != evil {
		t.Errorf("%+v", got[0])
	}
	hook, err := SubmitHook(rules)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(hook.Python, "'''") != 2 {
		t.Error("the rules end before their end")
	}
	for _, c := range []byte(hook.Python) {
		if c > '~' {
			t.Fatalf("byte %#x in the hook", c)
		}
	}
}
