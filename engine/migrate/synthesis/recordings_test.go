package synthesis

import (
	"io/fs"
	"os"
	"slices"
	"testing"

	"qprism/compat"
	"qprism/engine/formula"
	"qprism/engine/migrate"
	"qprism/engine/model"
	"qprism/fixtures/archive"
	"qprism/importer/cluster"
)

// recorded is the history of a recording.
func recorded(t *testing.T, name string) History {
	t.Helper()
	data, err := os.ReadFile("../../../fixtures/gridengine/8.1.9-" + name + ".tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	files, err := archive.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	h, err := historyOf(files, name)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// historyOf reads the runs of a recording: name/run1/before, name/run1/after …
func historyOf(files fs.FS, name string) (History, error) {
	dirs, err := fs.Glob(files, "*/run*/*")
	if err != nil || len(dirs) == 0 {
		dirs, err = fs.Glob(files, "run*/*")
	}
	if err != nil {
		return nil, err
	}
	var runs []Run
	for _, dir := range dirs {
		bundle, err := fs.Sub(files, dir)
		if err != nil {
			return nil, err
		}
		s, err := cluster.Read(bundle, cluster.Options{})
		if err != nil {
			return nil, err
		}
		_, q := compat.For(s.Release)
		if r, err := Look(name+"/"+dir, s, q); err == nil {
			runs = append(runs, r)
		}
	}
	return NewHistory(runs), nil
}

// translated is the translated cluster with the jobs of a run. It knows by name what the formulas made here read.
func translated(h History) Base {
	return func(s *model.Snapshot) *model.Snapshot {
		i := slices.IndexFunc(h, func(r Run) bool { return r.Snapshot == s })
		to := migrate.Translate([]*model.Snapshot{s}, nil).Jobs(s, h[i].At)
		for _, name := range formula.StandardNames().Numeric {
			own := model.Resource{Name: name, Type: model.TypePBSLong, BuiltIn: true}
			to.Resources = append(slices.Clip(to.Resources), own)
		}
		return to
	}
}

// resourcesOf tells what the entries of the newest run's complex are in PBS.
func resourcesOf(h History) Resources {
	t := migrate.Translate([]*model.Snapshot{h[len(h)-1].Snapshot}, nil)
	return t.Resource
}
