package gridengine

import (
	"testing"

	"qprism/engine/model"
)

func TestParallelEnvironmentsAreRead(t *testing.T) {
	pes := mustRead(t, readPEs, "pes.txt", readFile(t, "odd/pes.txt")).PEs
	if len(pes) != 2 {
		t.Fatal(show(pes))
	}
	args, _ := model.Text(pes[0].Settings, "start_proc_args")
	same(t, "a long command", args, `/bin/sh -c "echo a\\tb, c" $pe_hostfile xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx y`)
	pes[0].Settings, pes[1].Settings = nil, nil
	same(t, "environments", pes, []model.PE{
		{Name: "x1", Slots: 10, ACL: []string{"a1", "a2"}, XACL: []string{"both"}, AllocationRule: "$pe_slots", ControlSlaves: true,
			UrgencySlots: "avg"},
		{Name: "x2", Slots: 10, AllocationRule: "4", ControlSlaves: true, UrgencySlots: "8"},
	})
}

func TestWhatNewerReleasesSayOfParallelEnvironmentsIsKept(t *testing.T) {
	s := readFolder(t, "ocs")
	for _, key := range []string{"ign_sreq_on_mhost", "master_forks_slaves", "daemon_forks_slaves"} {
		if value, _ := model.Text(s.PEs[0].Settings, key); value != "FALSE" {
			t.Errorf("%s is %q", key, value)
		}
	}
}

func TestParallelEnvironmentsThatCannotBeReadAreRefused(t *testing.T) {
	text := "pe_name p\nslots 4\nuser_lists NONE\nxuser_lists NONE\nurgency_slots min\n"
	refuses(t, readPEs, "pes.txt", map[string]struct{ text, want string }{
		"cut off": {text, `pes.txt:1: allocation_rule: missing: "pe_name p"`},
		"a switch": {text + "allocation_rule 2\ncontrol_slaves maybe\n",
			`pes.txt:7: control_slaves: "maybe": invalid syntax: "control_slaves maybe"`},
	})
}
