package act

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"qprism/cmd/qprism/act/drive"
	"qprism/fixtures/master"
)

// oddRequests are -l lists that a real 8.1.9 master accepts and that all.q satisfies, or need not. The
// first ones consist of characters that qalter takes for themselves; the others could not be given back for
// certain, and jobs with them are left alone.
var (
	oddRequests = [][]string{{"-l", "qname=!x&!y"}, {"-l", "hostname=(node*|x)"}, {"-l", "qname=all.*,h_rt=1:0:0"},
		{"-l", "q=all.[p-r]"}, {"-soft", "-l", "arch=-rf"}, {"-soft", "-l", "arch=--"}, {"-soft", "-l", "arch=~root/*?"}}
	unrestoredRequest = [][]string{{"-l", "qname=!$HOME"}, {"-l", "qname=!'x'"}, {"-l", `qname=!"x"`},
		{"-l", "qname=!`id>pwned`"},
		{"-soft", "-l", "arch=$IFS"}, {"-soft", "-l", "arch=;id>pwned;"}, {"-soft", "-l", `arch=a\b`}}
)

// TestHostileNamesAreDrivenOrLeftAlone: on a master where everything has a hostile name, jobs are bound to
// a queue and get their lists back to the letter; those of which that is not certain are held meanwhile,
// and places whose name is an expression are not asked for. No shell sees a name.
func TestHostileNamesAreDrivenOrLeftAlone(t *testing.T) {
	master.Require(t)
	t.Parallel()
	canaries(t)
	r := hostile(t)
	_, err := r.Master.Run("qconf", "-mattr", "queue", "slots", "90", "all.q")
	must(t, err)
	submit := func(requests [][]string) (jobs []string) {
		for i, options := range requests {
			argv := slices.Concat([]string{"setpriv", "--reuid=usera", "--clear-groups", "--",
				"qsub", "-terse", "-b", "y", "-wd", "/tmp", "-N",
				hostileJobs[i]}, options, []string{"sleep", "99999"})
			text, err := r.Master.Run(argv...)
			if err != nil {
				t.Errorf("%q: %v", options, err)
			}
			jobs = append(jobs, strings.TrimSpace(text))
		}
		return jobs
	}
	odd, unrestored := submit(oddRequests), submit(unrestoredRequest)
	var all []string
	text, err := r.Master.Run("qstat", "-u", "*", "-s", "p")
	must(t, err)
	for line := range strings.Lines(text) {
		if f := strings.Fields(line); len(f) > 4 && f[0][0] >= '0' && f[0][0] <= '9' {
			all = append(all, f[0])
		}
	}
	before := r.described(t, all)

	d := newStore(t, "json")
	rules := filepath.Join(t.TempDir(), "rules.yaml")
	must(t, os.WriteFile(rules, []byte(
		"- {jobs: [all], queues: [all.q], not_hosts: ['*', 'a|b', '$(id>pwned)']}\n"), 0o600))
	report, said, err := r.drive(d, r, func(o *drive.Options) { o.Own, o.Rules = []string{"all"}, rules })
	must(t, err)
	clean(t, "drive", said)
	for _, o := range report.Orders {
		if o.State != "confirmed" {
			t.Errorf("%+v", o)
		}
	}
	held := r.inState(t, "ho")
	for i, job := range unrestored[:4] { // soft requests are not touched
		if !slices.Contains(held, job) {
			t.Errorf("job %s with %q is not held", job, unrestoredRequest[i])
		}
	}
	trigger(t, r.Master)
	running := r.inState(t, "r")
	for _, job := range odd {
		if !slices.Contains(running, job) {
			t.Errorf("job %s did not start:\n%s", job, before[job])
		}
	}
	r.release(t, d)
	r.asBefore(t, "hostile", before, nil)
	canaries(t)
	t.Logf("%d of %d jobs started\n%s", len(running), len(all), said)
}
