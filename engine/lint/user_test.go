package lint_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"qprism/engine/lint"
	"qprism/importer/cluster"
)

// TestLintInventsNoPolicy checks what an ordinary user's commands tell: nothing of the scheduler's options is known, so that nothing is
// said of them, and the formula is checked all the same.
func TestLintInventsNoPolicy(t *testing.T) {
	s, err := cluster.Read(fstest.MapFS{
		"qstat_f.txt":  {Data: []byte("Job Id: 1.s\n    Job_Owner = alice@s\n    job_state = Q\n    queue = workq\n    ctime = Sat Nov 21 08:00:00 2026\n    Resource_List.select = 1:ncpus=1\n    Resource_List.walltime = 01:00:00\n\n")},
		"qstat_Qf.txt": {Data: []byte("Queue: workq\n    queue_type = Execution\n    enabled = True\n    started = True\n\n")},
		"qstat_Bf.txt": {Data: []byte("Server: s\n    server_state = Active\n    scheduling = True\n    job_sort_formula = walltime / 0\n    query_other_jobs = True\n\n")},
		"date.txt":     {Data: []byte("1795248870\n")},
	}, cluster.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := checked(lint.Input{Snapshot: s})
	text := ""
	for _, w := range r.Words {
		text += w.About + ": " + w.Says + "\n"
	}
	if !r.Partly || !strings.Contains(text, "the bundle lacks sched_config") || strings.Contains(text, "off (fair_share)") ||
		strings.Contains(text, "by time in the queue") {
		t.Error(text)
	}
	if len(r.Traps) != 1 || !strings.HasPrefix(r.Traps[0].Name, "formula-") {
		t.Errorf("%+v", r.Traps)
	}
}
