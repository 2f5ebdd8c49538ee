package gridengine

import "testing"

func TestListsAreReadNameByName(t *testing.T) {
	s, err := readStep(bundleOf(map[string]string{
		"MANIFEST":         "command operators.txt rc=1 qconf -so\ncommand managers.txt rc=0 qconf -sm\n",
		"managers.txt":     "root\nsgeadmin\r\n",
		"operators.txt":    "no operator defined\n",
		"admin_hosts.txt":  "master\n",
		"submit_hosts.txt": "",
		"event_clients.txt": "      ID NAME            HOST\n--------------------------------------------------\n" +
			"       1 scheduler       vm\n      12 - -\n",
	}), Options{}, readLists)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "managers", s.Managers, []string{"root", "sgeadmin"})
	same(t, "operators", s.Operators, nil)
	same(t, "admin hosts", s.AdminHosts, []string{"master"})
	same(t, "submit hosts", s.SubmitHosts, nil)
	same(t, "event clients", s.EventClients, []string{"1 scheduler       vm", "12 - -"})
}
