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
	results, err := d.watchdog(ctx, []string{"qprism-beat", strconv.Itoa(int(max(d.Silence, time.Second) / time.Second))})
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
	if _, err := d.watchdog(ctx, list...); err != nil {
		return err
	}
	return d.Beat(ctx)
}

func (d *Driver) watchdog(ctx context.Context, commands ...[]string) ([]exporter.Result, error) {
	results, err := d.Runner.Run(ctx, commands)
	if err != nil {
		return nil, err
	}
	for i, argv := range commands {
		if i >= len(results) || results[i].Exit != 0 {
			return nil, exporter.Failure(argv, results[min(i, len(results)):]...)
		}
	}
	return results, nil
}
