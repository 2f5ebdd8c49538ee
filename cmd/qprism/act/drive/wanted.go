package drive

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"qprism/cmd/qprism/act/control"
	"qprism/cmd/qprism/act/push"
	"qprism/cmd/qprism/subject"
	"qprism/engine/gridengine/dispatch"
)

// If the wanted order cannot be found, a drive continues with the last one. When that is too old, it uses the
// scheduler's own order. Otherwise, held jobs would stay held and the cluster would become empty.

// A decision is the wanted order, nil for the scheduler's own, and the rules of a program.
type decision struct {
	Order []uint32        `json:"order"`
	Rules []dispatch.Rule `json:"rules,omitempty"`
}

// A source returns the wanted order.
type source func(ctx context.Context, s *subject.Subject, opts Options, at time.Time) (decision, error)

// A fallbackError says that nobody could tell the wanted order, and which one the step used.
type fallbackError struct {
	err     error
	instead string
}

func (e *fallbackError) Error() string {
	return fmt.Sprintf("the wanted order is not known: %v; this step used %s", e.err, e.instead)
}

func (e *fallbackError) Unwrap() error { return e.err }

func IsFallback(err error) bool {
	_, is := errors.AsType[*fallbackError](err)
	return is
}

// askWanted asks for the wanted order. There is no fallback.
func (v *Driver) askWanted(ctx context.Context, s *subject.Subject, opts Options, at time.Time) (
	d decision, err error) {
	if opts.Order == "" && opts.Policy == "" {
		return d, nil
	}
	asked := push.Options{Order: opts.Order, Policy: opts.Policy, Driven: true,
		Patience: min(push.ProgramTime, opts.Interval/2), Rules: &d.Rules,
		Again: func(text string) { fmt.Fprintf(v.warn, "qprism: %s; qprism uses the first place\n", text) }}
	d.Order, err = push.Wanted(ctx, s, asked, at, v.warn)
	if err == nil && len(d.Order) == 0 && len(d.Rules) == 0 && len(s.Jobs) > 0 {
		err = errors.New("the order is empty")
	}
	return d, err
}

// maxFallbacks is how many steps in a row may use the last order.
const maxFallbacks = 20

// askOrFallBack asks for the wanted order, and falls back to the last one or the scheduler's own. failed then says
// why.
func (v *Driver) askOrFallBack(cluster string, failed *error) source {
	return func(ctx context.Context, s *subject.Subject, opts Options, at time.Time) (decision, error) {
		d, err := v.askWanted(ctx, s, opts, at)
		file := lastDecisionFile(v.deps.Store, cluster)
		if ctx.Err() != nil {
			return d, ctx.Err()
		}
		if err == nil {
			if d.Order != nil {
				v.note(control.Keep(file, lastDecision{At: v.opts.Now(), decision: d}))
			}
			return d, nil
		}
		last := readLastDecision(file)
		last.Failures++
		v.note(control.Keep(file, last))
		if len(last.Order) == 0 || last.Failures > maxFallbacks {
			*failed = &fallbackError{err, "the scheduler's own order"}
			return decision{}, nil
		}
		*failed = &fallbackError{err, "the order of " + last.At.Format(time.DateTime)}
		return last.decision, nil
	}
}

// note tells people which wishes could not be kept. The step continues.
func (v *Driver) note(err error) {
	if err != nil {
		v.Say("the wanted order could not be saved for later steps: %v", err)
	}
}

// A lastDecision is the last wanted order of a cluster, and how many steps failed to get a newer one.
type lastDecision struct {
	At time.Time `json:"at"`
	decision
	Failures int `json:"failures"`
}

func lastDecisionFile(store, cluster string) string {
	return filepath.Join(filepath.Dir(store), "drive", fmt.Sprintf("%x", sha256.Sum256([]byte(cluster)))[:24]+".json")
}

// readLastDecision is empty if the file is missing or damaged.
func readLastDecision(file string) (last lastDecision) {
	if control.Kept(file, &last) != nil {
		return lastDecision{}
	}
	return last
}
