package cluster_test

import (
	"bytes"
	"regexp"
	"testing"
	"testing/fstest"

	"qprism/importer/anonymize"
	"qprism/importer/cluster"
	"qprism/importer/source"
)

// names are those of people, hosts and jobs in the forms.
var names = regexp.MustCompile(
	`(?i)\b(alice|bob|carol|dave|eve|gpu_ded|cryosparc_|node0?\d|example\.org|pbspl1|C006ste)\b`)

// TestEveryFormIsAnonymized: what was made is read again by Run itself, and says the same; no name is left.
func TestEveryFormIsAnonymized(t *testing.T) {
	for form, text := range cluster.Forms() {
		bundle := fstest.MapFS{"mail from alice": {Data: []byte(text)}}
		want, err := cluster.Read(bundle, cluster.Options{})
		if err != nil {
			t.Errorf("%s: %v", form, err)
			continue
		}
		result, err := anonymize.Run(bundle, anonymize.NewDictionary([]byte(form)))
		if err != nil {
			t.Errorf("%s: %v", form, err)
			continue
		}
		made := fstest.MapFS{}
		for _, f := range result.Files {
			made[f.Name] = &fstest.MapFile{Data: f.Data}
			if name := names.Find(bytes.Join([][]byte{[]byte(f.Name), f.Data}, []byte("\n"))); name != nil {
				t.Errorf("%s: %s tells %s:\n%s", form, f.Name, name, f.Data)
			}
		}
		got, err := cluster.Read(made, cluster.Options{})
		if err != nil {
			t.Errorf("%s: what was made: %v", form, err)
			continue
		}
		if got.Counts() != want.Counts() {
			t.Errorf("%s: %+v, want %+v; left out %v", form, got.Counts(), want.Counts(), result.LeftOut)
		}
		if len(result.LeftOut) > 0 {
			t.Logf("%s: left out %v", form, result.LeftOut)
		}
	}
}

// TestAListingWhoseTimesNobodyCanPlaceIsAnonymized: its zone stays unknown.
func TestAListingWhoseTimesNobodyCanPlaceIsAnonymized(t *testing.T) {
	bundle := fstest.MapFS{"qstat_f.txt": {Data: []byte("Job Id: 1.srv\n    Job_Name = a\n    job_state = Q\n    ctime = Tue Feb 22 18:26:47 2022\n")}}
	result, err := anonymize.Run(bundle, anonymize.NewDictionary([]byte("k")))
	if err != nil {
		t.Fatal(err)
	}
	made := fstest.MapFS{}
	for _, f := range result.Files {
		made[f.Name] = &fstest.MapFile{Data: f.Data}
	}
	if s, err := cluster.Read(made, cluster.Options{}); err != nil || s.Location != source.UnknownZone {
		t.Errorf("%v, zone %q", err, s.Location)
	}
}
