package qconf

import (
	"testing"

	"qprism/importer/gridengine/expect"
	"qprism/importer/source"
)

func TestListsAreReadNameByName(t *testing.T) {
	s, err := readStep(expect.Bundle(map[string]string{
		"MANIFEST":         "command operators.txt rc=1 qconf -so\ncommand managers.txt rc=0 qconf -sm\n",
		"managers.txt":     "root\nsgeadmin\r\n",
		"operators.txt":    "no operator defined\n",
		"admin_hosts.txt":  "master\n",
		"submit_hosts.txt": "",
		"event_clients.txt": "      ID NAME            HOST\n--------------------------------------------------\n" +
			"       1 scheduler       vm\n      12 - -\n",
	}), source.Options{}, readLists)
	if err != nil {
		t.Fatal(err)
	}
	expect.Same(t, "managers", s.Managers, []string{"root", "sgeadmin"})
	expect.Same(t, "operators", s.Operators, nil)
	expect.Same(t, "admin hosts", s.AdminHosts, []string{"master"})
	expect.Same(t, "submit hosts", s.SubmitHosts, nil)
	expect.Same(t, "event clients", s.EventClients, []string{"1 scheduler       vm", "12 - -"})
}
