package lastrun

import (
	"math"
	"testing"
	"time"

	"qprism/engine/model"
)

var noon = time.Unix(2_000_000, 0).UTC()

func job(number uint32, age time.Duration, t model.Task) model.Job {
	t.IDs = []model.Range{{Min: 1, Max: 1, Step: 1}}
	return model.Job{Number: number, Submitted: noon.Add(-age), Tasks: []model.Task{t}}
}

// TestAJobThatStartedInItsSecondWasKnown, and so were those before it.
func TestAJobThatStartedInItsSecondWasKnown(t *testing.T) {
	waits := model.Task{State: "qw"}
	s := &model.Snapshot{Jobs: []model.Job{job(1, time.Minute, waits), job(3, 0, waits), job(4, 0, model.Task{State: "r", Started: noon}),
		job(6, 0, waits), job(5, 0, waits)}}
	if got := firstLater(s, Moment{At: noon}); len(got) != 2 || got[0] != 5 || got[1] != 6 {
		t.Errorf("got %v, want 5 and 6", got)
	}
}

func TestTicketsWrapAt32BitsInXML(t *testing.T) {
	if !Tckts.Same(25000259994, -769543782) || Tckts.Same(25000259994, -769543781) || Prio.Same(math.NaN(), math.NaN()) {
		t.Error("tickets are compared as 32-bit integers, and nothing is like what is not known")
	}
}
