package subject

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"qprism/adapters/local"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/cmd/safe"
	"qprism/exporter"
	"qprism/importer"
	"qprism/importer/collect"
)

type CaptureOptions struct {
	Reach
	Collect  collect.Options
	Output   string
	Replace  bool
	Deadline time.Duration

	Anonymize bool   // replace all names
	Key       string // the file that keeps the pseudonyms; empty for none
}

func (o CaptureOptions) Check() error {
	for _, mb := range []int{o.Collect.Accounting, o.Collect.Records, o.Collect.Reporting} {
		if mb < 0 || mb > 999 {
			return fmt.Errorf("%d megabytes: give 0 to 999", mb)
		}
	}
	if o.Key != "" && !o.Anonymize {
		return errors.New("--key needs --anonymize")
	}
	if _, err := os.Stat(o.Output); o.Output != "" && err == nil && !o.Replace {
		return fmt.Errorf("%s exists; --replace replaces it", o.Output)
	}
	return nil
}

// Capture captures a bundle into a folder beside the file, then packs the folder into the file.
func (o CaptureOptions) Capture(ctx context.Context, d *cli.Deps) (*collect.Report, string, error) {
	folder, err := os.MkdirTemp(filepath.Dir(o.Output), ".capture-")
	if err != nil {
		return nil, "", err
	}
	defer os.RemoveAll(folder)
	report, err := o.Into(ctx, d, folder)
	if err != nil {
		return nil, "", err
	}
	file := cmp.Or(o.Output, o.fileName(report))
	if o.Anonymize {
		return report, file, anonymizeFolder(folder, file, o.Key)
	}
	return report, file, pack(folder, file)
}

// fileName is the default name of a bundle's file. It contains the name of the master, unless names are
// replaced by pseudonyms.
func (o CaptureOptions) fileName(report *collect.Report) string {
	master := strings.ReplaceAll(strings.Trim(report.Master, "."), "/", "_")
	if o.Anonymize {
		master = "cluster"
	}
	return fmt.Sprintf("%s-%s.tar.gz", master, report.Captured.UTC().Format("20060102T150405Z"))
}

// anonymizeFolder makes a bundle with pseudonyms from a capture.
func anonymizeFolder(folder, file, key string) error {
	bundle, closer, err := importer.Open(folder)
	if err != nil {
		return err
	}
	defer closer.Close()
	result, err := Anonymize(bundle, file, key)
	if err != nil {
		return err
	}
	SayLeftOut(safe.NewWriter(os.Stderr), result)
	return nil
}

// LockState locks the folder with the kept state of a cluster, for one capture.
func LockState(folder string) (unlock func() error, err error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("create the folder for data kept between captures: %w", err)
	}
	unlock, err = local.Lock(filepath.Join(folder, "lock"))
	if held, is := errors.AsType[*local.LockedError](err); is {
		return nil, fmt.Errorf(
			"another capture of this cluster is running (%s); two at once would load the master", held.Holder)
	}
	return unlock, err
}

// Into connects to the cluster, identifies it, and captures it into a folder.
func (o CaptureOptions) Into(ctx context.Context, d *cli.Deps, folder string) (*collect.Report, error) {
	cluster, err := o.Open(ctx)
	if err != nil {
		return nil, err
	}
	defer cluster.Close()
	site, err := collect.Identify(ctx, cluster)
	if err != nil {
		return nil, err
	}
	return o.BundleOf(ctx, d, cluster, site, folder)
}

// BundleOf captures a cluster of known identity. All captures use it. It keeps state for the next capture in a
// folder for this identity.
func (o CaptureOptions) BundleOf(ctx context.Context, d *cli.Deps, cluster collect.Runner, site *collect.Site,
	folder string) (*collect.Report, error) {
	o.Collect.Site, o.Collect.State = site, o.State(d, site)
	unlock, err := LockState(o.Collect.State)
	if err != nil {
		return nil, err
	}
	defer func() { _ = unlock() }()
	return collect.Bundle(ctx, cluster, folder, o.Collect)
}

// PrintCaptured prints the contents and the cost of a capture.
func PrintCaptured(out show.Output, r *collect.Report, file string) error {
	out.Terminal, out.Format = true, "table" // the output is for people, also in a pipe
	cost := r.Cost
	out.Say("%s, master %s: written to %s", show.Printable(r.Release), show.Printable(r.Master), show.Printable(file))
	text := fmt.Sprintf("%s in one remote execution took %s, the longest %s (%s); %.1f MB",
		show.Plural(cost.Commands, "command"), exporter.Span(cost.Busy), exporter.Span(cost.Longest),
		show.Printable(cost.Slowest), float64(cost.Bytes)/1e6)
	if cost.Waited > 0 {
		text += fmt.Sprintf("; %s of pauses to spare the master", exporter.Span(cost.Waited))
	}
	out.Say("%s", text)
	if len(r.Kept) > 0 {
		out.Say("reused from an earlier capture: %s; at most %s old; --full reads them again",
			strings.Join(r.Kept, ", "), exporter.Span(r.KeptAge))
	}
	for _, what := range r.Lacking {
		out.Say("not captured: %s", show.Printable(what))
	}
	out.Say("Next: %s", show.Step("recompute the last scheduler run of the cluster", "qprism audit "+cli.BundleWord(file)))
	return nil
}

// Captured is a capture's contents and cost.
type Captured struct {
	File     string    `json:"file"`
	Release  string    `json:"release"`
	Master   string    `json:"master"`
	TakenAt  time.Time `json:"taken_at"`
	Commands int       `json:"commands"`
	Busy     float64   `json:"busy_seconds"`
	Waited   float64   `json:"waited_seconds"`
	Bytes    int64     `json:"bytes"`
	Slowest  string    `json:"slowest"`
	Longest  float64   `json:"slowest_seconds"`
	Kept     []string  `json:"kept"`
	KeptAge  float64   `json:"kept_age_seconds"`
	Lacking  []string  `json:"lacking"`
}

// JSONReport is a report as JSON.
func JSONReport(r *collect.Report, file string) Captured {
	return Captured{file, r.Release, r.Master, r.Captured, r.Cost.Commands, r.Cost.Busy.Seconds(),
		r.Cost.Waited.Seconds(), r.Cost.Bytes,
		r.Cost.Slowest, r.Cost.Longest.Seconds(), append([]string{}, r.Kept...), r.KeptAge.Seconds(),
		append([]string{}, r.Lacking...)}
}
