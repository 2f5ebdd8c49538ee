package qstat_test

import (
	"testing"

	"qprism/importer/gridengine/expect"
	"qprism/importer/gridengine/sample"
)

// TestATaskLimitThatIsReachedIsKnownWhereNoCommandPrintsIt: a run cleared the numbers of an array that
// waits while a task of it runs.
func TestATaskLimitThatIsReachedIsKnownWhereNoCommandPrintsIt(t *testing.T) {
	const structure = `<JB_ja_structure><task_id_range><RN_min>1</RN_min><RN_max>3</RN_max><RN_step>1</RN_step></task_id_range></JB_ja_structure>`
	for _, c := range []struct {
		name, release, npprior, state, finished string
		limit                                   uint32
	}{
		{"reached", "GE 6.2u5", "0.00000", "qw", "", 1},
		{"reached with a task that has ended", "GE 6.2u5", "0.00000", "qw",
			"<JB_ja_tasks><ulong_sublist><JAT_status>65536</JAT_status>" +
				"<JAT_task_number>3</JAT_task_number></ulong_sublist></JB_ja_tasks>", 2},
		{"not reached", "GE 6.2u5", "0.50000", "qw", "", 0},
		{"held", "GE 6.2u5", "0.00000", "hqw", "", 0},
		{"printed by the release", "SGE 8.1.9", "0.00000", "qw", "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			row := func(state, task string) string {
				return "<job_list><JB_job_number>1</JB_job_number><JB_nppri>" + c.npprior +
					"</JB_nppri><state>" + state + "</state>" + task +
					"<slots>1</slots></job_list>"
			}
			snap := sample.Read(t, expect.Bundle(map[string]string{"qstat-help.txt": c.release + "\n",
				"qstat-j.xml": sample.QstatJ(sample.JobInQstatJ(1, c.finished+structure)),
				"qstat.xml": sample.Qstat(row("r", "<queue_name>b@y</queue_name><tasks>1</tasks>") +
					row(c.state, "<tasks>2</tasks>"))}))
			expect.Same(t, "-tc", snap.Jobs[0].MaxRunningTasks, c.limit)
		})
	}
}
