package gridengine_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"qprism/engine/model"
	"qprism/exporter"
	"qprism/exporter/drive"
	"qprism/exporter/gridengine"
)

// A waitingMaster has four waiting jobs, of which the last is held.
type waitingMaster struct{ altered []string }

func (m *waitingMaster) Run(_ context.Context, commands [][]string) (results []exporter.Result, err error) {
	for _, argv := range commands {
		out := "<job_info>"
		switch text := strings.Join(argv, " "); {
		case argv[0] == "qalter":
			m.altered = append(m.altered, text)
		case strings.Contains(text, "-j"):
			out += "<djob_info>"
			for _, n := range []string{"1", "2", "3", "4"} {
				out += "<element><JB_job_number>" + n + "</JB_job_number></element>"
			}
			out += "</djob_info>"
		default:
			for _, n := range []string{"1", "2", "3"} {
				if strings.Contains(text, "-g t") {
					out += "<job_list><JB_job_number>" + n + "</JB_job_number><JB_priority>0</JB_priority><state>qw</state></job_list>"
				}
			}
			if !strings.Contains(text, "huhshd") {
				out += "<job_list><JB_job_number>4</JB_job_number><JB_priority>0</JB_priority><state>hqw</state></job_list>"
			}
		}
		results = append(results, exporter.Result{Out: out + "</job_info>"})
	}
	return results, nil
}

// TestWhatMustNotStartIsToldFirst: the scheduler may run between any two calls of a step. What must not
// start comes before what may start instead of it, then where jobs may start, and the order last, in which
// the wanted ones come first.
func TestWhatMustNotStartIsToldFirst(t *testing.T) {
	m := &waitingMaster{}
	j := &openDrive{model.Drive{ID: 1, System: model.GridEngine,
		Claims: []model.Claim{{Job: "4", Attribute: "hold", Becomes: "1", State: model.OrderConfirmed}}}}
	v := &drive.Driver{Journal: j, Controller: exporter.Controller{Runner: m, Locks: j, Limits: exporter.Gentle,
		Now:   func() time.Time { return time.Unix(1, 0) },
		Sleep: func(context.Context, time.Duration) error { return nil }, Tell: func(text string) { t.Log(text) }}}
	s, err := v.Resume(context.Background(), "")
	if err != nil {
		t.Fatal(err)
	}
	one, level := model.TaskSet{1: true}, func(p int) *int { return &p }
	wanted := map[string]drive.Wanted{"1": {P: level(30)}, "2": {P: level(20), Hosts: "(node1)"},
		"3": {P: level(10), Hold: one},
		"4": {P: level(5)}}
	if _, _, err := (&gridengine.Dispatcher{Session: s}).Steer(context.Background(), wanted, 10); err != nil {
		t.Fatal(err)
	}
	want := []string{"qalter -p 10 -h o 3", "qalter -p 5 -h O 4", "qalter -p 20 -l hostname=(node1) 2", "qalter -p 30 1"}
	if !slices.Equal(m.altered, want) {
		t.Errorf("called\n%s\nwant\n%s", strings.Join(m.altered, "\n"), strings.Join(want, "\n"))
	}
}
