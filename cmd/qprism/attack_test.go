package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/program"
	"qprism/cmd/safe"
	"qprism/fixtures/archive"
)

var (
	attackMutations = flag.Int("attack.mutations", 25, "so many bundles are mutated, and every command tried on each")
	attackFirst     = flag.Int("attack.first", 1, "the number of the first mutation, which decides all that is done to its bundle")
	attackWhole     = flag.Bool("attack.whole", false, "stated counts meet all commands, where otherwise a quarter of them is tried on each")
	attackKeep      = flag.String("attack.keep", "", "a `folder` to keep the bundles in that a command did not stand")
)

// What no command may exceed on a mutated bundle; the largest bundle of the fixtures needs a twentieth of it.
const (
	attackMemory = 500 << 20
	attackTime   = 10 * time.Second // of a processor
)

// TestAttackMutatedBundles breaks bundles of both systems at random, and runs every command that reads one: none may panic, show a raw
// control character, or need more memory or time than a whole bundle could explain.
func TestAttackMutatedBundles(t *testing.T) {
	if testing.Short() {
		t.Skip("tries hundreds of commands")
	}
	bundles := wholeBundles(t)
	tally := map[string]*attackTally{}
	for n := *attackFirst; n < *attackFirst+*attackMutations; n++ {
		m := mutate(bundles, uint64(n))
		folder := filepath.Join(t.TempDir(), fmt.Sprint(n))
		m.write(t, folder)
		list, peak := attacked(t, folder, n, 1)
		for _, c := range list {
			tallyOf(tally, c.Args[0]).add(c, peak)
			if c.wrong() != "" {
				t.Errorf("-attack.first=%d -attack.mutations=1 (%s; %s): qprism %s: %s", n, m.from, strings.Join(m.done, "; "),
					strings.Join(c.Args, " "), c.wrong())
				keepAttack(t, folder, n)
			}
		}
		if peak > attackMemory {
			t.Errorf("-attack.first=%d -attack.mutations=1 (%s; %s): %d MB", n, m.from, strings.Join(m.done, "; "), peak>>20)
			keepAttack(t, folder, n)
		}
		must(t, os.RemoveAll(folder))
	}
	t.Log(attackTable(tally, *attackMutations))
}

func keepAttack(t *testing.T, folder string, n int) {
	if *attackKeep != "" {
		must(t, os.CopyFS(filepath.Join(*attackKeep, fmt.Sprint(n)), os.DirFS(folder)))
	}
}

// A wholeBundle is a bundle of the fixtures, in memory.
type wholeBundle struct {
	name  string
	files map[string][]byte
}

// wholeBundles are those of all fixtures, by name.
func wholeBundles(t *testing.T) (list []wholeBundle) {
	t.Helper()
	archives, err := filepath.Glob("../../fixtures/*/*.tar.gz")
	must(t, err)
	for _, name := range archives {
		data, err := os.ReadFile(name)
		must(t, err)
		files, err := archive.Open(data)
		must(t, err)
		list = append(list, bundlesOf(t, filepath.Base(name), files)...)
	}
	if len(list) < 100 {
		t.Fatalf("%d bundles", len(list))
	}
	return list
}

// bundlesOf are the bundles in an archive: the folders with a listing of jobs.
func bundlesOf(t *testing.T, name string, files fs.FS) (list []wholeBundle) {
	must(t, fs.WalkDir(files, ".", func(file string, _ fs.DirEntry, err error) error {
		switch base := path.Base(file); {
		case err != nil, base != "qstat.xml" && base != "qstat_f.json":
			return err
		}
		b := wholeBundle{name: name + "/" + path.Dir(file), files: map[string][]byte{}}
		below, err := fs.Sub(files, path.Dir(file))
		must(t, err)
		list = append(list, b)
		return fs.WalkDir(below, ".", func(inner string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() {
				b.files[inner], err = fs.ReadFile(below, inner)
			}
			return err
		})
	}))
	return list
}

// An attackedCommand is what came of one command on one bundle.
type attackedCommand struct {
	Args    []string
	Status  int
	Seconds float64 // of a processor
	Panic   string
	Raw     string // what it showed raw
	Died    string // the process ended in it
}

// wrong is what a command must not do; empty for none of it.
func (c *attackedCommand) wrong() string {
	switch {
	case c.Panic != "":
		return c.Panic
	case c.Died != "":
		return c.Died
	case c.Raw != "":
		return "shows " + c.Raw
	case c.Seconds > attackTime.Seconds():
		return fmt.Sprintf("took %.1f s", c.Seconds)
	}
	return ""
}

// attackCommands are all that read a bundle. The format changes from one mutation to the next.
func attackCommands(bundle, whole, store string, n int) (list [][]string) {
	add := func(args ...string) {
		c, _, err := program.New().Find(args)
		if err != nil {
			panic(err)
		}
		forms := cli.Formats(c)
		list = append(list, append(args, "--store", store, "--format", forms[n%len(forms)]))
	}
	for _, name := range []string{"audit", "priorities", "shares", "lint", "plan"} {
		add(name, bundle, "--keep-going")
	}
	job := "1"
	if fields := strings.Fields(whole); len(fields) > 0 {
		job = fields[n%len(fields)]
	}
	add("migrate", bundle, "--keep-going", "-o", store+".migrated")
	add("explain", job, bundle, "--keep-going")
	add("why", job, bundle, "--keep-going")
	add("forecast", bundle, "--keep-going", "--runtime", "1h", "--runs", "50")
	add("diff", bundle, filepath.Join(filepath.Dir(bundle), "whole"))
	add("import", bundle, "--keep-going")
	add("audit") // of what is stored
	add("audit", bundle)
	add("timeline")
	add("snapshots")
	add("anonymize", bundle, "-o", fmt.Sprint(store, ".public-", n, ".tar.gz"))
	add("db", "anonymize", "-o", fmt.Sprint(store, ".stored-", n, ".tar.gz"))
	return list
}

// someOf are plan, import, and one of so many of the other commands: those that are this bundle's turn.
func someOf(commands [][]string, n, every int) [][]string {
	var list [][]string
	for i, c := range commands {
		if c[0] == "plan" || c[0] == "import" || i%every == (n+n/every)%every {
			list = append(list, c)
		}
	}
	return list
}

// attacked runs commands, one of so many, on a bundle in a process of their own, and returns its peak memory as well.
func attacked(t *testing.T, folder string, n, every int) (list []attackedCommand, peak int64) {
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	var out, warn bytes.Buffer
	c := exec.CommandContext(ctx, "qprism-attacked", folder, fmt.Sprint(n), fmt.Sprint(every))
	c.Stdout, c.Stderr = &out, &warn
	err := c.Run()
	lines := bufio.NewScanner(&out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var one attackedCommand
		must(t, json.Unmarshal(lines.Bytes(), &one))
		if last := len(list) - 1; last >= 0 && list[last].Died != "" {
			list[last] = one
		} else {
			list = append(list, one)
		}
	}
	if err != nil && len(list) > 0 {
		list[len(list)-1].Died = fmt.Sprintf("the process ended: %v: %.2000s", err, warn.String())
	} else if err != nil || len(list) == 0 {
		t.Fatalf("mutation %d: %v: %.2000s", n, err, warn.String())
	}
	return list, c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10
}

// runAttacked is the process that tries the commands: it tells of each before and after, as lines of JSON.
func runAttacked() {
	folder, n, every := os.Args[1], 0, 1
	_ = syscall.Setrlimit(syscall.RLIMIT_CPU, &syscall.Rlimit{Cur: 60, Max: 60}) // of all commands; whole bundles take two
	fmt.Sscan(os.Args[2]+" "+os.Args[3], &n, &every)
	jobs, _ := os.ReadFile(filepath.Join(folder, "jobs"))
	tell := json.NewEncoder(os.Stdout)
	commands := attackCommands(filepath.Join(folder, "bundle"), string(jobs), filepath.Join(folder, "store.db"), n)
	for _, args := range someOf(commands, n, every) {
		_ = tell.Encode(attackedCommand{Args: args, Died: "never ended"})
		_ = tell.Encode(attackOne(args))
	}
}

// attackOne runs one command, and looks at what it shows.
func attackOne(args []string) (c attackedCommand) {
	c.Args = args
	var out, warn bytes.Buffer
	began := attackedFor()
	defer func() {
		c.Seconds = (attackedFor() - began).Seconds()
		if p := recover(); p != nil {
			c.Panic = fmt.Sprintf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	c.Status = execute(context.Background(), args, &out, &warn)
	c.Raw = rawIn(out.String() + warn.String())
	return c
}

// rawIn is the first line in which a terminal would obey or hide something.
func rawIn(text string) string {
	for line := range strings.Lines(text) {
		line = strings.ReplaceAll(strings.TrimSuffix(line, "\n"), "\t", "")
		if safe.Text(line) != line {
			return fmt.Sprintf("%.200q", line)
		}
	}
	return ""
}

func attackedFor() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// An attackTally counts what came of a command.
type attackTally struct {
	answered, found, refused, panics, raw, slow int
	longest                                     float64
	peak                                        int64
}

func tallyOf(tally map[string]*attackTally, name string) *attackTally {
	if tally[name] == nil {
		tally[name] = &attackTally{}
	}
	return tally[name]
}

func (a *attackTally) add(c attackedCommand, peak int64) {
	switch {
	case c.Panic != "" || c.Died != "":
		a.panics++
	case c.Status == 0:
		a.answered++
	case c.Status == 3:
		a.found++
	default:
		a.refused++
	}
	if c.Raw != "" {
		a.raw++
	}
	if c.Seconds > attackTime.Seconds() {
		a.slow++
	}
	a.longest, a.peak = max(a.longest, c.Seconds), max(a.peak, peak)
}

func attackTable(tally map[string]*attackTally, mutations int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d mutated bundles\n%-11s %9s %9s %8s %7s %5s %5s %9s %6s\n", mutations, "command", "answered", "findings", "refused",
		"panics", "raw", "slow", "longest s", "MB")
	var names []string
	for name := range tally {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		a := tally[name]
		fmt.Fprintf(&b, "%-11s %9d %9d %8d %7d %5d %5d %9.2f %6d\n", name, a.answered, a.found, a.refused, a.panics, a.raw, a.slow, a.longest,
			a.peak>>20)
	}
	return b.String()
}

// TestTheAttackSeesWhatItIsToFind plants a panic's, a raw character's and a slow command's result.
func TestTheAttackSeesWhatItIsToFind(t *testing.T) {
	for _, c := range []attackedCommand{{Panic: "index"}, {Raw: rawIn("a\u202eb\n")}, {Died: "killed"}, {Seconds: 11}} {
		if c.wrong() == "" {
			t.Errorf("%+v passes", c)
		}
	}
	if got := rawIn("fine\ttext é\n"); got != "" {
		t.Error(got)
	}
	if c := attackOne([]string{"audit", "/nowhere"}); c.Status != 1 || c.wrong() != "" {
		t.Errorf("%+v", c)
	}
	if _, err := exec.LookPath("qprism-attacked"); errors.Is(err, exec.ErrNotFound) {
		t.Error("the process that tries commands is not there")
	}
}
