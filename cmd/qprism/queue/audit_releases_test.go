package queue

import (
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"qprism/cmd/qprism/recorded"
	"qprism/cmd/qprism/subject"
)

// unversioned is a bundle without the file that tells the release.
type unversioned struct{ fs.FS }

func (u unversioned) Open(name string) (fs.File, error) {
	if name == "qstat-help.txt" {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return u.FS.Open(name)
}

// TestTryReleasesNamesTheReleaseOfEveryRecording: by the numbers, and by the shape of the files where several explain all of them.
func TestTryReleasesNamesTheReleaseOfEveryRecording(t *testing.T) {
	families := map[string]string{"6.2u5": "6.2u5", "8.1.9": "8.1.9", "9.0.13": "9.0", "9.1.4": "9.1", "9.2.0prealpha": "9.1"}
	bundles := recorded.Recordings(t)
	maps.Copy(bundles, recorded.OfCluster(t))
	maps.Copy(bundles, recorded.OfSun(t))
	seen := map[string]int{}
	for name, bundle := range bundles {
		release, _, _ := strings.Cut(name, "-")
		s := recorded.Read(t, unversioned{bundle})
		fits, err := tryReleases(t.Context(), &subject.Subject{Snapshot: s})
		if err != nil {
			t.Fatal(err)
		}
		if best := bestOf(fits, s); !slices.Equal(best, []string{families[release]}) {
			t.Errorf("%s: %v fit best: %v", name, best, fits)
		}
		seen[release]++
	}
	if len(seen) != len(families) {
		t.Errorf("recordings of %v, want of %v", seen, families)
	}
}
