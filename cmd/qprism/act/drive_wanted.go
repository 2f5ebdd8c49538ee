package act

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

	"qprism/cmd/qprism/subject"
)

// While nobody says which order is wanted, a drive goes on: with the order that was wanted last, and when that is too old with the
// scheduler's own. What it holds would else stay held, and the cluster would run empty.

// asks says which order is wanted; nil for the scheduler's own.
type asks func(ctx context.Context, s *subject.Subject, opts driveOptions, at time.Time) ([]uint32, error)

// A decisionError says that a step went by another order than the wanted one, which nobody could tell.
type decisionError struct {
	err     error
	instead string
}

func (e *decisionError) Error() string {
	return fmt.Sprintf("which order is wanted is not known: %v; this step went by %s", e.err, e.instead)
}

func (e *decisionError) Unwrap() error { return e.err }

func isDecision(err error) bool {
	var d *decisionError
	return errors.As(err, &d)
}

// strictly is the order that is wanted, or an error.
func (v *driver) strictly(ctx context.Context, s *subject.Subject, opts driveOptions, at time.Time) ([]uint32, error) {
	if opts.order == "" && opts.policy == "" {
		return nil, nil
	}
	asked := pushOptions{order: opts.order, policy: opts.policy, driven: true, patience: min(programTime, opts.interval/2),
		again: func(text string) { fmt.Fprintf(v.warn, "qprism: %s; the first place counts\n", text) }}
	order, err := wantedBy(ctx, s, asked, at, v.warn)
	if err == nil && len(order) == 0 && len(s.Jobs) > 0 {
		err = errors.New("the order is empty")
	}
	return order, err
}

// trusted is how many steps in a row the last order stands for one that nobody tells.
const trusted = 20

// failSafe is the order that is wanted, or what a step goes by instead, of which failed tells.
func (v *driver) failSafe(cluster string, failed *error) asks {
	return func(ctx context.Context, s *subject.Subject, opts driveOptions, at time.Time) ([]uint32, error) {
		order, err := v.strictly(ctx, s, opts, at)
		file := lastOrderFile(v.deps.Store, cluster)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err == nil {
			if order != nil {
				v.note(keepOrder(file, lastOrder{At: v.opts.now(), Order: order}))
			}
			return order, nil
		}
		last := readLastOrder(file)
		last.Failures++
		v.note(keepOrder(file, last))
		if len(last.Order) == 0 || last.Failures > trusted {
			*failed = &decisionError{err, "the scheduler's own order"}
			return nil, nil
		}
		*failed = &decisionError{err, "the order of " + last.At.Format(time.DateTime)}
		return last.Order, nil
	}
}

// note tells of what could not be kept: the step goes on.
func (v *driver) note(err error) {
	if err != nil {
		v.Say("the wanted order is not kept for steps in which nobody tells it: %v", err)
	}
}

// A lastOrder is the order that was wanted last of a cluster, and in how many steps since then nobody could tell one.
type lastOrder struct {
	At       time.Time `json:"at"`
	Order    []uint32  `json:"order"`
	Failures int       `json:"failures"`
}

// lastOrderFile is beside the store.
func lastOrderFile(store, cluster string) string {
	return filepath.Join(filepath.Dir(store), "drive", fmt.Sprintf("%x", sha256.Sum256([]byte(cluster)))[:24]+".json")
}

// readLastOrder reads what was kept; nothing where nothing was, or where it is damaged.
func readLastOrder(file string) (last lastOrder) {
	data, err := os.ReadFile(file)
	if err != nil || json.Unmarshal(data, &last) != nil {
		return lastOrder{}
	}
	return last
}

func keepOrder(file string, last lastOrder) error {
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
