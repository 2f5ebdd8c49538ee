package qconf

import (
	"fmt"
	"strings"
	"testing"

	"qprism/engine/model"
	"qprism/importer/gridengine/expect"
	"qprism/importer/source"
)

func TestAShareTreeIsInTheOrderOfChildnodes(t *testing.T) {
	s := mustRead(t, readShareTree, "share_tree.txt", `id=7
name=default
type=0
shares=0
childnodes=NONE
id=0
name=Root
type=0
shares=1
childnodes=3,7,
id=3
name=p 1=x
type=1
shares=4294967295
childnodes=4
id=4
name=usr0
type=0
shares=10
childnodes=NONE
`)
	expect.Same(t, "tree", s.ShareTree, &model.ShareNode{Name: "Root", Shares: 1, Children: []*model.ShareNode{
		{Name: "p 1=x", Project: true, Shares: 4294967295, Children: []*model.ShareNode{{Name: "usr0", Shares: 10}}},
		{Name: "default"},
	}})
}

func TestALongListOfChildrenIsBroken(t *testing.T) {
	tree := mustRead(t, readShareTree, "share_tree.txt", readFile(t, "odd/share_tree.txt")).ShareTree
	if len(tree.Children) != 60 || tree.Children[25].Name != "u26" || tree.Children[59].Shares != 60 {
		t.Errorf("%d children: %s", len(tree.Children), expect.Show(tree))
	}
}

func TestWithoutAShareTreeThereIsNoError(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"no file":         {},
		"an empty file":   {"share_tree.txt": ""},
		"qconf's message": {"share_tree.txt": "no sharetree element\n"},
		"a command that failed": {"share_tree.txt": "kein Baum\n",
			"MANIFEST": "command share_tree.txt rc=1 qconf -sstree\n"},
		"nothing but a comment":   {"share_tree.txt": "# nothing\n"},
		"a failure without words": {"share_tree.txt": "", "MANIFEST": "command share_tree.txt rc=1 qconf -sstree\n"},
	} {
		s, err := readStep(expect.Bundle(files), source.Options{}, readShareTree)
		if err != nil || s.ShareTree != nil {
			t.Errorf("%s: %v, %v", name, s.ShareTree, err)
		}
	}
}

func shareNode(id, children string) string {
	return "id=" + id + "\nname=n" + id + "\ntype=0\nshares=1\nchildnodes=" + children + "\n"
}

func TestAShareTreeThatIsTooDeepIsRefused(t *testing.T) {
	deep := ""
	for i := range maxShareDepth + 1 {
		deep += shareNode(fmt.Sprint(i), fmt.Sprint(i+1))
	}
	deep += shareNode(fmt.Sprint(maxShareDepth+1), "NONE")
	refuses(t, "share_tree.txt", deep, `share_tree.txt:1286: nested deeper than 256: "id=257"`)
}

func TestAShareTreeOfTheDeepestKindIsRead(t *testing.T) {
	var b strings.Builder
	for i := range maxShareDepth {
		b.WriteString(shareNode(fmt.Sprint(i), fmt.Sprint(i+1)))
	}
	b.WriteString(shareNode(fmt.Sprint(maxShareDepth), "NONE"))
	if mustRead(t, readShareTree, "share_tree.txt", b.String()).ShareTree == nil {
		t.Error("no tree")
	}
}
