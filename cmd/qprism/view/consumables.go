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
		plan, err := a.nextRun(about)
		if err != nil {
			return []byte("[]"), nil
		}
		return show.Marshal(consumable.Of(about.Snapshot, plan))
	})
}
