package act

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"qprism/cmd/qprism/act/push"
	"qprism/fixtures/master"
	"qprism/fixtures/sshd"
	"qprism/importer/collect"
)

// slowly is a qconf that takes longer than the scheduler's interval to list queues, which a capture asks
// for after the jobs. It counts, and is slow while the count is no more than a file says.
const slowly = `#!/bin/sh
case $1 in
-sq)
	echo listed >>"%[1]s/listed"
	[ "$(wc -l <"%[1]s/listed")" -gt "$(cat "%[1]s/slow")" ] || sleep 6 ;;
esac
exec "%[2]s" "$@"
`

// TestAPushThatCapturedASlowMasterItselfCapturesItAgain: a real master behind a real ssh server, whose
// configuration takes longer to list than its scheduler's interval. Where that is so once, or twice, the
// push repeats its capture and sends; where it is always so it is refused, and nothing was sent.
func TestAPushThatCapturedASlowMasterItselfCapturesItAgain(t *testing.T) {
	sshd.Require(t)
	t.Parallel()
	r := waiting(t, "user0")
	must(t, r.SetSchedConf(master.Object{"schedule_interval": "0:0:5"}))
	folder := t.TempDir()
	must(t, os.Chmod(folder, 0o755))
	qconf, err := r.Master.Run("sh", "-c", "command -v qconf")
	must(t, err)
	must(t, os.WriteFile(filepath.Join(folder, "qconf"),
		fmt.Appendf(nil, slowly, folder, strings.TrimSpace(qconf)), 0o755))
	var env []string
	for _, e := range r.Command("true").Env {
		if path, ok := strings.CutPrefix(e, "PATH="); ok {
			env = append(env, "PATH="+folder+":"+path)
		} else if strings.HasPrefix(e, "SGE_") {
			env = append(env, e)
		}
	}
	s := sshd.Start(t, sshd.Options{Command: r.Command, Env: env})
	reach := sshReach(s)
	for slow, want := range map[int]string{0: "", 1: "qprism captures it again", 2: "qprism captures it again", 3: "refused"} {
		t.Run(fmt.Sprintf("%d captures are slow", slow), func(t *testing.T) {
			must(t, os.WriteFile(filepath.Join(folder, "slow"), fmt.Appendf(nil, "%d\n", slow), 0o644))
			must(t, os.WriteFile(filepath.Join(folder, "listed"), nil, 0o644))
			d := newStore(t, "table")
			order, before := r.listed(t)
			o := push.Options{Reach: reach, First: order[len(order)-1:], Apply: true, LockDir: filepath.Join(folder, "locks")}
			o.Live.Collect = collect.Routine()
			said, warn, err := r.runSaying(d, o)
			listed, bad := os.ReadFile(filepath.Join(folder, "listed"))
			must(t, bad)
			captures := strings.Count(string(listed), "\n")
			if refused := want == "refused"; (err != nil) != refused || captures != min(slow+1, 3) ||
				strings.Count(warn, "qprism captures it again") != min(slow, 2) {
				t.Fatalf("%d captures, %v\n%s%s", captures, err, said, warn)
			}
			after, p := r.listed(t)
			if want == "refused" {
				r.asTheyWere(t, before, "refused")
				if !strings.Contains(err.Error(), "refused: the snapshot is ") || len(allPushes(t, d)) > 0 {
					t.Error(err)
				}
				return
			}
			if after[0] != o.First[0] || slices.Equal(after, order) {
				t.Errorf("the order is %v, was %v, -p are %v\n%s%s", after, order, p, said, warn)
			}
		})
	}
}
