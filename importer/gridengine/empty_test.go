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

// TestAListNamedWithABlankIsRead: 8.1.9 now and then prints <job ids> where it prints ulong_sublist else.
func TestAListNamedWithABlankIsRead(t *testing.T) {
	bundle := fstest.MapFS{
		"qstat.xml": {Data: []byte("<?xml version='1.0'?>\n<job_info><queue_info></queue_info><job_info></job_info></job_info>\n")},
		"qstat-j.xml": {Data: []byte(`<?xml version='1.0'?>
<detailed_job_info><djob_info><element><JB_job_number>7</JB_job_number></element></djob_info>
<messages><element><SME_message_list><element>
<MES_job_number_list><job ids><ULNG_value>7</ULNG_value></job ids></MES_job_number_list>
<MES_message_number>3</MES_message_number><MES_message>no &lt;slot&gt;</MES_message>
</element></SME_message_list></element></messages></detailed_job_info>
`)},
	}
	s, err := Read(bundle, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Jobs) != 1 || len(s.Jobs[0].Messages) != 1 || s.Jobs[0].Messages[0].Text != "no <slot>" {
		t.Errorf("got %+v", s.Jobs)
	}
}
