package split

import (
	"fmt"
	"testing"

	"qprism/engine/model"
)

// TestTheJobFilterShowsARunAsManyJobsOfAKindAsSlotsAreFree: five at least, those with -R y and what has begun all the same.
func TestTheJobFilterShowsARunAsManyJobsOfAKindAsSlotsAreFree(t *testing.T) {
	s := &model.Snapshot{Policy: model.Policy{Params: []model.Setting{{Name: "JC_FILTER", Value: "1"}}},
		Instances: []model.QueueInstance{{Name: "a", Slots: 2, Listed: true}}}
	add := func(owner string, change func(*model.Job)) {
		j := model.Job{Number: uint32(len(s.Jobs) + 1), Owner: owner, Submitted: noon.Add(-1), Tasks: []model.Task{{IDs: ids("1"), State: "qw"}}}
		if change != nil {
			change(&j)
		}
		s.Jobs = append(s.Jobs, j)
	}
	add("anna", func(j *model.Job) { j.PERange = []model.Range{{Min: 3, Max: 9, Step: 1}}; j.PE = "mpi" }) // 1: counts 3
	for range 2 {
		add("ben", nil) // 2, 3
	}
	add("ben", func(j *model.Job) { // 4: held, counts 3
		j.Array, j.Structure, j.Tasks = true, ids("1-5:2"), []model.Task{{IDs: ids("1-5:2"), State: "hqw"}}
	})
	add("ben", nil)                                     // 5: hidden
	add("ben", func(j *model.Job) { j.Reserve = true }) // 6
	add("ben", func(j *model.Job) {
		j.Tasks[0] = model.Task{IDs: ids("1"), State: "r", Enrolled: true, Started: noon.Add(-1)}
	}) // 7
	add("ben", func(j *model.Job) { j.Hard = []model.Request{{Resource: "h_rt", Value: "60"}} })           // 8: of another kind
	add("anna", func(j *model.Job) { j.PERange = []model.Range{{Min: 3, Max: 9, Step: 1}}; j.PE = "mpi" }) // 9: 3 are less than 5
	add("anna", func(j *model.Job) { j.PERange = []model.Range{{Min: 3, Max: 9, Step: 1}}; j.PE = "mpi" }) // 10: hidden

	lists := Jobs(s, noon, model.Quirks{}, Assumed{})
	if got := numbers(lists.Pending); got != "1 9 2 3 6 8" {
		t.Errorf("the run sees %s", got)
	}
	if got := numbers(lists.Running); got != "7" {
		t.Errorf("of what runs it sees %s", got)
	}
	if got := numbers(lists.Blocked); got != "4 10 5" || len(lists.Hidden) != 2 || !lists.Hidden[5] || !lists.Hidden[10] {
		t.Errorf("aside are %s, hidden %v", got, lists.Hidden)
	}
	s.Policy.Params[0].Value = "0"
	if lists := Jobs(s, noon, model.Quirks{}, Assumed{}); len(lists.Pending) != 8 || lists.Hidden != nil {
		t.Errorf("without the filter it sees %s", numbers(lists.Pending))
	}
}

func numbers(list []Entry) (text string) {
	for i, e := range list {
		if i > 0 {
			text += " "
		}
		text += fmt.Sprint(e.Job.Number)
	}
	return text
}
