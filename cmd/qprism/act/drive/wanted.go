package drive

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"qprism/cmd/qprism/act/push"
	"qprism/cmd/qprism/subject"
	"qprism/engine/gridengine/dispatch"
)

// While nobody says which order is wanted, a drive goes on: with the order that was wanted last, and when
// that is too old with the scheduler's own. What it holds would else stay held, and the cluster would run
// empty.

// A decision is the order that is wanted, nil for the scheduler's own, and rules that a program gives with it.
type decision struct {
	Order []uint32        `json:"order"`
	Rules []dispatch.Rule `json:"rules,omitempty"`
}

// asks says what is wanted.
type asks func(ctx context.Context, s *subject.Subject, opts Options, at time.Time) (decision, error)

// A decisionError says that a step went by another order than the wanted one, which nobody could tell.
type fallbackError struct {
	err     error
	instead string
}

func (e *fallbackError) Error() string {
	return fmt.Sprintf("which order is wanted is not known: %v; this step went by %s", e.err, e.instead)
}

func (e *fallbackError) Unwrap() error { return e.err }

func IsFallback(err error) bool {
	var d *fallbackError
	return errors.As(err, &d)
}

// strictly is what is wanted, or an error.
func (v *Driver) strictly(ctx context.Context, s *subject.Subject, opts Options, at time.Time) (d decision, err error) {
	if opts.Order == "" && opts.Policy == "" {
		return d, nil
	}
	asked := push.Options{Order: opts.Order, Policy: opts.Policy, Driven: true,
		Patience: min(push.ProgramTime, opts.Interval/2), Rules: &d.Rules,
		Again: func(text string) { fmt.Fprintf(v.warn, "qprism: %s; the first place counts\n", text) }}
	d.Order, err = push.Wanted(ctx, s, asked, at, v.warn)
	if err == nil && len(d.Order) == 0 && len(d.Rules) == 0 && len(s.Jobs) > 0 {
		err = errors.New("the order is empty")
	}
	return d, err
}

// trusted is how many steps in a row the last order stands for one that nobody tells.
const trusted = 20

// failSafe is what is wanted, or what a step goes by instead, of which failed tells.
func (v *Driver) failSafe(cluster string, failed *error) asks {
	return func(ctx context.Context, s *subject.Subject, opts Options, at time.Time) (decision, error) {
		d, err := v.strictly(ctx, s, opts, at)
		file := lastDecisionFile(v.deps.Store, cluster)
		if ctx.Err() != nil {
			return d, ctx.Err()
		}
		if err == nil {
			if d.Order != nil {
				v.note(keepDecision(file, lastDecision{At: v.opts.Now(), decision: d}))
			}
			return d, nil
		}
		last := readLastDecision(file)
		last.Failures++
		v.note(keepDecision(file, last))
		if len(last.Order) == 0 || last.Failures > trusted {
			*failed = &fallbackError{err, "the scheduler's own order"}
			return decision{}, nil
		}
		*failed = &fallbackError{err, "the order of " + last.At.Format(time.DateTime)}
		return last.decision, nil
	}
}

// note tells of what could not be kept: the step goes on.
func (v *Driver) note(err error) {
	if err != nil {
		v.Say("the wanted order is not kept for steps in which nobody tells it: %v", err)
	}
}

// A lastDecision is what was wanted last of a cluster, and in how many steps since then nobody could tell.
type lastDecision struct {
	At time.Time `json:"at"`
	decision
	Failures int `json:"failures"`
}

// lastDecisionFile is beside the store.
func lastDecisionFile(store, cluster string) string {
	return filepath.Join(filepath.Dir(store), "drive", fmt.Sprintf("%x", sha256.Sum256([]byte(cluster)))[:24]+".json")
}

// readLastDecision reads what was kept; nothing where nothing was, or where it is damaged.
func readLastDecision(file string) (last lastDecision) {
	data, err := os.ReadFile(file)
	if err != nil || json.Unmarshal(data, &last) != nil {
		return lastDecision{}
	}
	return last
}

func keepDecision(file string, last lastDecision) error {
	data, err := json.Marshal(last)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if err := os.WriteFile(file+".new", data, 0o600); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}
