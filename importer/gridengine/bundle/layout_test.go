package bundle

import (
	"slices"
	"testing"

	"qprism/importer/gridengine/expect"
	"qprism/importer/source"
)

func TestASnapshotSaysWhichFilesItIsFrom(t *testing.T) {
	r := New(expect.Bundle(map[string]string{
		"qstat.xml":   "<job_info/>",
		"users/b.txt": "name b\noticket 0\nfshare 0\ndelete_time 0\ndefault_project NONE\n",
		"users/a.txt": "name a\noticket 0\nfshare 0\ndelete_time 0\ndefault_project NONE\n",
		"rqs.txt":     "", "messages": "", "qstat-pri.txt": "", "scenario.json": "{}", "users/c.bak": "",
		"notes": "", "odd/a.txt": "",
	}), source.Options{})
	if err := CheckFiles(r); err != nil {
		t.Fatal(err)
	}
	snap := r.Snap
	expect.Same(t, "has", snap.Has, []string{"messages", "qstat.xml", "rqs.txt", "users/a.txt", "users/b.txt"})
	if slices.Contains(snap.Missing, "users/") || slices.Contains(snap.Missing, "rqs/") ||
		!slices.Contains(snap.Missing, "queues/") ||
		len(snap.Missing) != len(layout)-len(seldom)-4 || !slices.IsSorted(snap.Missing) {
		t.Errorf("missing: %v", snap.Missing)
	}
	if !snap.HasFile("users/") || !snap.HasFile("rqs/") || snap.HasFile("pes/") {
		t.Error("HasFile does not know folders")
	}
	var unknown []string
	for _, u := range snap.Unknown {
		unknown = append(unknown, u.File)
	}
	expect.Same(t, "unknown", unknown, []string{"notes", "odd/a.txt", "users/c.bak"})
}
