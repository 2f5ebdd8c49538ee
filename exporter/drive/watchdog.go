package drive

import (
	"context"
	"strconv"
	"strings"
	"time"

	"qprism/exporter"
)

// The shell that runs the commands starts a watchdog (adapters/shell, scripts/qprism-gate). The watchdog knows
// the commands that restore everything, and runs them after a silence.

// Beat tells the watchdog that this process lives. It also asks whether the watchdog has restored the jobs
// meanwhile: their holds and requests, not their -p.
func (d *Driver) Beat(ctx context.Context) error {
	if d.Silence <= 0 || !d.HasLock {
		return nil
	}
	d.beat = d.Now()
	results, err := exporter.Ask(ctx, d.Runner,
		[]string{"qprism-beat", strconv.Itoa(int(max(d.Silence, time.Second) / time.Second))})
	if err != nil {
		return err
	}
	if at := strings.TrimSpace(results[0].Out); at != "" {
		d.Restored = true
		d.Say("no sign of this drive for %s: at %s the watchdog removed the holds and restored the requests of all jobs", exporter.Span(d.Silence), at)
	}
	return nil
}

// Alive calls Beat if the last call was some time ago.
func (d *Driver) Alive(ctx context.Context) error {
	if d.Now().Sub(d.beat) < d.Silence/4 {
		return nil
	}
	return d.Beat(ctx)
}

// Owe gives the watchdog the commands that restore everything. Call it before you change anything.
func (d *Driver) Owe(ctx context.Context, commands [][]string) error {
	if d.Silence <= 0 || !d.HasLock {
		return nil
	}
	list := [][]string{{"qprism-owe"}}
	for _, argv := range commands {
		list = append(list, append([]string{"qprism-owe"}, argv...))
	}
	if _, err := exporter.Ask(ctx, d.Runner, list...); err != nil {
		return err
	}
	return d.Beat(ctx)
}
