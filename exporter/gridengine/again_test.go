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

// A renumberedMaster has a job 7 of ben's, held and with the very list that was taken of ann's job 7 before the numbers began anew.
type renumberedMaster struct {
	hungMaster
	altered []string
}

func (m *renumberedMaster) Run(ctx context.Context, commands [][]string) ([]exporter.Result, error) {
	results, err := m.hungMaster.Run(ctx, commands)
	for i, argv := range commands {
		if argv[0] == "qalter" {
			m.altered = append(m.altered, strings.Join(argv, " "))
		}
		results[i].Out = strings.Replace(results[i].Out, "<JB_hard_resource_list>",
			"<JB_owner>ben</JB_owner><JB_submission_time>1795299999</JB_submission_time><JB_hard_resource_list>", 1)
	}
	return results, err
}

// TestADriveGivesNothingBackToAJobThatHasTheNumberNow: neither to another owner's job, nor to a later one of the same owner, while the job
// itself gets all back.
func TestADriveGivesNothingBackToAJobThatHasTheNumberNow(t *testing.T) {
	const was, narrowed = "h_rt=3600", "h_rt=3600,hostname=node1,qname=all.q"
	for _, c := range []struct {
		whose string
		hit   bool
	}{{"ben 1795299999", true}, {"ben", true}, {"", true}, {"ann 1795299999", false}, {"ben 1795290000", false}} {
		m := &renumberedMaster{hungMaster: hungMaster{list: narrowed, held: true}}
		j := &openDrive{model.Drive{ID: 1, System: model.GridEngine,
			Claims: []model.Claim{{Job: "7", Attribute: "hold", Becomes: "1", State: model.OrderConfirmed, Whose: c.whose},
				{Job: "7", Attribute: "hard", Was: was, Becomes: narrowed, State: model.OrderConfirmed, Whose: c.whose}}}}
		var said []string
		v := &drive.Driver{Journal: j, Controller: exporter.Controller{Runner: m, Locks: j, Limits: exporter.Gentle,
			Now:   func() time.Time { return time.Unix(1, 0) },
			Sleep: func(context.Context, time.Duration) error { return nil }, Tell: func(text string) { said = append(said, text) }}}
		s, err := v.Resume(context.Background(), "")
		if err != nil {
			t.Fatal(err)
		}
		d := &gridengine.Dispatcher{Session: s}
		if err := d.Release(context.Background()); err != nil || j.Ended.IsZero() {
			t.Errorf("%q: %v", c.whose, err)
		}
		told := slices.ContainsFunc(said, func(text string) bool {
			return strings.Contains(text, "another job has the number now: 7 belongs to ben")
		})
		if hit := len(m.altered) > 0; hit != c.hit || told == c.hit || (m.list == was) != c.hit {
			t.Errorf("of %q: sent %q, said %q, the list is %s", c.whose, m.altered, said, m.list)
		}
	}
}
