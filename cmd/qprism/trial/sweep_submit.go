package trial

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"qprism/adapters/sqlite"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
)

// A sweepFolder holds what the tasks of an array job need, and what they found. All hosts see it.
//
//	grid              the policies; it is written last, and makes the folder whole
//	part.db           the snapshots of the period
//	qprism            this program
//	todo.1, todo.2 …  of each submission a line for each task: numbers of policies
//	found/7.json      what came of the seventh policy
//	log               what the tasks say
type sweepFolder string

func (f sweepFolder) grid() string      { return filepath.Join(string(f), "grid") }
func (f sweepFolder) part() string      { return filepath.Join(string(f), "part.db") }
func (f sweepFolder) program() string   { return filepath.Join(string(f), "qprism") }
func (f sweepFolder) log() string       { return filepath.Join(string(f), "log") }
func (f sweepFolder) todo(n int) string { return filepath.Join(string(f), "todo."+strconv.Itoa(n)) }
func (f sweepFolder) found(policy int) string {
	return filepath.Join(string(f), "found", strconv.Itoa(policy)+".json")
}

// runSubmit submits the policies without a result as an array job. In a new folder these are all policies.
func runSubmit(ctx context.Context, d *cli.Deps, opts sweepOptions, file, qsub []string, w io.Writer) error {
	path, err := filepath.Abs(opts.submit)
	if err != nil {
		return err
	}
	f := sweepFolder(path)
	_, missing := os.Stat(f.grid())
	switch {
	case missing != nil && len(file) == 0:
		return fmt.Errorf("%s contains no sweep: give the FILE of the grid", opts.submit)
	case missing == nil && len(file) > 0:
		return fmt.Errorf("%s already contains a sweep; without FILE, qprism submits its missing policies", opts.submit)
	case missing != nil:
		if err := f.make(ctx, d, &opts, file[0]); err != nil {
			return err
		}
	}
	policies, err := readGrid(f.grid())
	if err != nil {
		return err
	}
	todo := f.missing(len(policies))
	if len(todo) == 0 {
		_, err := fmt.Fprintf(w, "All results are there: qprism sweep --collect %s ranks %d policies.\n",
			opts.submit, len(policies))
		return err
	}
	return f.submit(ctx, &opts, todo, qsub, w)
}

// make fills a new folder.
func (f sweepFolder) make(ctx context.Context, d *cli.Deps, opts *sweepOptions, file string) error {
	if _, err := readGrid(file); err != nil {
		return err
	}
	for _, folder := range []string{filepath.Dir(f.found(1)), f.log()} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return err
		}
	}
	store, err := subject.OpenStore(d)
	if err != nil {
		return err
	}
	defer store.Close()
	p, err := choosePeriod(ctx, store, opts.cluster, opts.since, opts.until)
	if err != nil {
		return err
	}
	var ids []int64
	for _, i := range p.infos {
		ids = append(ids, i.ID)
	}
	if err := store.CopyPart(ctx, f.part(), ids); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	return errors.Join(copyFile(f.program(), self, 0o700), copyFile(f.grid(), file, 0o600))
}

func copyFile(to, from string, mode fs.FileMode) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return subject.WriteWhole(to, text, mode)
}

// missing returns the policies without a result, counted from 1.
func (f sweepFolder) missing(policies int) (list []int) {
	for n := 1; n <= policies; n++ {
		if _, err := os.Stat(f.found(n)); err != nil {
			list = append(list, n)
		}
	}
	return list
}

// submit submits the policies as an array job, several for each task.
func (f sweepFolder) submit(ctx context.Context, opts *sweepOptions, policies []int, qsub []string, w io.Writer) error {
	number := 1
	for ; ; number++ {
		if _, err := os.Stat(f.todo(number)); err != nil {
			break
		}
	}
	var lines []byte
	tasks := 0
	for some := range slices.Chunk(policies, max(opts.perTask, 1)) {
		lines = append(lines, strings.Trim(fmt.Sprint(some), "[]")+"\n"...)
		tasks++
	}
	if err := subject.WriteWhole(f.todo(number), lines, 0o600); err != nil {
		return err
	}
	argv := f.command(opts.to, tasks, number, qsub)
	out, err := exec.CommandContext(ctx, argv[0], argv[1:]...).CombinedOutput()
	if err != nil {
		_ = os.Remove(f.todo(number))
		return fmt.Errorf("%s: %w: %s", strings.Join(argv, " "), err, show.Printable(strings.TrimSpace(string(out))))
	}
	_, err = fmt.Fprintf(w, "%s\n%d policies in %s. When the tasks have ended, qprism sweep --collect %s ranks them.\n",
		show.Printable(strings.TrimSpace(string(out))), len(policies), show.Plural(tasks, "task"), cli.ShellWord(opts.submit))
	return err
}

// command is the command that submits the tasks of a todo.
func (f sweepFolder) command(system string, tasks, todo int, options []string) []string {
	work := []string{f.program(), "sweep", "--task", string(f), "--todo", strconv.Itoa(todo)}
	array := fmt.Sprintf("1-%d", tasks)
	if system == "pbs" {
		argv := []string{"qsub", "-N", "sweep", "-j", "oe", "-o", f.log() + "/"}
		if tasks > 1 { // PBS refuses an array of one
			argv = append(argv, "-J", array)
		}
		return slices.Concat(argv, options, []string{"--"}, work)
	}
	return slices.Concat([]string{"qsub", "-N", "sweep", "-j", "y", "-o", f.log(), "-wd", string(f),
		"-t", array, "-b", "y", "-shell", "n"},
		options, work)
}

// runTask plays the policies of a task of an array job. What is found already, it leaves.
func runTask(ctx context.Context, opts sweepOptions, warn io.Writer) error {
	f := sweepFolder(opts.task)
	runtime.GOMAXPROCS(numberIn("NSLOTS", "NCPUS")) // the slots that the scheduler has granted
	text, err := os.ReadFile(f.todo(opts.todo))
	if err != nil {
		return err
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	task := numberIn("SGE_TASK_ID", "PBS_ARRAY_INDEX")
	if task > len(lines) {
		return fmt.Errorf("task %d, and there are %d", task, len(lines))
	}
	policies, err := readGrid(f.grid())
	if err != nil {
		return err
	}
	var r *replayed
	for _, word := range strings.Fields(lines[task-1]) {
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 || n > len(policies) {
			return fmt.Errorf("%s: there is no policy %s", f.todo(opts.todo), show.Printable(word))
		}
		if _, err := os.Stat(f.found(n)); err == nil {
			continue
		}
		if r == nil {
			if r, err = f.read(ctx); err != nil {
				return err
			}
		}
		found, err := r.sweep(ctx, policies[n-1:n], warn)
		if err != nil {
			return err
		}
		text, err := json.Marshal(found[0])
		if err == nil {
			err = subject.WriteWhole(f.found(n), text, 0o600)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// numberIn returns the first variable of the environment that is a number above 0. Otherwise it returns 1.
func numberIn(names ...string) int {
	for _, name := range names {
		if n, err := strconv.Atoi(os.Getenv(name)); err == nil && n > 0 {
			return n
		}
	}
	return 1
}

func (f sweepFolder) open(ctx context.Context) (*sqlite.Store, period, error) {
	store, err := sqlite.OpenToRead(f.part())
	if err != nil {
		return nil, period{}, err
	}
	p := period{}
	if p.cluster, err = subject.ClusterOf(ctx, store, ""); err == nil {
		p.infos, err = subject.StoredOf(ctx, store, p.cluster, time.Time{}, time.Time{})
	}
	return store, p, err
}

func (f sweepFolder) read(ctx context.Context) (*replayed, error) {
	store, p, err := f.open(ctx)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	return readRecord(ctx, store, &subject.Selection{}, p)
}

// runCollect ranks the results of the tasks.
func runCollect(ctx context.Context, d *cli.Deps, opts sweepOptions, w io.Writer) error {
	f := sweepFolder(opts.collect)
	policies, err := readGrid(f.grid())
	if err != nil {
		return err
	}
	if left := f.missing(len(policies)); len(left) > 0 {
		return fmt.Errorf("there is no result for %d of %d policies, the first is number %d; if no task "+
			"is running any more, qprism sweep --submit %s submits only these", len(left),
			len(policies), left[0], cli.ShellWord(opts.collect))
	}
	store, p, err := f.open(ctx)
	if err != nil {
		return err
	}
	store.Close()
	j := jsonSweep{jsonPeriod: p.head(), By: opts.by}
	for n := range policies {
		text, err := os.ReadFile(f.found(n + 1))
		if err != nil {
			return err
		}
		var one jsonSwept
		if err := json.Unmarshal(text, &one); err != nil {
			return fmt.Errorf("%s: %w", f.found(n+1), err)
		}
		j.Policies = append(j.Policies, one)
	}
	return j.print(d, w, opts.all)
}
