package qconf

import (
	"strings"
	"testing"
	"testing/fstest"

	"qprism/engine/model"
)

func TestSetPolicyChangesOneValue(t *testing.T) {
	p := model.Policy{WeightUrgency: 0.1, WeightTicket: 0.2}
	for key, value := range map[string]string{"weight_urgency": "0.5", "halftime": "24", "max_reservation": "3",
		"policy_hierarchy": "NONE"} {
		if err := SetPolicy(&p, key, value); err != nil {
			t.Error(err)
		}
	}
	if p.WeightUrgency != 0.5 || p.WeightTicket != 0.2 || p.HalfTime.Hours() != 24 || p.MaxReservation != 3 ||
		p.Hierarchy != "" {
		t.Errorf("%+v", p)
	}
	for key, value := range map[string]string{"weight_urgency": "much", "weight_urgent": "1", "": ""} {
		if err := SetPolicy(&p, key, value); err == nil || !strings.Contains(err.Error(), key) {
			t.Errorf("%s=%s: %v", key, value, err)
		}
	}
}

func TestFilesAreReadAlone(t *testing.T) {
	files := fstest.MapFS{
		"tree": {Data: []byte("id=0\nname=Root\ntype=0\nshares=1\nchildnodes=1,2\nid=1\nname=a\ntype=0\nshares=3\nchildnodes=NONE\nid=2\nname=b\ntype=0\nshares=1\nchildnodes=NONE\n")},
		"bad":  {Data: []byte("id=0\nname=Root\ntype=0\nshares=many\nchildnodes=NONE\n")},
		"complex": {Data: []byte("#name shortcut type relop requestable consumable default " +
			"urgency\nslots s INT <= YES YES 1 2000\n")},
		"short": {Data: []byte("slots s INT\n")},
		"empty": {},
	}
	if tree, err := ReadTree(files, "tree"); err != nil || len(tree.Children) != 2 || tree.Children[0].Shares != 3 {
		t.Errorf("%+v, %v", tree, err)
	}
	if list, err := ReadResources(files, "complex"); err != nil || len(list) != 1 || list[0].Urgency != "2000" {
		t.Errorf("%+v, %v", list, err)
	}
	for _, name := range []string{"bad", "empty", "missing"} {
		if _, err := ReadTree(files, name); err == nil || !strings.HasPrefix(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := ReadResources(files, "short"); err == nil || !strings.HasPrefix(err.Error(), "short:1: ") {
		t.Errorf("%v", err)
	}
}
