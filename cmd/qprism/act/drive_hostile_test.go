package act

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"qprism/cmd/qprism/cli"
	"qprism/fixtures/master"
)

// oddRequests are -l lists that a real 8.1.9 master accepts and that all.q satisfies, or need not. The first ones consist of characters
// that qalter takes for themselves; the others could not be given back for certain, and jobs with them are left alone.
var (
	oddRequests = [][]string{{"-l", "qname=!x&!y"}, {"-l", "hostname=(node*|x)"}, {"-l", "qname=all.*,h_rt=1:0:0"},
		{"-l", "q=all.[p-r]"}, {"-soft", "-l", "arch=-rf"}, {"-soft", "-l", "arch=--"}, {"-soft", "-l", "arch=~root/*?"}}
	unrestoredRequest = [][]string{{"-l", "qname=!$HOME"}, {"-l", "qname=!'x'"}, {"-l", `qname=!"x"`}, {"-l", "qname=!`id>pwned`"},
		{"-soft", "-l", "arch=$IFS"}, {"-soft", "-l", "arch=;id>pwned;"}, {"-soft", "-l", `arch=a\b`}}
)

// TestHostileNamesAreDrivenOrLeftAlone: on a master where everything has a hostile name, jobs start where they were decided and get their
// lists back to the letter; those of which that is not certain, and places whose name is an expression, are left alone. No shell sees a
// name.
func TestHostileNamesAreDrivenOrLeftAlone(t *testing.T) {
	master.Require(t)
	t.Parallel()
	canaries(t)
	r := hostile(t)
	_, err := r.Master.Run("qconf", "-mattr", "queue", "slots", "90", "all.q")
	must(t, err)
	submit := func(requests [][]string) (jobs []string) {
		for i, options := range requests {
			argv := slices.Concat([]string{"setpriv", "--reuid=usera", "--clear-groups", "--", "qsub", "-terse", "-b", "y", "-wd", "/tmp", "-N",
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

	d := &cli.Deps{Store: filepath.Join(t.TempDir(), "store.db"), Format: "json"}
	report, said, err := r.drive(d, r, func(o *driveOptions) { o.own = []string{"all"} })
	must(t, err)
	clean(t, "drive", said)
	started := map[string]bool{}
	for _, s := range report.Starts {
		queue, _, _ := strings.Cut(s.Places, "@")
		if s.State != "confirmed" || strings.ContainsAny(queue, "*?!&|<>;`=") {
			t.Errorf("job %s on %s: %s, %s", s.Job, s.Places, s.State, s.Words)
		}
		started[s.Job] = true
	}
	for _, job := range odd {
		if !started[job] {
			t.Errorf("job %s did not start:\n%s", job, before[job])
		}
	}
	for i, job := range unrestored {
		if started[job] || !strings.Contains(said, fmt.Sprintf("job %s is not started: its -l list could not be given back", job)) {
			t.Errorf("job %s with %q started, or nothing is said of it", job, unrestoredRequest[i])
		}
	}
	r.release(t, d)
	r.asBefore(t, "hostile", before, nil)
	canaries(t)
	for _, l := range report.Left {
		t.Logf("%d: %s", l.Job, l.Why)
	}
	t.Logf("%d of %d jobs started\n%s", len(started), len(all), said)
}
