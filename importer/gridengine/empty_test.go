package gridengine

import (
	"slices"
	"testing"
	"testing/fstest"
)

func TestAnEmptyFileOfACommandThatAlwaysPrintsIsMissing(t *testing.T) {
	bundle := fstest.MapFS{
		"qstat.xml":      {Data: []byte("<?xml version='1.0'?>\n<job_info><queue_info></queue_info><job_info></job_info></job_info>\n")},
		"sched_conf.txt": {},
		"managers.txt":   {},
	}
	s, err := Read(bundle, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if s.HasFile("sched_conf.txt") || !slices.Contains(s.Missing, "sched_conf.txt") {
		t.Errorf("an empty sched_conf.txt counts as held: has %v", s.Has)
	}
	if !s.HasFile("managers.txt") {
		t.Errorf("an empty list of managers counts as missing: missing %v", s.Missing)
	}
}
