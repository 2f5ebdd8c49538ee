package drive

import (
	"fmt"
	"strings"

	"qprism/engine/gridengine/dispatch"
	"qprism/engine/model"
)

// own says which jobs are driven.
type own struct {
	dispatch.Choice
	words string
}

// ParseOwn reads --own: the jobs that a drive may change.
func ParseOwn(texts []string) (o own, err error) {
	if len(texts) == 0 {
		return o, fmt.Errorf("name the jobs to control: --own all, user=A,B, project=A, group=A or job=1,2")
	}
	o.words = strings.Join(texts, " ")
	if o.Choice, err = dispatch.Choose(texts); err != nil {
		err = fmt.Errorf("--own %w", err)
	}
	return o, err
}

// has reports whether a job is driven. Interactive and immediate jobs cannot wait, so they are not.
func (o own) has(j *model.Job) bool {
	const cannotWait = 0x1f // JB_type: immediate, qsh, qlogin, qrsh, qrlogin
	return j.Type&cannotWait == 0 && o.Has(j)
}

// waiting returns the waiting tasks of jobs of the drive that have no hold except one of the drive.
func (o own) waiting(s *model.Snapshot, held map[uint32]model.TaskSet) map[uint32]model.TaskSet {
	list := map[uint32]model.TaskSet{}
	for i := range s.Jobs {
		if j := &s.Jobs[i]; o.has(j) {
			tasks := dispatch.Waiting(j)
			if all := unheld(j).With(held[j.Number]).And(tasks); len(all) > 0 {
				list[j.Number] = all
			}
		}
	}
	return list
}

// unheld returns the waiting tasks of a job without a hold.
func unheld(j *model.Job) model.TaskSet {
	free := model.TaskSet{}
	for _, t := range j.Tasks {
		if t.State == "qw" || t.State == "Rq" {
			free = free.With(model.TasksOf(t.IDs))
		}
	}
	return free
}
