package slurmconf_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"qprism/fixtures/needs"

	"os"

	"qprism/engine/model"
	"qprism/exporter/slurmconf"
)

func config() *model.SlurmConfig {
	user := func(name string, shares uint32) *model.SlurmAssoc {
		return &model.SlurmAssoc{Name: name, User: true, Shares: shares}
	}
	anna, carl := user("anna", 3), user("carl", 0)
	anna.Priority, anna.Usage, carl.Parent = 500, 1.5, true
	return &model.SlurmConfig{Cluster: "vm",
		Settings: []model.Setting{{Name: "PriorityType", Value: "priority/multifactor"}},
		Nodes:    []model.SlurmNode{{Name: "node01", CPUs: 4}},
		Site: model.SlurmSite{Offset: 1 << 30, Step: 0.5, Slot: 2, Furthest: 100, Licenses: []model.SlurmLicense{
			{Resource: "app", Shortcut: "a", Name: "app", Unit: 1, PerSlot: true, Counted: true, Count: 7, Each: 1.25},
			{Resource: "big", Shortcut: "b", Name: "big", Unit: 1, Count: 9, Each: -3},
			{Resource: "scratch", Shortcut: "scr", Name: "scratch", Unit: 1 << 20, PerSlot: true,
				Counted: true, Count: 9, Each: 1}}},
		Root: &model.SlurmAssoc{Name: "root", Children: []*model.SlurmAssoc{user("root", 0),
			{Name: "p1", Shares: 60, Children: []*model.SlurmAssoc{anna,
				{Name: "sub", Shares: 1, Usage: 2, Children: []*model.SlurmAssoc{carl}}}},
			{Name: "empty", Shares: 40}}},
		QOS: []model.SlurmQOS{{Name: "normal",
			Limits: []model.Setting{{Name: "MaxTRESPerUser", Value: "cpu=4"}}}}, At: time.Unix(77, 0),
		Members: []model.SlurmMember{{User: "anna", Account: "p1"}, {Project: "P", User: "carl", Account: "sub"}}}
}

func written(t *testing.T, c *model.SlurmConfig) map[string]string {
	t.Helper()
	files, err := slurmconf.Files(c, "a\ncluster")
	if err != nil {
		t.Fatal(err)
	}
	list := map[string]string{}
	for _, f := range files {
		list[f.Name] = string(f.Text)
	}
	return list
}

// TestFiles: a parent is named after it was made, and before what is below it.
func TestFiles(t *testing.T) {
	files := written(t, config())
	const head = "# Made by qprism from a cluster.\n"
	for name, want := range map[string]string{"priority.conf": head + "PriorityType=priority/multifactor\n",
		"nodes.conf": head + "Licenses=app:7,big:9,scratch:9\nNodeName=node01 CPUs=4\nPartitionName=all " +
			"Nodes=ALL Default=YES MaxTime=INFINITE\n",
		"sacctmgr.cfg": head + `Cluster - 'vm'
Parent - 'root'
Account - 'p1':FairShare=60
Account - 'empty':FairShare=40
Parent - 'p1'
Account - 'sub':FairShare=1
User - 'anna':FairShare=3:Priority=500:DefaultAccount='p1'
Parent - 'sub'
User - 'carl':FairShare=parent
`, "sacctmgr.sh": "#!/bin/sh\n" + head + `set -eu
cluster=$(sed -n 's/^ClusterName=//p' "${SLURM_CONF:-/etc/slurm/slurm.conf}")
sacctmgr -i modify user where name=root account=root cluster="$cluster" set fairshare=0
sacctmgr -i modify qos where name='normal' set MaxTRESPerUser=cpu=4
`, "usage.tsv": head + "at\t77\np1\tanna\t1.500000\nsub\t\t2.000000\n"} {
		if files[name] != want {
			t.Errorf("%s is\n%s\nwant\n%s", name, files[name], want)
		}
	}
	if lua := files["job_submit.lua"]; !strings.Contains(lua, "\t[\"app\"] = 1.25,\n\t[\"big\"] = -3,\n") ||
		!strings.Contains(lua, "furthest = 1073741824, 0.5, 2, 100\n") {
		t.Errorf("the script is\n%s", lua)
	}
}

// TestHostileNamesAreRefused: none ends its quotes, its line or its option.
func TestHostileNamesAreRefused(t *testing.T) {
	for _, name := range []string{"", "a b", "a'b", `a"b`, "a:FairShare=999", "a\nUser - 'root'",
		"$(x)'", "a,b", "a=b", `a\`, "\x00",
		"\u202e"} {
		for what, set := range map[string]func(c *model.SlurmConfig){
			"user":    func(c *model.SlurmConfig) { c.Root.Children[1].Children[0].Name = name },
			"account": func(c *model.SlurmConfig) { c.Root.Children[1].Name = name },
			"cluster": func(c *model.SlurmConfig) { c.Cluster = name },
			"qos":     func(c *model.SlurmConfig) { c.QOS[0].Name = name },
			"node":    func(c *model.SlurmConfig) { c.Nodes[0].Name = name },
			"license": func(c *model.SlurmConfig) { c.Site.Licenses[0].Name = name },
			"limit":   func(c *model.SlurmConfig) { c.QOS[0].Limits[0].Value = name + ";" },
			"home":    func(c *model.SlurmConfig) { c.Members[0].Account = name + " " },
		} {
			c := config()
			set(c)
			if files, err := slurmconf.Files(c, "a\ncluster"); err == nil {
				t.Errorf("a %s %q is written: %s", what, name, files[1].Text)
			}
		}
	}
	c := config()
	c.Settings[0].Value = "x\nSlurmUser=root"
	if _, err := slurmconf.Files(c, "a\ncluster"); err == nil {
		t.Error("a value with a second line is written")
	}
	c = config()
	if files, err := slurmconf.Files(c, "x\nSlurmUser=root"); err != nil ||
		strings.Contains(string(files[0].Text), "\nSlurmUser") {
		t.Errorf("a source becomes a line of its own (%v)", err)
	}
}

// TestTheWrapperTranslatesAndRefuses, with names that try to leave the text which holds them.
func TestTheWrapperTranslatesAndRefuses(t *testing.T) {
	python := needs.Program(t, "python3", "the wrapper")
	c := config()
	c.Members = append(c.Members, model.SlurmMember{Project: `'''+__import__("os").system("false")+r'''`,
		User: `\"`, Account: "p1"})
	c.Site.Licenses[0].Resource = `a'''"\`
	dir := t.TempDir()
	wrapper, script := filepath.Join(dir, "qsub.py"), filepath.Join(dir, "job.sh")
	for path, text := range map[string]string{wrapper: written(t, c)["qsub.py"],
		script: "#!/bin/sh\n#$ -N named -p -3\n#$ -pe smp 2-8 # the smallest of a range\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for line, want := range map[string]string{
		"-b y -p -100 true": "sbatch --parsable --ntasks=1 --nice=100 --wrap true",
		"-b y -pe smp 4 -l a=2,b,scr=1.5G,h_rt=1:30:0 x": "sbatch --parsable --ntasks=4 " +
			"--licenses=app:8,big:1,scratch:6144 --time=0-01:30:00 --wrap x",
		"-t 1-9:2 -tc 3 -h " + script: "sbatch --parsable --ntasks=2 --job-name=named --nice=3 --array=1-9:2%3 --hold " +
			script,
		"-N other " + script + " x": "sbatch --parsable --ntasks=2 --job-name=named --nice=3 --job-name=other " + script +
			" x",
		"-a 202612242300.05 -hold_jid 1,2 -b y x": "sbatch --parsable --ntasks=1 " +
			"--begin=2026-12-24T23:00:05 --dependency=afterany:1,afterany:2 --wrap x",
		"-o host:/tmp/$JOB_ID.$TASK_ID -e y -j y -b y x": "sbatch --parsable --ntasks=1 --output=/tmp/%j.%a --wrap x",
		"-dl 202612242300 -b y x":                        "",
		"-hard -l b -b y x":                              "sbatch --parsable --ntasks=1 --licenses=big:1 --wrap x",
		"-soft -l b -b y x":                              "",
		"-masterq x -b y x":                              "",
		"-b y":                                           "",
		"-l scr=lots -b y x":                             "",
	} {
		out, err := exec.Command(python, append([]string{wrapper, "--dry-run"}, strings.Fields(line)...)...).Output()
		if got := strings.TrimSpace(string(out)); got != want || (err != nil) != (want == "") {
			t.Errorf("qsub %s: %s (%v), want %s", line, got, err, want)
		}
	}
}
