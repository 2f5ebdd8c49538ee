package gridengine

import (
	"testing"

	"qprism/engine/model"
)

func TestTheGlobalConfigurationAndThoseOfHostsAreRead(t *testing.T) {
	s := mustRead(t, readConf, "host_confs.txt", readFile(t, "odd/host_confs.txt"))
	local := []model.Setting{{Name: "execd_params", Value: "none"}, {Name: "mailer", Value: "/bin/mail"},
		{Name: "load_sensor", Value: "/a/b,/c/d"}}
	same(t, "hosts", s.Config.Hosts, []model.HostConfig{{Host: "node01", Settings: local}, {Host: "node02", Settings: local}})
	value, _ := model.Text(s.Config.Global, "reporting_params")
	same(t, "a broken line", value, "accounting=true reporting=false flush_time=00:00:15 joblog=false sharelog=00:00:00")
	same(t, "settings", len(s.Config.Global), 48)
}

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
	same(t, "unknown", s.Unknown, []model.Unknown{{File: "host_confs/global.txt", Line: 3, Name: "newer", Value: "x", Count: 1}})
}

func TestAConfigurationOfNobodyIsRefused(t *testing.T) {
	refuses(t, readConf, "host_confs.txt", map[string]struct{ text, want string }{
		"no header": {"\nmailer /bin/mail\n", `host_confs.txt:2: "#HOST:": missing: "mailer /bin/mail"`},
	})
}
