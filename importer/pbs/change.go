package pbs

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"qprism/engine/model"
	"qprism/engine/model/schedconfig"
	"qprism/importer"
	"qprism/importer/source"
)

// Set changes one value of a snapshot's policy. This is an attribute of the server or scheduler
// (job_sort_formula, job_sort_formula_threshold, backfill_depth, opt_backfill_fuzzy), or an option of
// sched_config. The value has the form of the file: "true prime" holds only in primetime. Set copies parts that
// other snapshots share.
func Set(s *model.Snapshot, name, value string) error {
	p := *s.PBS
	p.Schedulers = slices.Clone(p.Schedulers)
	var err error
	switch name {
	case "job_sort_formula":
		p.SetFormula(value)
	case "job_sort_formula_threshold":
		p.SetThreshold(value)
	case "opt_backfill_fuzzy":
		each(p.Schedulers, func(d *model.PBSScheduler) { d.Fuzzy = value })
	case "backfill_depth":
		p.Server.BackfillDepth.Set = true
		p.Server.BackfillDepth.N, err = strconv.ParseInt(value, 10, 64)
	default:
		p.SchedConfig, p.Fairshare.Policy, err = withOption(p.SchedConfig, name, value)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	s.PBS = &p
	return nil
}

func each(list []model.PBSScheduler, set func(d *model.PBSScheduler)) {
	for i := range list {
		set(&list[i])
	}
}

// withOption reads a sched_config again. One option replaces all lines with its name.
func withOption(old model.SchedConfig, name, value string) (model.SchedConfig, model.FairsharePolicy, error) {
	x, last := schedconfig.New(), 0
	for _, l := range old.Lines {
		if last = l.Line; l.Name != name {
			x.Line(schedLine(l.Line, optionLine(l)))
		}
	}
	x.Config.Present = true
	x.Line(schedLine(last+1, name+": "+value))
	x.End()
	c, f := x.Config, x.Fairshare
	if i := len(c.Lines) - 1; i < 0 || c.Lines[i].Name != name || !c.Lines[i].Used {
		text := "no option of sched_config"
		if i >= 0 && c.Lines[i].Error != "" {
			text = c.Lines[i].Error
		}
		return c, f, errors.New(text)
	}
	return c, f, nil
}

// optionLine writes a line of sched_config that has the same meaning when it is read again.
func optionLine(l model.SchedLine) string {
	quote := `"`
	if strings.Contains(l.Value, quote) {
		quote = "'"
	}
	if l.Value != "" && !strings.ContainsAny(l.Value, whiteSpace+`"'`) {
		quote = ""
	}
	return strings.TrimRight(l.Name+": "+quote+l.Value+quote+" "+l.Prime, whiteSpace)
}

// ReadResourceGroup reads a resource_group file outside a bundle. The error is an *importer.Problem.
func ReadResourceGroup(folder fs.FS, file string) ([]model.ResourceGroup, error) {
	if _, err := fs.Stat(folder, file); err != nil {
		var p *fs.PathError
		if errors.As(err, &p) {
			err = p.Err
		}
		return nil, &importer.Problem{File: file, Err: err}
	}
	r := newReader(folder, source.Options{})
	if err := r.groups(file); err != nil {
		return nil, err
	}
	if len(r.pbs.Fairshare.Groups) == 0 {
		return nil, &importer.Problem{File: file, Err: errors.New("no line with name, number, parent and shares")}
	}
	return r.pbs.Fairshare.Groups, nil
}
