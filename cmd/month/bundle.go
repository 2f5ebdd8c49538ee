package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"

	"qprism/cmd/qprism/subject"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/model"
	"qprism/importer"
	"qprism/importer/lab"
)

// note is the text that commands and the page show for each moment.
const note = "Demo data: simulated by qprism from a recording"

// bundle has the output of a master at the moment, after its run, with tasks that ended recently.
func (p *play) bundle(ended []life) (fs.FS, error) {
	plain, err := lab.Read("month", []byte(p.lab()), p.recorded, nil)
	if err != nil {
		return nil, err
	}
	files, err := filesOf(plain)
	if err != nil {
		return nil, err
	}
	files["MANIFEST"] = fmt.Appendf(nil, "taken_at %d\nmaster month\ncell played-on\nutc_offset +0000\nnote %s\n",
		p.at.Unix(), note)
	files["accounting"] = accounting(ended)
	files["sge_share_mon.txt"] = p.shareMon()
	if files["qstat.xml"], err = p.numbered(files); err != nil {
		return nil, err
	}
	return importer.InMemory(files)
}

func filesOf(bundle fs.FS) (map[string][]byte, error) {
	files := map[string][]byte{}
	err := fs.WalkDir(bundle, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files[name], err = fs.ReadFile(bundle, name)
		return err
	})
	return files, err
}

// lab is the cluster at the moment.
func (p *play) lab() string {
	var b strings.Builder
	b.WriteString(cluster())
	jobs := slices.Clone(p.cluster.Jobs)
	slices.SortFunc(jobs, func(a, b model.Job) int { return cmp.Compare(a.Number, b.Number) })
	for i := range jobs {
		j := &jobs[i]
		fmt.Fprintf(&b, "number %d\n%s", j.Number, p.newJobs[j.Number-1].line())
		for _, t := range j.Tasks {
			if !t.Started.IsZero() {
				fmt.Fprintf(&b, " => %s=%d since %s", t.Granted[0].Instance, t.Slots, clock(t.Started))
			}
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "at %s\n", clock(p.at))
	return b.String()
}

// printedAs are the elements in which qstat.xml has the numbers of a task.
var printedAs = map[lastrun.Field]string{lastrun.Prio: "JAT_prio", lastrun.NPPrior: "JB_nppri", lastrun.NUrg: "JB_nurg",
	lastrun.NTckts:  "JAT_ntix",
	lastrun.RRContr: "JB_rrcontr", lastrun.WTContr: "JB_wtcontr", lastrun.DLContr: "JB_dlcontr", lastrun.Tckts: "tickets",
	lastrun.Otckt: "otickets", lastrun.Ftckt: "ftickets", lastrun.Stckt: "stickets", lastrun.Share: "JAT_share"}

// numbered is qstat.xml with the numbers that the run of the moment computes.
func (p *play) numbered(files map[string][]byte) ([]byte, error) {
	bundle, err := importer.InMemory(files)
	if err != nil {
		return nil, err
	}
	s, err := subject.ReadBundle(bundle, false)
	if err != nil {
		return nil, err
	}
	view, _ := lastrun.Look(s, lastrun.Options{At: p.at, Quirks: p.quirks})
	if view == nil {
		return nil, fmt.Errorf("%v: no run is recomputed", p.at)
	}
	var pairs []string
	for i := range s.Jobs {
		j := &s.Jobs[i]
		row := view.Row(j, &j.Tasks[0])
		number := fmt.Sprintf("<JB_job_number>%d</JB_job_number>", j.Number)
		shown := number
		for f := range lastrun.Fields {
			if tag := printedAs[f]; tag != "" && !math.IsNaN(row.Shown[f]) {
				shown += fmt.Sprintf("<%s>%s</%[1]s>", tag, f.Print(row.Shown[f]))
			}
		}
		pairs = append(pairs, number, shown)
	}
	return []byte(strings.NewReplacer(pairs...).Replace(string(files["qstat.xml"]))), nil
}

// shareMon writes the output of sge_share_mon for the projects.
func (p *play) shareMon() []byte {
	var b bytes.Buffer
	all := 0.0
	used := map[string]float64{}
	for _, project := range p.cluster.Projects {
		for _, a := range project.Usage.Decayed {
			used[project.Name] += a.Value // usage_weight_list counts cpu alone
			all += a.Value
		}
	}
	shares := 0
	for _, n := range p.cluster.ShareTree.Children {
		shares += int(n.Shares)
	}
	line := func(path, project string, shares int, level, use, long float64) {
		fmt.Fprintf(
			&b,
			"curr_time=%d\tusage_time=%[1]d\tnode_name=%s\tuser_name=\tproject_name=%s\tshares=%d\tjob_count=0\tlevel%%=%.6f\t"+
				"total%%=%[5]f\tlong_target_share=0.000000\tshort_target_share=0.000000\tactual_share=%.6f\tusage=%.6f\tcpu=%[7]f\tmem=0.000000\t"+
				"io=0.000000\tltcpu=%.6f\tltmem=0.000000\tltio=0.000000\t\n", p.at.Unix(), path,
			project, shares, level, use/max(all, 1), use, long)
	}
	line("/", "", 1, 1, all, 0)
	for _, n := range p.cluster.ShareTree.Children {
		line("/"+n.Name, n.Name, int(n.Shares), float64(n.Shares)/float64(shares), used[n.Name], p.total[n.Name])
	}
	return b.Bytes()
}

// accounting writes records of ended jobs.
func accounting(ended []life) []byte {
	var b bytes.Buffer
	b.WriteString("# Version: 8.1.9\n# \n# DO NOT MODIFY THIS FILE MANUALLY!\n# \n")
	for _, l := range ended {
		pe, cpu := "NONE", l.end.Sub(l.start).Seconds()*float64(l.slots)
		if l.slots > 1 {
			pe = "smp"
		}
		j := l.job
		fmt.Fprintf(
			&b,
			"all.q:%s:%s:%[2]s:%[3]s:%d:sge:0:%d:%d:%d:0:0:%d:%.6f%s:%s:defaultdepartment:%s:%d:0:%[9]f:0.000000:0.000000:NONE:0.000000:NONE:0.000000:0:0\n",
			l.host, j.Owner, j.Name, j.Number, j.Submitted.Unix(), l.start.Unix(), l.end.Unix(),
			int(l.end.Sub(l.start).Seconds()), cpu,
			strings.Repeat(":0", 16), j.Project, pe, l.slots)
	}
	return b.Bytes()
}
