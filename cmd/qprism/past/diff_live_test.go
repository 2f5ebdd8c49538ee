package past

import (
	"flag"
	"path/filepath"
	"testing"
	"time"

	"qprism/fixtures/master"
)

var diffRecord = flag.String("diff.record", "", "`folder` for a new recording of sources-8.1.9, made on a real master")

// TestRecordSources makes the recording from which TestEverySourceTellsTheSame reads: three runs between two bundles, on a real master
// with a real execution daemon, which left all files that tell of starts.
func TestRecordSources(t *testing.T) {
	if *diffRecord == "" {
		t.Skip("it makes a recording; -diff.record says where")
	}
	master.Require(t)
	m := master.Start(t, master.Options{Host: "node01"})
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(m.Apply(master.Scenario{
		Execd:        true,
		Conf:         master.Object{"reporting_params": "accounting=true reporting=true flush_time=00:00:01 accounting_flush_time=00:00:00 joblog=true sharelog=00:00:00"},
		Complexes:    []string{"license lic INT <= YES YES 0 0"},
		GlobalValues: "license=1",
		Hosts:        []master.Object{{"name": "node01"}},
		Queues:       []master.Object{{"qname": "all.q", "slots": "3", "pe_list": "mpi", "load_thresholds": "NONE"}},
		PEs:          []master.Object{{"pe_name": "mpi", "slots": "100", "allocation_rule": "$pe_slots"}},
		SchedConf: master.Object{"weight_priority": "1", "weight_ticket": "0", "weight_urgency": "0", "max_reservation": "5",
			"default_duration": "0:10:0"},
	}))
	short, long := 3, 300
	jobs := []master.Job{
		{Name: "long", Runtime: &long, Resources: "h_rt=600", Priority: 100},
		{Name: "lic1", Runtime: &long, Resources: "license=1,h_rt=300", Priority: 90},
		{Name: "lic2", Runtime: &short, Resources: "license=1,h_rt=60", Priority: 80},
		{Name: "wide", Runtime: &short, PE: "mpi 3", Reserve: "y", Resources: "h_rt=60", Priority: 70},
		{Name: "a", Runtime: &short, Resources: "h_rt=60"},
		{Name: "b", Runtime: &short, Resources: "h_rt=60", Priority: -10},
		{Name: "c", Runtime: &short, Resources: "h_rt=60", Priority: -20, Tasks: "1-2"},
		{Name: "gone", Runtime: &short, Resources: "h_rt=60", Priority: -30},
	}
	var numbers []int
	for _, j := range jobs {
		n, err := m.Submit(j)
		must(err)
		numbers = append(numbers, n)
	}
	must(m.Capture(filepath.Join(*diffRecord, "before"), "-r", "1"))
	for i := range 4 {
		_, err := m.Trigger()
		must(err)
		if i == 1 {
			must(m.Delete(numbers[7], ""))
			_, err := m.Submit(master.Job{Name: "late", Runtime: &short, Resources: "h_rt=60", Priority: 50})
			must(err)
		}
		time.Sleep(7 * time.Second)
	}
	must(m.Capture(filepath.Join(*diffRecord, "after"), "-r", "1"))
}
