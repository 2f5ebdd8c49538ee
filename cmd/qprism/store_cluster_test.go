package main

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/keep"
	"qprism/cmd/qprism/subject"
)

// TestClustersOfTheStoreAreNamedAsPeopleNameThem: by master and cell, or as serve's configuration calls them. Without a name it is
// that of the latest snapshot, which an example is only where there is nothing else.
func TestClustersOfTheStoreAreNamedAsPeopleNameThem(t *testing.T) {
	d := &cli.Deps{Store: filepath.Join(t.TempDir(), "store.db"), Format: "table"}
	store, err := subject.MakeStore(d)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	ctx := context.Background()
	keep := func(path, source string) {
		t.Helper()
		if _, err := keep.KeepBundle(ctx, store, keep.ImportOptions{NoAnalysis: true}, path, source); err != nil {
			t.Fatal(err)
		}
	}
	is := func(name, want string) {
		t.Helper()
		if got, err := subject.ClusterOf(ctx, store, name); err != nil || got != want {
			t.Errorf("%q is %q instead of %q, %v", name, got, want, err)
		}
	}
	keep("example:pbs-tree", "example:pbs-tree")
	keep("example:large-parallel", "example:large-parallel")
	is("", "example:large-parallel")
	keep(geFixtures+"8.1.9-blog-all-policies-off.tar.gz/run1/after", subject.CaptureOf("lab"))
	is("", "vm/default")
	is("lab", "vm/default")
	is("vm/default", "vm/default")
	is("example:pbs-tree", "example:pbs-tree")
	if _, err := subject.ClusterOf(ctx, store, "bonn"); err == nil ||
		!strings.Contains(err.Error(), `no cluster "bonn"; it has example:large-parallel, example:pbs-tree, vm/default`) {
		t.Errorf("one that is not there: %v", err)
	}
}
