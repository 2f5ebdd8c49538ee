package model

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// site is a cluster of which all is known.
func site() Identity {
	return Identity{System: GridEngine, Host: "vm", Root: "/opt/sge", Cell: "default", Port: "6444", Config: "1 2", Made: "1795291200",
		Machine: "3 4", Sequence: 100}
}

func TestClustersAreToldApartByAnyFact(t *testing.T) {
	for name, c := range map[string]struct {
		known, now func(*Identity)
		want       Likeness
		why        string
	}{
		"the same facts are the same cluster": {nil, nil, Same, ""},
		"another root": {nil, func(i *Identity) { i.Root = "/opt/b" }, Different,
			"its root folder (SGE_ROOT, PBS_HOME) is /opt/b, not /opt/sge"},
		"a host with its domain": {nil, func(i *Identity) { i.Host = "VM.site" }, Same, ""},
		"hosts of two domains": {func(i *Identity) { i.Host = "vm.a" }, func(i *Identity) { i.Host = "vm.b" }, Different,
			"its master is vm.b, not vm.a"},
		"another port": {nil, func(i *Identity) { i.Port = "7000" }, Different, "its port is 7000, not 6444"},
		"another installation": {nil, func(i *Identity) { i.Made = "1795291201" }, Different,
			"the time of that file is 1795291201, not 1795291200"},
		"another machine": {nil, func(i *Identity) { i.Machine = "9 9" }, Different,
			"the sum of its master's /etc/machine-id is 9 9, not 3 4"},
		"numbers that fell": {nil, func(i *Identity) { i.Sequence = 99 }, Different,
			"its last job number is 99, and it was 100 before"},
		"numbers that rose": {nil, func(i *Identity) { i.Sequence = 101 }, Same, ""},
		"numbers that began anew behind the greatest": {func(i *Identity) { i.Sequence = 9_999_990 }, func(i *Identity) { i.Sequence = 7 },
			Same, ""},
		"a port that one does not know": {nil, func(i *Identity) { i.Port = "" }, Same, ""},
		"nothing known before": {func(i *Identity) { *i = Identity{System: GridEngine} }, nil, Unsure,
			"for the wanted cluster, its master is not known"},
		"nothing known now": {nil, func(i *Identity) { *i = Identity{System: GridEngine} }, Unsure,
			"for the cluster that the commands reach, its master is not known"},
		"only what clusters of one name can share": {func(i *Identity) { i.Config, i.Machine = "", "" }, nil, Unsure,
			"for the wanted cluster, the identity of its installation is not known"},
		"no fact in common that tells": {func(i *Identity) { i.Config, i.Made = "", "" }, func(i *Identity) { i.Machine = "" },
			Unsure, "no known fact distinguishes them from another cluster of the same name"},
		"a name that somebody gave to both": {func(i *Identity) { *i = Identity{System: GridEngine, Given: "bonn"} },
			func(i *Identity) { i.Given = "bonn" }, Same, ""},
		"a given name outweighs a changed bootstrap": {func(i *Identity) { i.Given, i.Config = "bonn", "8 8" },
			func(i *Identity) { i.Given = "bonn" }, Same, ""},
		"a given name does not make two masters one": {func(i *Identity) { i.Given = "bonn" },
			func(i *Identity) { i.Given, i.Host = "bonn", "other" }, Different, "its master is other, not vm"},
		"two given names": {func(i *Identity) { i.Given = "bonn" }, func(i *Identity) { i.Given = "kiel" },
			Different, "it is called kiel, not bonn"},
		"a given name of one alone says nothing": {func(i *Identity) { i.Given = "bonn" }, nil, Same, ""},
		"the systems never mix, whatever somebody says": {func(i *Identity) { i.Given = "bonn" },
			func(i *Identity) { i.Given, i.System = "bonn", PBSSystem }, Different, "its system is PBS, not Grid Engine"},
		"how it was reached makes no difference": {nil, func(i *Identity) { i.Via = "root@there" }, Same, ""},
	} {
		known, now := site(), site()
		for change, i := range map[*func(*Identity)]*Identity{&c.known: &known, &c.now: &now} {
			if *change != nil {
				(*change)(i)
			}
		}
		if got, why := known.Compare(now); got != c.want || why != c.why {
			t.Errorf("%s: %v, %q; want %v, %q", name, got, why, c.want, c.why)
		}
	}
}

func TestAnIdentityIsTheSameAfterItWasWrittenAndRead(t *testing.T) {
	word := rapid.StringMatching(`[a-z0-9/ .:=\\\n]{0,9}`)
	rapid.Check(t, func(r *rapid.T) {
		i := Identity{Sequence: rapid.Uint32().Draw(r, "sequence")}
		for _, f := range i.keyed() {
			*f.value = word.Draw(r, f.key)
		}
		if again, err := ParseIdentity(i.Text()); err != nil || again != i {
			r.Fatalf("%+v became %+v, %v", i, again, err)
		}
	})
	for _, text := range []string{"sequence x\n", "given\ncolour red\n"} {
		if _, err := ParseIdentity(text); err == nil || !strings.Contains(err.Error(), "identity: ") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestAllWhoReachAClusterMeanTheSameLock: with its domain and without, and of PBS whether or not its home is known.
func TestAllWhoReachAClusterMeanTheSameLock(t *testing.T) {
	a, b := site(), site()
	b.Host, b.Machine, b.Config = "VM.site", "", ""
	if a.LockName("x") != b.LockName("y") {
		t.Errorf("%s and %s", a.LockName("x"), b.LockName("y"))
	}
	if b.Root = "/opt/b"; a.LockName("x") == b.LockName("x") {
		t.Error("two cells of one host have one lock")
	}
	server, elsewhere := Identity{System: PBSSystem, Host: "head", Root: "/pbs"}, Identity{System: PBSSystem, Host: "head.site"}
	if server.LockName("x") != elsewhere.LockName("y") || server.LockName("x") == (Identity{System: PBSSystem, Host: "other"}).LockName("x") {
		t.Errorf("%s and %s", server.LockName("x"), elsewhere.LockName("y"))
	}
}
