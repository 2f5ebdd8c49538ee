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
	"strconv"
	"strings"
)

// A verdict is what became of one fault.
type verdict struct {
	mutant
	wrong, told   int    // numbers that became wrong; of these, called unexplained
	bundles, loud int    // with such numbers; of these, with one that is unexplained
	unit, vector  bool   // tests fail: of the package, of the compiled functions of 8.1.9
	failed        string // where the fault could not be measured
}

// noticed names what notices a fault.
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

// A planter builds the program with a fault and compares what it measures with what the sound one does.
type planter struct {
	dir        string
	recordings []string
	sound      *measure
	cycles     cycleCounts
}

func (p *planter) base() string { return filepath.Join(p.dir, "base.json") }

// measureSound measures the engine as it is.
func (p *planter) measureSound() (err error) {
	if p.sound, err = measureAll(p.recordings, "all", nil); err != nil {
		return err
	}
	f, err := os.Create(p.base())
	if err != nil {
		return err
	}
	defer f.Close()
	if err := p.sound.write(f); err != nil {
		return err
	}
	p.cycles, err = retraced("")
	return err
}

// plant measures one fault.
func (p *planter) plant(m mutant) verdict {
	v := verdict{mutant: m}
	overlay, err := p.overlay(m)
	if err != nil {
		v.failed = err.Error()
		return v
	}
	switch m.kind {
	case cycles:
		err = v.compareCycles(p.cycles, overlay)
	default:
		err = p.compare(&v, overlay)
	}
	if err != nil {
		v.failed = err.Error()
		return v
	}
	v.runTests(overlay)
	return v
}

// overlay writes the file with its fault, and what go build -overlay wants to know of it.
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
	if out, err := exec.Command("go", "build", "-overlay", overlay, "-o", program, "./cmd/mutants").CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	out, err := exec.Command(program, append([]string{"-measure", string(v.kind), "-base", p.base()}, p.recordings...)...).Output()
	if err != nil {
		return err
	}
	got := &measure{}
	if err := json.Unmarshal(out, got); err != nil {
		return err
	}
	if v.kind == dispatch {
		v.comparePlans(p.sound, got)
	} else {
		v.compareNumbers(p.sound, got)
	}
	return nil
}

// compareNumbers counts the numbers that are wrong now and were not before: those that do not agree, and those that do not agree at the
// moment at which the run was, which the audit of a wrong engine may leave for one that hides it.
func (v *verdict) compareNumbers(sound, got *measure) {
	for i := range got.Bundles {
		before, now := openOf(&sound.Bundles[i]), openOf(&got.Bundles[i])
		wrong, told := 0, 0
		for key, class := range now {
			if _, was := before[key]; !was {
				wrong++
				if class == "unexplained" {
					told++
				}
			}
		}
		for _, key := range got.Bundles[i].Fixed {
			_, was := before[key]
			if _, is := now[key]; !was && !is {
				wrong++
			}
		}
		v.count(wrong, told)
	}
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

// comparePlans counts the rows and lines that are not as the master's now and were before, or are called ties now. Every row that differs
// is told; a tie is not.
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

// cycleCounts are what the audit of recorded cycles of PBS counts.
type cycleCounts struct{ agree, missing, unexplained int }

var counted = regexp.MustCompile(`(\d+) of (\d+) values, (\d+) for want of input, (\d+) unexplained`)
var printed = regexp.MustCompile(`(\d+) values in \d+ snapshots`)

// retraced audits the recorded cycles and trees.
func retraced(overlay string) (c cycleCounts, err error) {
	args := []string{"test", "-count=1", "-v", "-run", "TestRecordedCyclesAreRetraced|TestEverythingThatPbsfsPrintedAgrees"}
	if overlay != "" {
		args = append(args, "-overlay", overlay)
	}
	out, _ := exec.Command("go", append(args, "./engine/pbs/retrace")...).CombinedOutput()
	lines := counted.FindAllSubmatch(out, -1)
	if len(lines) == 0 {
		return c, fmt.Errorf("the audit of recorded cycles says nothing: %.300s", out)
	}
	number := func(b []byte) int { n, _ := strconv.Atoi(string(b)); return n }
	for _, l := range lines {
		c.agree, c.missing, c.unexplained = c.agree+number(l[1]), c.missing+number(l[3]), c.unexplained+number(l[4])
	}
	if m := printed.FindSubmatch(out); m != nil {
		c.agree += number(m[1])
	}
	c.unexplained += strings.Count(string(out), ": pbsfs ")
	return c, nil
}

func (v *verdict) compareCycles(sound cycleCounts, overlay string) error {
	got, err := retraced(overlay)
	if err != nil {
		return err
	}
	v.told = max(0, got.unexplained-sound.unexplained)
	v.wrong = v.told + max(0, got.missing-sound.missing)
	if v.wrong > 0 {
		v.bundles = 1
	}
	if v.told > 0 {
		v.loud = 1
	}
	return nil
}

var failing = regexp.MustCompile(`(?m)^\s*--- FAIL: (Test\w+)`)

// runTests runs the tests of the package with the fault.
func (v *verdict) runTests(overlay string) {
	packages := []string{"./engine/" + filepath.ToSlash(filepath.Dir(v.file))}
	if v.kind == priorities {
		packages = append(packages, "./engine/gridengine/priority") // with the vectors
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
