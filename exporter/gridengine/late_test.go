package gridengine_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"qprism/engine/model"
	"qprism/exporter"
	"qprism/exporter/drive"
	"qprism/exporter/gridengine"
)

// A hungMaster has one waiting job, and an order that was sent while it hung: it carries it out after it has answered some commands.
type hungMaster struct {
	list  string // the hard -l list
	held  bool
	late  []string
	after int
}

func (m *hungMaster) Run(_ context.Context, commands [][]string) (results []exporter.Result, err error) {
	for _, argv := range commands {
		if m.after--; m.after == 0 {
			m.alter(m.late)
		}
		var out string
		switch text := strings.Join(argv, " "); {
		case argv[0] == "qalter":
			m.alter(argv)
		case strings.Contains(text, "-g t"), strings.Contains(text, "-s ho ") && m.held:
			out = "<job_list><JB_job_number>7</JB_job_number><JB_priority>0</JB_priority><state>" + map[bool]string{true: "h"}[m.held] + "qw</state></job_list>"
		case strings.Contains(text, "-j"):
			out = "<djob_info><element><JB_job_number>7</JB_job_number><JB_hard_resource_list>"
			for request := range strings.SplitSeq(m.list, ",") {
				name, value, _ := strings.Cut(request, "=")
				out += fmt.Sprintf("<q><CE_name>%s</CE_name><CE_stringval>%s</CE_stringval></q>", name, value)
			}
			out += "</JB_hard_resource_list></element></djob_info>"
		}
		results = append(results, exporter.Result{Out: "<job_info>" + out + "</job_info>"})
	}
	return results, nil
}

func (m *hungMaster) alter(argv []string) {
	if i := slices.Index(argv, "-l"); i > 0 {
		m.list = argv[i+1]
	}
	if i := slices.Index(argv, "-h"); i > 0 {
		m.held = argv[i+1] == "o"
	}
}

// An openDrive is a journal of one drive.
type openDrive struct{ model.Drive }

func (j *openDrive) Lock(context.Context, string, string) (func(), string, error) {
	return func() {}, "", nil
}
func (j *openDrive) LastPush(context.Context, string) (*model.Push, error) {
	return nil, model.ErrNoPush
}
func (j *openDrive) BeginDrive(context.Context, *model.Drive) (int64, error) { return 1, nil }
func (j *openDrive) OpenDrives(context.Context, string) ([]model.Drive, error) {
	return []model.Drive{j.Drive}, nil
}
func (j *openDrive) SaveDrive(context.Context, int64, []model.Claim) error  { return nil }
func (j *openDrive) DropClaims(context.Context, int64, []model.Claim) error { return nil }
func (j *openDrive) EndDrive(_ context.Context, _ int64, at time.Time, outcome string) error {
	j.Ended, j.Outcome = at, outcome
	return nil
}

// TestWhatWasOnItsWayIsPutRight: an order that was cut off while the master hung arrives after the first look at what there is to give
// back. All is given back all the same.
func TestWhatWasOnItsWayIsPutRight(t *testing.T) {
	const was, narrowed = "h_rt=3600", "h_rt=3600,hostname=node1,qname=all.q"
	hold := model.Claim{Job: "7", Attribute: "hold", Becomes: "1", State: model.OrderSent}
	adopted := hold
	adopted.State = model.OrderConfirmed
	list := model.Claim{Job: "7", Attribute: "hard", Was: was, Becomes: narrowed, State: model.OrderSent}
	for name, c := range map[string]struct {
		claims []model.Claim
		held   bool
		looks  int // commands, before the call that puts it right
		late   []string
	}{
		"a hold":                        {[]model.Claim{hold}, false, 1, []string{"qalter", "-h", "o", "7"}},
		"a narrower list of a held job": {[]model.Claim{adopted, list}, true, 3, []string{"qalter", "-l", narrowed, "7"}},
		"a hold and a list":             {[]model.Claim{hold, list}, false, 2, []string{"qalter", "-l", narrowed, "-h", "o", "7"}},
	} {
		for after := 1; after <= c.looks+1; after++ {
			m := &hungMaster{list: was, held: c.held, late: c.late, after: after}
			j := &openDrive{model.Drive{ID: 1, System: model.GridEngine, Claims: slices.Clone(c.claims)}}
			v := &drive.Driver{Journal: j, Controller: exporter.Controller{Runner: m, Locks: j, Limits: exporter.Gentle,
				Now:   func() time.Time { return time.Unix(1, 0) },
				Sleep: func(context.Context, time.Duration) error { return nil }, Tell: func(text string) { t.Log(text) }}}
			s, err := v.Resume(context.Background(), "")
			if err != nil {
				t.Fatal(err)
			}
			if err := (&gridengine.Dispatcher{Session: s}).Release(context.Background()); err != nil || j.Ended.IsZero() {
				t.Errorf("%s, late by %d commands: %v", name, after, err)
			}
			if m.after > 0 || m.held || m.list != was {
				t.Errorf("%s, late by %d commands: the job is held: %v, and asks for %s", name, after, m.held, m.list)
			}
		}
	}
}
