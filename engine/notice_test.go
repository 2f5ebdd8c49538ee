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
