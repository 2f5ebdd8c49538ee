package drive

import (
	"context"
	"strconv"
	"strings"
	"time"

	"qprism/exporter"
)

// The shell that runs the commands leaves a watchdog behind (adapters/shell, scripts/qprism-gate), which knows what gives back what was
// taken. It acts when it has heard nothing for as long as Silence.

// Beat says that this process lives, and hears whether the watchdog gave back what was taken.
func (d *Driver) Beat(ctx context.Context) error {
	if d.Silence <= 0 || !d.HasLock {
		return nil
	}
	d.beat = d.Now()
	results, err := exporter.Ask(ctx, d.Runner, []string{"qprism-beat", strconv.Itoa(int(max(d.Silence, time.Second) / time.Second))})
	if err != nil {
		return err
	}
	if at := strings.TrimSpace(results[0].Out); at != "" {
		d.Paid = true
		d.Say("nothing was heard of this drive for %v: at %s the watchdog gave back what was taken", d.Silence, at)
	}
	return nil
}

// Alive is Beat where the last was a while ago: for what takes long.
func (d *Driver) Alive(ctx context.Context) error {
	if d.Now().Sub(d.beat) < d.Silence/4 {
		return nil
	}
	return d.Beat(ctx)
}

// Owe tells the watchdog which commands give everything back. What they are about may be taken afterwards.
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
