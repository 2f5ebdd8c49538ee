package fairshare_test

import (
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"qprism/engine/model"
	recordings "qprism/fixtures/pbs"
	"qprism/importer/pbs"
)

// files are those of the recordings of OpenPBS 23.06.06, by path: "scenario/step/usage".
func files(t *testing.T) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	for _, name := range recordings.Scenarios() {
		scenario, err := recordings.Scenario(name)
		if err != nil {
			t.Fatal(err)
		}
		err = fs.WalkDir(scenario, ".", func(file string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() {
				all[strings.ReplaceAll(name, "-", "_")+"/"+file], err = fs.ReadFile(scenario, file)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// snapshots are the folders that show what pbsfs -p printed.
func snapshots(all map[string][]byte) (folders []string) {
	for name := range all {
		if path.Base(name) == "pbsfs_p.txt" {
			folders = append(folders, path.Dir(name))
		}
	}
	slices.Sort(folders)
	return folders
}

// known is what the files of one folder tell the scheduler.
func known(t *testing.T, all map[string][]byte, folder string) model.Fairshare {
	t.Helper()
	bundle := fstest.MapFS{}
	for name, data := range all {
		if path.Dir(name) == folder && slices.Contains([]string{"resource_group", "usage", "sched_config"}, path.Base(name)) {
			bundle[path.Base(name)] = &fstest.MapFile{Data: data}
		}
	}
	return imported(t, bundle)
}

// imported is what a bundle holds of fairshare.
func imported(t *testing.T, bundle fstest.MapFS) model.Fairshare {
	t.Helper()
	s, err := pbs.Read(bundle, pbs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s.PBS.Fairshare
}

func groups(t *testing.T, resourceGroup []byte) []model.ResourceGroup {
	t.Helper()
	return imported(t, fstest.MapFS{"resource_group": {Data: resourceGroup}}).Groups
}

func usage(t *testing.T, file []byte) model.FairshareUsage {
	t.Helper()
	return imported(t, fstest.MapFS{"usage": {Data: file}}).Usage
}

func factor(t *testing.T, s string) float32 {
	t.Helper()
	f, err := strconv.ParseFloat(s, 32)
	if err != nil {
		t.Fatal(err)
	}
	return float32(f)
}

func integer(t *testing.T, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// clock reads hours, minutes and seconds.
func clock(t *testing.T, s string) time.Duration {
	t.Helper()
	seconds := 0
	for part := range strings.SplitSeq(s, ":") {
		seconds = 60*seconds + integer(t, part)
	}
	return time.Duration(seconds) * time.Second
}
