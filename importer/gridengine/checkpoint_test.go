package gridengine

import (
	"testing"

	"qprism/engine/model"
)

func TestCheckpointingEnvironmentsAreRead(t *testing.T) {
	s := mustRead(t, readCheckpoints, "ckpts.txt", readFile(t, "odd/ckpts.txt"))
	same(t, "environments", s.Checkpoints, []model.Checkpoint{{Name: "c1", Settings: []model.Setting{
		{Name: "interface", Value: "application-level"}, {Name: "ckpt_command", Value: "/bin/true a=b"},
		{Name: "migr_command", Value: "none"}, {Name: "restart_command", Value: "none"}, {Name: "clean_command", Value: "none"},
		{Name: "ckpt_dir", Value: "/tmp"}, {Name: "signal", Value: "none"}, {Name: "when", Value: "xsr"},
	}}})
	refuses(t, readCheckpoints, "ckpts.txt", map[string]struct{ text, want string }{
		"cut off": {"ckpt_name c\ninterface x\n", `ckpts.txt:1: when: missing: "ckpt_name c"`},
	})
}
