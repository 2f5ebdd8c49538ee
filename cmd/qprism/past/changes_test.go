package past

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"qprism/adapters/sqlite"
	"qprism/cmd/qprism/cli"
	"qprism/fixtures/pushed"
)

// storeOfPushes is a store with the pushes of two clusters, and the number of the first push of each.
func storeOfPushes(t *testing.T) (d *cli.Deps, first [2]int64) {
	t.Helper()
	d = &cli.Deps{Store: filepath.Join(t.TempDir(), "pushed.db")}
	s, err := sqlite.Open(d.Store)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for i, cluster := range []string{"bonn", "ulm"} {
		if first[i], err = pushed.Fill(t.Context(), s, cluster); err != nil {
			t.Fatal(err)
		}
	}
	return d, first
}

// changes is what the command prints.
func changes(t *testing.T, d cli.Deps, format string, args ...string) (string, error) {
	t.Helper()
	d.Format = format
	c := newChanges(&d)
	var out bytes.Buffer
	c.SetOut(&out)
	c.SilenceErrors, c.SilenceUsage = true, true
	c.SetArgs(args)
	err := c.ExecuteContext(t.Context())
	return out.String(), err
}

// TestChangesListsWhatWasPushedAndIsHeld: the newest first, with the states of the orders, what takes what back, and what a drive holds.
func TestChangesListsWhatWasPushedAndIsHeld(t *testing.T) {
	d, first := storeOfPushes(t)
	text, err := changes(t, *d, "json", "--cluster", "bonn")
	if err != nil {
		t.Fatal(err)
	}
	var list jsonChanges
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		t.Fatal(err)
	}
	if len(list.Pushes) != 2 || list.Pushes[0].Undoes != first[0] || !list.Pushes[0].Ended.IsZero() || list.Pushes[1].Push != first[0] ||
		list.Pushes[1].UndoneBy != list.Pushes[0].Push || fmt.Sprint(list.Pushes[1].States) != "map[confirmed:1 refused:1]" {
		t.Errorf("the pushes are %+v", list.Pushes)
	}
	if len(list.Drives) != 1 || len(list.Drives[0].Claims) != 1 || list.Drives[0].Cluster != "bonn" {
		t.Errorf("the drives are %+v", list.Drives)
	}
	table, err := changes(t, *d, "csv")
	if err != nil || strings.Count(table, "\n") != 1+4 {
		t.Errorf("of both clusters: %s, %v", table, err)
	}
	people, err := changes(t, *d, "table", "--cluster", "bonn")
	for _, want := range []string{"taken back by push 2", "not finished", "1 confirmed, 1 refused", "Drive 1 of bonn"} {
		if !strings.Contains(people, want) {
			t.Errorf("no %q (%v) in\n%s", want, err, people)
		}
	}
}

// TestChangesShowsThePushOfItsClusterAlone: each order with the master's words, made safe; a push of another cluster is not shown.
func TestChangesShowsThePushOfItsClusterAlone(t *testing.T) {
	d, first := storeOfPushes(t)
	text, err := changes(t, *d, "table", fmt.Sprint(first[1]), "--cluster", "ulm")
	if err != nil || !strings.Contains(text, "refused") || !strings.Contains(text, "does not exist") || strings.Contains(text, "\x1b") {
		t.Errorf("%v\n%s", err, text)
	}
	for _, args := range [][]string{{fmt.Sprint(first[1]), "--cluster", "bonn"}, {"99"}, {"-1"}, {"x"}, {"--cluster", "nowhere"}} {
		if text, err := changes(t, *d, "json", args...); err == nil {
			t.Errorf("%v: %s", args, text)
		}
	}
}
