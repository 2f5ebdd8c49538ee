package engine_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestTheNoticeNamesEveryModule of go.mod, at its own line.
func TestTheNoticeNamesEveryModule(t *testing.T) {
	notice, err := os.ReadFile("../NOTICE")
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	modules := regexp.MustCompile(`(?m)^\t([a-z]\S+?)(/v[0-9]+)? v\S+`).FindAllStringSubmatch(string(mod), -1)
	if len(modules) < 10 {
		t.Fatalf("go.mod has %d modules", len(modules))
	}
	for _, m := range modules {
		if !strings.Contains(string(notice), "\n"+m[1]) {
			t.Errorf("NOTICE does not name %s", m[1])
		}
	}
}

// TestTheNoticeNamesEveryPackageOfNPM holds the same for the tests of the page.
func TestTheNoticeNamesEveryPackageOfNPM(t *testing.T) {
	notice, err := os.ReadFile("../NOTICE")
	if err != nil {
		t.Fatal(err)
	}
	lock, err := os.ReadFile("../cmd/qprism/view/package-lock.json")
	if err != nil {
		t.Fatal(err)
	}
	packages := regexp.MustCompile(`"node_modules/(\S+?)": \{`).FindAllStringSubmatch(string(lock), -1)
	if len(packages) == 0 || strings.Contains(string(lock), `"resolved"`) {
		t.Error("package-lock.json names no package, or the host that one came from (npm install --omit-lockfile-registry-resolved)")
	}
	for _, m := range packages {
		if !strings.Contains(string(notice), "\n"+m[1]+" (npm)\n") {
			t.Errorf("NOTICE does not name %s", m[1])
		}
	}
}
