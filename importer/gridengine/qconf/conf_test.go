package qconf

import (
	"testing"

	"qprism/engine/model"
	"qprism/importer/gridengine/expect"
	"qprism/importer/source"
)

func TestAConfigurationThatIsPrintedAgainReplacesTheFirst(t *testing.T) {
	s, err := readStep(expect.Bundle(map[string]string{
		"conf.txt":              "global:\nmailer /a\nxterm /b\n",
		"host_confs/global.txt": "#global:\nmailer /c\nnewer x\n",
		"host_confs/h.txt":      "#h:\nmailer /d\n#h:\n",
	}), source.Options{}, readConf)
	if err != nil {
		t.Fatal(err)
	}
	expect.Same(t, "configuration", s.Config, model.Config{
		Global: []model.Setting{{Name: "mailer", Value: "/c"}, {Name: "newer", Value: "x"}},
		Hosts:  []model.HostConfig{{Host: "h"}},
	})
	expect.Same(t, "unknown", s.Unknown, []model.Unknown{{File: "host_confs/global.txt", Line: 3,
		Name: "newer", Value: "x", Count: 1}})
}
