package slurm

import "testing"

func TestNamesThatSlurmholds(t *testing.T) {
	for name, want := range map[string]bool{"anna": true, "a.b-c_d": true, "DOMAIN+anna": true,
		"": false, "o'brien": false, "a b": false,
		"x=y": false, "-x": false, "a,b": false, "a\nb": false, "a\\": false, "\u202e": false} {
		if got := holds(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}

func TestNamesOfItsOwnAreSpeltOnce(t *testing.T) {
	taken := map[string]bool{"root": true}
	for _, c := range [][2]string{{"Chem", "chem"}, {"chem", "chem_2"}, {"a b", "a_b"}, {"-x", "_x"},
		{"root", "root_2"}, {"", "_2"}} {
		if got := slurmName(c[0], taken); got != c[1] || !holds(got) {
			t.Errorf("%q is spelt %q, want %q", c[0], got, c[1])
		}
	}
}
