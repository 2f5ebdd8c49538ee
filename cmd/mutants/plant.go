package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A verdict is the result of one fault.
type verdict struct {
	mutant
	wrong, told   int    // numbers that became wrong; of these, called unexplained
	bundles, loud int    // number of bundles with such numbers; number of those with an unexplained one
	unit, vector  bool   // tests fail: of the package, of the compiled functions of 8.1.9
	failed        string // why the fault could not be measured
}

// noticed names the checks that notice a fault.
func (v *verdict) noticed() string {
	var list []string
	if v.unit {
		list = append(list, "unit")
	}
	if v.vector {
		list = append(list, "vector")
	}
	if v.loud > 0 {
		list = append(list, "recording")
	}
	return strings.Join(list, ", ")
}

// plantAll measures every fault and prints the table.
func plantAll(w io.Writer, match string, recordings []string) error {
	dir, err := os.MkdirTemp("", "mutants-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	p := &planter{dir: dir, recordings: recordings}
	if err := p.measureSound(); err != nil {
		return err
	}
	var list []verdict
	for _, m := range mutants {
		if !strings.Contains(m.file, match) {
			continue
		}
		v := p.plant(m)
		fmt.Fprintln(os.Stderr, v.row())
		list = append(list, v)
	}
	printTable(w, list)
	return nil
}

// A planter builds the program with a fault. It compares its results with those of the engine without faults.
type planter struct {
	dir        string
	recordings []string
	sound      *measure
}

func (p *planter) base() string { return filepath.Join(p.dir, "base.json") }

// measureSound measures the engine without faults.
func (p *planter) measureSound() (err error) {
	if p.sound, err = measureAll(p.recordings, "all", nil); err != nil {
		return err
	}
	c, err := measureCycles()
	if err != nil {
		return err
	}
	p.sound.Cycles = c.Cycles
	f, err := os.Create(p.base())
	if err != nil {
		return err
	}
	defer f.Close()
	return p.sound.write(f)
}

// plant measures one fault.
func (p *planter) plant(m mutant) verdict {
	v := verdict{mutant: m}
	overlay, err := p.overlay(m)
	if err != nil {
		v.failed = err.Error()
		return v
	}
	if err := p.compare(&v, overlay); err != nil {
		v.failed = err.Error()
		return v
	}
	v.runTests(overlay)
	return v
}

// overlay writes the file with its fault, and the input of go build -overlay.
func (p *planter) overlay(m mutant) (string, error) {
	file, err := filepath.Abs(filepath.Join("engine", m.file))
	if err != nil {
		return "", err
	}
	source, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	if strings.Count(string(source), m.old) != 1 {
		return "", fmt.Errorf("%s: %q does not stand there once", m.file, m.old)
	}
	mutated, overlay := filepath.Join(p.dir, "mutated.go"), filepath.Join(p.dir, "overlay.json")
	if err := os.WriteFile(mutated, []byte(strings.Replace(string(source), m.old, m.new, 1)), 0o600); err != nil {
		return "", err
	}
	text, err := json.Marshal(map[string]map[string]string{"Replace": {file: mutated}})
	if err != nil {
		return "", err
	}
	return overlay, os.WriteFile(overlay, text, 0o600)
}

// compare builds the program with the fault, lets it measure, and compares.
func (p *planter) compare(v *verdict, overlay string) error {
	program := filepath.Join(p.dir, "mutant")
	if out, err := exec.Command("go", "build", "-overlay", overlay, "-o", program,
		"./cmd/mutants").CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	out, err := exec.Command(program, append([]string{"-measure", string(v.kind), "-base", p.base()},
		p.recordings...)...).Output()
	if err != nil {
		return err
	}
	got := &measure{}
	if err := json.Unmarshal(out, got); err != nil {
		return err
	}
	switch v.kind {
	case dispatch:
		v.comparePlans(p.sound, got)
	case predictions:
		v.compareNumbers(p.sound.Predictions, got.Predictions)
	case cycles:
		v.compareNumbers(agreeing(p.sound.Cycles, got.Cycles))
	default:
		v.compareNumbers(p.sound.Bundles, got.Bundles)
	}
	return nil
}

// compareNumbers counts the numbers that a fault makes wrong. It compares them at the moment that the audit
// chose, and at the true moment of the run. An audit with a wrong engine may choose a moment that hides the
// fault.
func (v *verdict) compareNumbers(sound, got []bundle) {
	for i := range got {
		before, now := openOf(&sound[i]), openOf(&got[i])
		wrong, told := 0, 0
		for key, class := range now {
			if _, was := before[key]; !was {
				wrong++
				if class == "unexplained" {
					told++
				}
			}
		}
		for _, key := range got[i].Fixed {
			_, was := before[key]
			if _, is := now[key]; !was && !is {
				wrong++
			}
		}
		v.count(wrong, told)
	}
}

// agreeing returns the audits of cycles in which the engine without faults agrees completely. Before other
// cycles somebody changed the configuration, which no file shows.
func agreeing(sound, got []bundle) (s, g []bundle) {
	for i := range sound {
		if len(sound[i].Open) == 0 {
			s, g = append(s, sound[i]), append(g, got[i])
		}
	}
	return s, g
}

func (v *verdict) count(wrong, told int) {
	v.wrong, v.told = v.wrong+wrong, v.told+told
	if wrong > 0 {
		v.bundles++
	}
	if told > 0 {
		v.loud++
	}
}

func openOf(b *bundle) map[string]string {
	open := map[string]string{}
	for _, n := range b.Open {
		open[n.Key] = n.Class
	}
	return open
}

// comparePlans counts the rows and lines that now differ from the master's but were equal before, and those
// that are now called ties. It lists every row that differs, but no ties.
func (v *verdict) comparePlans(sound, got *measure) {
	for i := range got.Plans {
		wrong := 0
		for _, w := range got.Plans[i].Wrong {
			if !slices.Contains(sound.Plans[i].Wrong, w) {
				wrong++
			}
		}
		ties := max(0, got.Plans[i].Ties-sound.Plans[i].Ties)
		v.count(wrong+ties, wrong)
	}
}

var failing = regexp.MustCompile(`(?m)^\s*--- FAIL: (Test\w+)`)

// runTests runs the tests of the package with the fault.
func (v *verdict) runTests(overlay string) {
	packages := []string{"./engine/" + filepath.ToSlash(filepath.Dir(v.file))}
	if v.kind == priorities || v.kind == predictions {
		packages = append(packages, "./engine/gridengine/priority") // with the vectors
	}
	if v.kind == dispatch {
		packages = append(packages, "./engine/gridengine/schedule") // with the recordings
	}
	out, err := exec.Command("go", append([]string{"test", "-overlay", overlay}, packages...)...).CombinedOutput()
	if err == nil {
		return
	}
	for _, name := range failing.FindAllStringSubmatch(string(out), -1) {
		if strings.Contains(name[1], "Vector") {
			v.vector = true
		} else {
			v.unit = true
		}
	}
}
