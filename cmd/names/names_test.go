package names

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// answers puts a getent before all others, which knows names that no file of this machine has.
func answers(t *testing.T) {
	t.Helper()
	folder := t.TempDir()
	script := `#!/bin/sh
case "$1 $2" in
"group chemists-of-ldap") echo "chemists-of-ldap:*:70123:anna,ben" ;;
"ahosts master-of-nis.invalid") printf '%s\n' "192.0.2.7 STREAM master" "192.0.2.7 DGRAM" "2001:db8::7 STREAM" ;;
*) exit 2 ;;
esac
`
	if err := os.WriteFile(filepath.Join(folder, "getent"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", folder+":"+os.Getenv("PATH"))
}

func TestAGroupThatOnlyGetentKnowsIsFound(t *testing.T) {
	answers(t)
	if number, err := Group("chemists-of-ldap"); number != 70123 || err != nil {
		t.Errorf("the number is %d, error %v", number, err)
	}
	if number, err := Group("root"); number != 0 || err != nil {
		t.Errorf("the number of root is %d, error %v", number, err)
	}
	if _, err := Group("nobody-knows-it"); err == nil {
		t.Error("a group that nobody knows is found")
	}
	if _, err := Group("--help"); err == nil {
		t.Error("an option passes as a name")
	}
}

func TestAHostThatOnlyGetentKnowsIsFound(t *testing.T) {
	answers(t)
	found, err := Host(t.Context(), "master-of-nis.invalid")
	if want := []string{"192.0.2.7", "2001:db8::7"}; !slices.Equal(found, want) || err != nil {
		t.Errorf("found %q, error %v, want %q", found, err, want)
	}
	if _, err := Host(t.Context(), "unknown-everywhere.invalid"); err == nil {
		t.Error("a host that nobody knows is found")
	}
}

func TestTheUserHasANameAndAHome(t *testing.T) {
	name, home, err := User()
	if name == "" || home == "" || err != nil {
		t.Errorf("name %q, home %q, error %v", name, home, err)
	}
}
