package schedule

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"qprism/compat"
	"qprism/engine/model"
)

// The example of five licences of the design of reservations: job 1 takes four for 30 s, job 2 wants all five, job 3
// wants one for 31 s; the standard DURATION_OFFSET adds 60 s to each.
func licences() *lab {
	l := newLab(4, 1).consumable("license", "5", model.ConsumeYes)
	l.Policy.Params = nil
	l.submit("-l license=4,h_rt=30 -R y")
	l.submit("-l license=5,h_rt=30 -R y")
	l.submit("-l license=1,h_rt=31 -R y")
	return l
}

func TestLicencesAreReservedAsTheReleaseDoes(t *testing.T) {
	for profile, want := range map[string]string{
		// a queue instance chosen before is free at time 0, so that the reservation lands in 1970 and holds nobody back
		"8.1.9": "1 starts on a; 2 is reserved for on a at 0; 3 starts on b",
		"6.2u5": "1 starts on a; 2 is reserved for on a at 0; 3 starts on b",
		"6.1":   "1 starts on a; 2 is reserved for on b at +90; 3 is reserved for on b at +180",
		"fixed": "1 starts on a; 2 is reserved for on b at +90; 3 is reserved for on b at +180",
	} {
		expect(t, profile, licences(), compat.Profiles[profile], want)
	}
}

func TestScheduleLinesOfTheLicences(t *testing.T) {
	var got []string
	for _, l := range licences().plan(compat.Profiles["8.1.9"]).Lines {
		got = append(got, fmt.Sprintf("%d:%d:%s:%d:%d:%s:%s:%s:%f", l.Job, l.Task, l.State, l.Start.Unix(),
			int64(l.Duration/time.Second), l.Level, l.Object, l.Resource, l.Amount))
	}
	want := `1:1:STARTING:2000000:90:G:global:license:4.000000
1:1:STARTING:2000000:90:Q:all.q@a:slots:1.000000
2:1:RESERVING:0:90:G:global:license:5.000000
2:1:RESERVING:0:90:Q:all.q@a:slots:1.000000
3:1:STARTING:2000000:91:G:global:license:1.000000
3:1:STARTING:2000000:91:Q:all.q@b:slots:1.000000`
	if strings.Join(got, "\n") != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
}

func TestPictureOfTheLicences(t *testing.T) {
	p := licences().plan(compat.Profiles["fixed"])
	u := p.Utilization[0]
	if u.Level != "G" || u.Resource != "license" || u.Total != 5 {
		t.Fatalf("got %+v", u)
	}
	var got []string
	for _, s := range u.Steps {
		got = append(got, fmt.Sprintf("%+d:%g", s.At.Unix()-noon.Unix(), s.Amount))
	}
	if text := strings.Join(got, " "); text != "+0:4 +90:5 +180:1 +271:0" {
		t.Errorf("licences over time: %s", text)
	}
}
