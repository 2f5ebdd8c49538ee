package serve

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"qprism/cmd/qprism/act/drive"
	"qprism/cmd/qprism/past"
	"qprism/cmd/qprism/view"
	"qprism/engine/model"
	stored "qprism/exporter/drive"
)

// giveBack is the act that restores the values of drives.
const giveBack = "give_back"

// errShown stops giving back before the first command: it was only to be shown.
var errShown = errors.New("only shown")

// planBack runs give_back up to the first command, and stores nothing.
func (s *Served) planBack(ctx context.Context, cluster, by string, p *view.Plan) error {
	err := s.back(cluster, by, func(string) {}, func(v *drive.Driver) error {
		open, err := v.Journal.OpenDrives(ctx, cluster)
		if err != nil {
			return err
		}
		for _, d := range open {
			p.Orders = append(p.Orders, past.ClaimsBack(d.Claims)...)
		}
		v.Journal, v.Silence = onlyRead{v.Journal}, -1
		v.Sees = func(commands [][]string) error {
			p.Commands = commands
			return errShown
		}
		return v.HandBack(ctx)
	})
	switch {
	case errors.Is(err, model.ErrNoDrive):
		p.Refused = "qprism drive controls no job, so there is nothing to restore"
	case !errors.Is(err, errShown):
		return err
	}
	return nil
}

// doBack restores the values that were shown. It repeats commands that failed, and sends no others.
func (s *Served) doBack(ctx context.Context, cluster, by string, plan *view.Plan, tell func(string)) (
	*view.Outcome, error) {
	o := &view.Outcome{Orders: []past.JSONOrder{}}
	err := s.back(cluster, by, func(text string) {
		o.Outcome = text
		tell(text)
	}, func(v *drive.Driver) error {
		sent := false
		v.Sees = func(commands [][]string) error {
			if sent && !slices.ContainsFunc(commands, func(argv []string) bool { return !shown(plan, argv) }) ||
				!sent && slices.EqualFunc(commands, plan.Commands, slices.Equal) {
				sent = true
				return nil
			}
			return errMovedOn
		}
		return v.HandBack(ctx)
	})
	return o, err
}

func shown(p *view.Plan, argv []string) bool {
	return slices.ContainsFunc(p.Commands, func(c []string) bool { return slices.Equal(c, argv) })
}

// back runs a function with the driver of a cluster, in the name of a user of the page.
func (s *Served) back(cluster, by string, tell func(string), do func(*drive.Driver) error) error {
	opts := s.DriveOptions(nil)
	opts.Cluster = cluster
	if s.Push != nil {
		opts.LockDir = cmp.Or(opts.LockDir, s.Push.LockDir)
	}
	return drive.With(s.Deps, opts, lineFunc(tell), func(v *drive.Driver) error {
		v.Tell, v.Holder, v.For = tell, by, by
		return do(v)
	})
}

type onlyRead struct{ stored.Journal }

func (onlyRead) SaveDrive(context.Context, int64, []model.Claim) error    { return nil }
func (onlyRead) DropClaims(context.Context, int64, []model.Claim) error   { return nil }
func (onlyRead) EndDrive(context.Context, int64, time.Time, string) error { return nil }
