package audit

import (
	"strings"
	"testing"
	"time"

	"qprism/engine/gridengine/split"
)

// TestJobsOfTheRunsSecondMayHaveComeLater: of three jobs that were submitted in that second the run knew the first one only.
func TestJobsOfTheRunsSecondMayHaveComeLater(t *testing.T) {
	for _, reports := range []bool{true, false} {
		s := cluster(running(1, "a", 90*time.Second, 30*time.Second), running(2, "b", 90*time.Second, 30*time.Second),
			waiting(3, "b", 0), waiting(4, "b", 0), waiting(5, "a", 0))
		s.Policy.ReportPendingTickets = reports
		s.Jobs[4].JobShare, s.Policy.WeightJob = 100, 1
		print(s, split.Assumed{Later: 4})
		if later := s.Jobs[3].Tasks[0].Reported; later.Prio != 0 || later.Ftckt != 0 {
			t.Errorf("job 4 has %+v", later)
		}
		r := run(s)
		allAgree(t, r)
		if r.Moment.Later != 4 || !strings.HasSuffix(r.Moment.Source, "; job 4 was submitted later in that second") {
			t.Errorf("with report_pjob_tickets %v: %+v", reports, r.Moment)
		}
		print(s, split.Assumed{})
		if r := run(s); !r.Agrees() || r.Moment.Later != 0 {
			t.Errorf("with report_pjob_tickets %v a run that knew all: %+v %+v", reports, r.Moment, r.Disagreements)
		}
	}
}
