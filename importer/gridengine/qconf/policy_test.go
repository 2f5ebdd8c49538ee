package qconf

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"qprism/importer"
	"qprism/importer/gridengine/bundle"
	"qprism/importer/gridengine/expect"
	"qprism/importer/source"
)

func TestAPolicyIsReadAlone(t *testing.T) {
	files, closer, err := importer.Open("../testdata/8.1.9-usage.tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer closer.Close()
	text, err := fs.ReadFile(files, "sched_conf.txt")
	if err != nil {
		t.Fatal(err)
	}
	folder := fstest.MapFS{"my policy": {Data: text}, "sched_conf.txt": {Data: []byte("not this one")}}
	got, err := ReadPolicy(folder, "my policy")
	if err != nil {
		t.Fatal(err)
	}
	r := bundle.New(files, source.Options{})
	if err := Read(r); err != nil {
		t.Fatal(err)
	}
	expect.Same(t, "policy", got, r.Snap.Policy)
}

func TestAnErrorInAPolicyNamesTheFile(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"a value":       {"schedule_interval soon\n", `p:1: schedule_interval`},
		"a missing key": {"schedule_interval 0:0:15\n", `p: `},
		"nothing":       {"", `p: empty`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ReadPolicy(fstest.MapFS{"p": {Data: []byte(c.text)}}, "p")
			if err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
	if _, err := ReadPolicy(fstest.MapFS{}, "p"); err == nil || err.Error() != "p: file does not exist" {
		t.Errorf("of no file: %v", err)
	}
}
