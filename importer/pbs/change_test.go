package pbs

import (
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"qprism/engine/model"
	recordings "qprism/fixtures/pbs"
)

func TestSetChangesOneOption(t *testing.T) {
	s := &model.Snapshot{PBS: &model.PBS{Schedulers: []model.PBSScheduler{{Name: "default"}}}}
	before := s.PBS
	for _, c := range [][2]string{{"fair_share", "true"}, {"fair_share", "false non_prime"},
		{"fairshare_decay_time", "12:00:00"},
		{"job_sort_formula", "ncpus*2"},
		{"backfill_depth", "5"}, {"job_sort_key", `"ncpus HIGH"`}, {"job_sort_key", `"mem LOW"`}} {
		if err := Set(s, c[0], c[1]); err != nil {
			t.Errorf("%v: %v", c, err)
		}
	}
	p := s.PBS
	if p.SchedConfig.NonPrime.FairShare || p.SchedConfig.Prime.FairShare || p.Fairshare.Policy.DecayTime.Hours() != 12 ||
		p.Formula != "ncpus*2" || p.Schedulers[0].Formula != "ncpus*2" ||
		p.Server.BackfillDepth.N != 5 || len(p.SchedConfig.Prime.JobSortKeys) != 1 ||
		p.SchedConfig.Prime.JobSortKeys[0].Resource != "mem" {
		t.Errorf("%+v", p)
	}
	if before.Formula != "" || before.Schedulers[0].Formula != "" {
		t.Error("the snapshot that others use was changed")
	}
	for _, c := range [][2]string{{"fair_shares", "true"}, {"backfill_depth", "deep"}, {"", ""}} {
		if err := Set(s, c[0], c[1]); err == nil {
			t.Errorf("%v is taken", c)
		}
	}
}

// TestAConfigurationThatIsReadAgainIsTheSame sets an option to what it is, in the configurations of all recordings.
func TestAConfigurationThatIsReadAgainIsTheSame(t *testing.T) {
	read := 0
	for _, name := range recordings.Scenarios() {
		files, err := recordings.Scenario(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, step := range []string{"before", "depth2/before", "byq/before"} {
			old, _, err := ReadSchedConfig(files, step+"/sched_config")
			if err != nil {
				continue
			}
			again, _, err := withOption(old, "sched_preempt_enforce_resumption_not", "1")
			if err == nil {
				t.Fatal("an option that nobody knows is taken")
			}
			read++
			again.Lines, old.Lines = nil, nil
			if !reflect.DeepEqual(again, old) {
				t.Errorf("%s/%s: %+v, want %+v", name, step, again, old)
			}
		}
	}
	if read < 5 {
		t.Errorf("%d configurations were read", read)
	}
}

func TestReadResourceGroup(t *testing.T) {
	files := fstest.MapFS{"tree": {Data: []byte("# groups\ngrp1 50 root 10\nalice 60 grp1 3\n")},
		"none": {Data: []byte("nothing\n")}}
	if list, err := ReadResourceGroup(files, "tree"); err != nil || len(list) != 2 || list[1].Parent != "grp1" ||
		list[1].Shares != 3 {
		t.Errorf("%+v, %v", list, err)
	}
	for _, name := range []string{"none", "missing"} {
		if _, err := ReadResourceGroup(files, name); err == nil || !strings.HasPrefix(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
