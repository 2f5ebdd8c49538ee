package qstat_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"qprism/importer"
	"qprism/importer/gridengine"
	"qprism/importer/gridengine/expect"
	"qprism/importer/gridengine/sample"
)

// rowOfTasks is a listing with one row of these tasks.
func rowOfTasks(section, inside, tasks string) fstest.MapFS {
	text := fmt.Sprintf("<job_info>\n<queue_info>\n</queue_info>\n<job_info>\n<job_list "+
		"state=%q>\n<JB_job_number>7</JB_job_number>\n%s<tasks>%s</tasks>\n</job_list>\n</job_info>\n</job_info>\n",
		section, inside, tasks)
	return fstest.MapFS{"qstat.xml": {Data: []byte(text)}}
}

func TestAMillionTasksThatRunInOneRowAreRefused(t *testing.T) {
	for name, bundle := range map[string]fstest.MapFS{
		"by its section": rowOfTasks("running", "<state>r</state>\n", "1-1000000:1"),
		"by its place":   rowOfTasks("pending", "<state>r</state>\n<queue_name>all.q@a</queue_name>\n", "1-1000000:1"),
		"by its start": rowOfTasks("pending",
			"<state>qw</state>\n<JAT_start_time>2026-11-21T08:14:49</JAT_start_time>\n", "1-1000000:1"),
		"as a list of numbers": rowOfTasks("running", "<state>r</state>\n", "1,2,3"),
	} {
		err := expect.Fault(gridengine.Read(bundle, gridengine.Options{}))
		var p *importer.Problem
		if !errors.As(err, &p) || p.File != "qstat.xml" || p.Line == 0 ||
			!strings.Contains(err.Error(), "a running task has a row of its own") {
			t.Errorf("%s: %v", name, err)
		}
		s, err := gridengine.Read(bundle, gridengine.Options{KeepGoing: true})
		if err != nil || len(s.Jobs) != 0 || len(s.LeftOut) != 1 {
			t.Errorf("%s, left out: %v, %+v", name, err, s)
		}
	}
	if s, err := gridengine.Read(rowOfTasks("running", "<state>r</state>\n", "12"),
		gridengine.Options{}); err != nil || len(s.Jobs) != 1 {
		t.Errorf("one running task: %v", err)
	}
}

// TestStartedTasksAreNotJoined: two rows of started tasks are two tasks, with a place or without.
func TestStartedTasksAreNotJoined(t *testing.T) {
	const started = "<JAT_start_time>2026-11-21T08:14:49</JAT_start_time>"
	tasks := sample.OnlyQstat(t, sample.Task("qw", 1, started), sample.Task("qw", 2, started)).Jobs[0].Tasks
	if len(tasks) != 2 || tasks[0].Started.IsZero() || tasks[1].Started.IsZero() {
		t.Errorf("%+v", tasks)
	}
}

// TestAMillionWaitingTasksStayARange: what is read of them takes no more memory than of two.
func TestAMillionWaitingTasksStayARange(t *testing.T) {
	read := func(tasks string) (allocations, bytes uint64) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		s, err := gridengine.Read(rowOfTasks("pending", "<state>qw</state>\n", tasks), gridengine.Options{})
		runtime.ReadMemStats(&after)
		if err != nil || len(s.Jobs) != 1 || len(s.Jobs[0].Tasks) != 1 || len(s.Jobs[0].Tasks[0].IDs) != 1 {
			t.Fatal(err)
		}
		return after.Mallocs - before.Mallocs, after.TotalAlloc - before.TotalAlloc
	}
	read("1-2:1") // what is made once
	fewAllocations, fewBytes := read("1-2:1")
	allocations, bytes := read("1-1000000:1")
	if allocations > fewAllocations+100 || bytes > fewBytes+64<<10 {
		t.Errorf("%d allocations of %d bytes; two tasks take %d of %d", allocations, bytes, fewAllocations, fewBytes)
	}
}
