package gridengine

import (
	"testing"

	"qprism/engine/model"
)

func TestAConfigurationThatIsPrintedAgainReplacesTheFirst(t *testing.T) {
	s, err := readStep(bundleOf(map[string]string{
		"conf.txt":              "global:\nmailer /a\nxterm /b\n",
		"host_confs/global.txt": "#global:\nmailer /c\nnewer x\n",
		"host_confs/h.txt":      "#h:\nmailer /d\n#h:\n",
	}), Options{}, readConf)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "configuration", s.Config, model.Config{
		Global: []model.Setting{{Name: "mailer", Value: "/c"}, {Name: "newer", Value: "x"}},
		Hosts:  []model.HostConfig{{Host: "h"}},
	})
	same(t, "unknown", s.Unknown, []model.Unknown{{File: "host_confs/global.txt", Line: 3,
		Name: "newer", Value: "x", Count: 1}})
}
