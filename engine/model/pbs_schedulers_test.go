package model

import "testing"

func TestASchedulerServesItsPartitionsAndTheDefaultOneWhatHasNone(t *testing.T) {
	sched, other := &PBSScheduler{Name: "default"}, &PBSScheduler{Name: "p2", Partition: "part2,part3"}
	for partition, want := range map[string]string{"": "default", "pbs-default": "default", "part2": "p2", "part3": "p2", "part4": ""} {
		got := ""
		for _, s := range []*PBSScheduler{sched, other} {
			if s.Serves(partition) {
				got += s.Name
			}
		}
		if got != want {
			t.Errorf("partition %q is of %q, want %q", partition, got, want)
		}
	}
}

func TestAnotherSchedulerHasNothingOfTheFilesInTheBundle(t *testing.T) {
	p := &PBS{Schedulers: []PBSScheduler{{Name: "default", Formula: "ncpus"}, {Name: "p2", Formula: "mem"}}, FilesOf: "p2", Formula: "mem",
		SchedConfig: SchedConfig{Present: true}, Cycles: []SchedCycle{{}}, Fairshare: Fairshare{Groups: []ResourceGroup{{Name: "a"}}}}
	if got := p.Scheduler().Name; got != "p2" {
		t.Errorf("a bundle with the files of p2 is planned for %s", got)
	}
	own, ok := p.PlannedBy("default")
	if !ok || own.Scheduler().Name != "default" || own.Formula != "ncpus" || own.SchedConfig.Present ||
		len(own.Cycles)+len(own.Fairshare.Groups) > 0 {
		t.Errorf("%v %+v", ok, own)
	}
	if same, ok := p.PlannedBy("p2"); !ok || !same.SchedConfig.Present || len(same.Cycles) != 1 {
		t.Errorf("%v %+v", ok, same)
	}
	if _, ok := p.PlannedBy("p3"); ok || p.Planned != "" {
		t.Error("a scheduler that nobody names, or the bundle itself was changed")
	}
}
