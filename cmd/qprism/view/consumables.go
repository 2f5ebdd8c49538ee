package view

import (
	"context"

	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/consumable"
)

// consumables says which jobs hold and which request consumables.
func (s *Site) consumables(ctx context.Context, a *Answers, _ *Cluster, m *Moment) (*packed, error) {
	return a.about(ctx, m, "consumables", func(about *subject.Subject) ([]byte, error) {
		if _, err := about.Moment(); err != nil {
			return nil, err
		}
		plan, err := a.nextRun(about)
		if err != nil { // a listing of jobs has no resources
			return []byte("[]"), nil
		}
		return show.Marshal(consumable.Of(about.Snapshot, plan))
	})
}
