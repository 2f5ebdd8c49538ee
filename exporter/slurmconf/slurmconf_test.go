package slurmconf_test

import (
	"strings"
	"testing"

	"qprism/engine/model"
	"qprism/exporter/slurmconf"
)

func config() *slurmconf.Config {
	return &slurmconf.Config{Source: "a\ncluster", Cluster: "vm", Settings: []model.Setting{{Name: "PriorityType", Value: "priority/multifactor"}},
		Root: &slurmconf.Account{Name: "root", Accounts: []*slurmconf.Account{
			{Name: "p1", Shares: "60", Accounts: []*slurmconf.Account{{Name: "sub", Shares: "1", Users: []slurmconf.User{{Name: "carl", Shares: "parent"}}}}, Users: []slurmconf.User{{Name: "anna", Shares: "3", Priority: 500}}},
			{Name: "empty", Shares: "40"}}},
		QOS: []slurmconf.QOS{{Name: "normal", Priority: 7, Limits: []model.Setting{{Name: "MaxTRESPerUser", Value: "cpu=4"}}}}}
}

// TestFiles: a parent is named after it was made, and before what is below it.
func TestFiles(t *testing.T) {
	files, err := slurmconf.Files(config())
	if err != nil {
		t.Fatal(err)
	}
	const head = "# Made by qprism from a cluster. Experimental: no Slurm server has taken it yet.\n"
	for i, want := range []string{head + "PriorityType=priority/multifactor\n",
		head + `Cluster - 'vm'
Parent - 'root'
Account - 'p1':FairShare=60
Account - 'empty':FairShare=40
Parent - 'p1'
Account - 'sub':FairShare=1
User - 'anna':FairShare=3
Parent - 'sub'
User - 'carl':FairShare=parent
`,
		"#!/bin/sh\n" + head + `set -eu
sacctmgr -i add qos 'normal' 2>/dev/null || :
sacctmgr -i modify qos where name='normal' set priority=7
sacctmgr -i modify qos where name='normal' set MaxTRESPerUser=cpu=4
sacctmgr -i modify user where name='anna' account='p1' set priority=500
`} {
		if got := string(files[i].Text); got != want {
			t.Errorf("%s is\n%s\nwant\n%s", files[i].Name, got, want)
		}
	}
}

// TestHostileNamesAreRefused: none ends its quotes, its line or its option.
func TestHostileNamesAreRefused(t *testing.T) {
	for _, name := range []string{"", "a b", "a'b", `a"b`, "a:FairShare=999", "a\nUser - 'root'", "$(x)'", "a,b", "a=b", `a\`, "\x00", "\u202e"} {
		for what, set := range map[string]func(c *slurmconf.Config){
			"user":    func(c *slurmconf.Config) { c.Root.Accounts[0].Users[0].Name = name },
			"account": func(c *slurmconf.Config) { c.Root.Accounts[0].Name = name },
			"cluster": func(c *slurmconf.Config) { c.Cluster = name },
			"qos":     func(c *slurmconf.Config) { c.QOS[0].Name = name },
		} {
			c := config()
			set(c)
			if files, err := slurmconf.Files(c); err == nil {
				t.Errorf("a %s %q is written: %s", what, name, files[1].Text)
			}
		}
	}
	c := config()
	c.Settings[0].Value = "x\nSlurmUser=root"
	if _, err := slurmconf.Files(c); err == nil {
		t.Error("a value with a second line is written")
	}
	c = config()
	c.Source = "x\nSlurmUser=root"
	if files, err := slurmconf.Files(c); err != nil || strings.Contains(string(files[0].Text), "\nSlurmUser") {
		t.Errorf("a source becomes a line of its own (%v)", err)
	}
}
