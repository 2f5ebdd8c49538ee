package gridengine_test

import (
	"reflect"
	"slices"
	"testing"
	"testing/fstest"

	"qprism/engine/model"
	"qprism/importer/gridengine"
)

func TestAnEmptyFileOfACommandThatAlwaysPrintsIsMissing(t *testing.T) {
	bundle := fstest.MapFS{
		"qstat.xml": {Data: []byte(
			"<?xml version='1.0'?>\n<job_info><queue_info></queue_info><job_info></job_info></job_info>\n")},
		"sched_conf.txt": {},
		"managers.txt":   {},
	}
	s, err := gridengine.Read(bundle, gridengine.Options{})
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
		"qstat.xml": {Data: []byte(
			"<?xml version='1.0'?>\n<job_info><queue_info></queue_info><job_info></job_info></job_info>\n")},
		"qstat-j.xml": {Data: []byte(`<?xml version='1.0'?>
<detailed_job_info><djob_info><element><JB_job_number>7</JB_job_number></element></djob_info>
<messages><element><SME_message_list><element>
<MES_job_number_list><job ids><ULNG_value>7</ULNG_value></job ids></MES_job_number_list>
<MES_message_number>3</MES_message_number><MES_message>no &lt;slot&gt;</MES_message>
</element></SME_message_list></element></messages></detailed_job_info>
`)},
	}
	s, err := gridengine.Read(bundle, gridengine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Jobs) != 1 || len(s.Jobs[0].Messages) != 1 || s.Jobs[0].Messages[0].Text != "no <slot>" {
		t.Errorf("got %+v", s.Jobs)
	}
}

// TestTasksOfAMasterThatWasRestartedAreRead: 8.1.9 prints their key in its spool where it prints ulong_sublist else.
func TestTasksOfAMasterThatWasRestartedAreRead(t *testing.T) {
	read := func(name string) *model.Snapshot {
		s, err := gridengine.Read(fstest.MapFS{
			"qstat.xml": {Data: []byte(
				"<?xml version='1.0'?>\n<job_info><queue_info></queue_info><job_info><job_list state=\"pending\">" +
					"<JB_job_number>7</JB_job_number><state>hqw</state><slots>1</slots><tasks>1</tasks></job_list></job_info></job_info>\n")},
			"qstat-j.xml": {Data: []byte(
				"<?xml version='1.0'?>\n<detailed_job_info><djob_info><element><JB_job_number>7</JB_job_number><JB_ja_tasks><" + name +
					"><JAT_status>512</JAT_status><JAT_task_number>1</JAT_task_number></" + name +
					"></JB_ja_tasks></element></djob_info></detailed_job_info>\n")},
		}, gridengine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	after, before := read("JATASK:       1."), read("ulong_sublist")
	if !reflect.DeepEqual(after, before) || len(after.Jobs) != 1 || len(after.Jobs[0].Tasks) != 1 {
		t.Errorf("got %+v, unknown %v; else %+v", after.Jobs, after.Unknown, before.Jobs)
	}
}
