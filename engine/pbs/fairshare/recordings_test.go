package fairshare_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"qprism/engine/pbs/fairshare"
)

// figure is a number as pbsfs prints it.
var figure = regexp.MustCompile(`-?\d+(\.\d+)?`)

// counter compares texts, and counts the numbers in those that agree.
type counter struct {
	t       *testing.T
	texts   int
	numbers int
}

func (c *counter) compare(name, got, want string) {
	c.t.Helper()
	if c.texts++; got != want {
		c.t.Errorf("%s: computed\n%swant\n%s", name, got, want)
		return
	}
	for line := range strings.Lines(want) {
		if label, values, ok := strings.Cut(line, ": "); ok && label != "fairshare entity" {
			c.numbers += len(figure.FindAllString(values, -1))
		}
	}
}

func TestEverythingThatPbsfsPrintedIsRecomputedFromTheFiles(t *testing.T) {
	all := files(t)
	list, outline, show := counter{t: t}, counter{t: t}, counter{t: t}
	pairs := 0
	for _, folder := range snapshots(all) {
		f := known(t, all, folder)
		tree := fairshare.Build(f)
		if len(tree.Rejected) > 0 {
			t.Errorf("%s: rejected %v", folder, tree.Rejected)
		}
		list.compare(folder, tree.List(f.Policy.UsageResource), string(all[folder+"/pbsfs_p.txt"]))
		if want, ok := all[folder+"/pbsfs_t.txt"]; ok {
			outline.compare(folder, tree.Outline(), string(want))
		}
		for n := range tree.All() {
			if want, ok := all[folder+"/pbsfs_g_"+n.Name+".txt"]; ok {
				show.compare(folder+" "+n.Name, n.Show(f.Policy.UsageResource), string(want))
			}
		}
		pairs += comparePairs(t, folder, tree, all[folder+"/pbsfs_c.json"])
	}
	t.Logf("pbsfs -p %d texts with %d numbers, -t %d texts, -g %d texts with %d numbers, -c %d pairs",
		list.texts, list.numbers, outline.texts, show.texts, show.numbers, pairs)
	if list.texts != 134 || outline.texts != 39 || show.texts != 166 || pairs == 0 {
		t.Error("not everything that was recorded was compared")
	}
}

// comparePairs compares what pbsfs -c printed.
func comparePairs(t *testing.T, folder string, tree *fairshare.Tree, data []byte) int {
	t.Helper()
	if data == nil {
		return 0
	}
	var pairs []struct{ A, B, Out string }
	if err := json.Unmarshal(data, &pairs); err != nil {
		t.Fatal(err)
	}
	for _, p := range pairs {
		if got := fairshare.Winner(tree.Find(p.A), tree.Find(p.B)); got != p.Out {
			t.Errorf("%s: pbsfs -c %s %s: %q, want %q", folder, p.A, p.B, got, p.Out)
		}
	}
	return len(pairs)
}
