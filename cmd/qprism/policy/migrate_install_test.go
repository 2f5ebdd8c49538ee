package policy

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"qprism/cmd/qprism/cli"
	"qprism/engine/migrate"
	"qprism/engine/model"
	"qprism/exporter/pbsconf"
)

// TestTheStepsOfAMigrationPutEveryFileInItsPlace does what the report says to do with the scheduler's
// files, as a shell does it, and looks for all other files in what it says.
func TestTheStepsOfAMigrationPutEveryFileInItsPlace(t *testing.T) {
	x := translated(t, everyKind(t))
	x.Use(migrate.Formula{
		Text:   "job_priority",
		Sched:  []model.Setting{{Name: "job_sort_key", Value: "ncpus HIGH"}},
		Groups: []model.ResourceGroup{{Line: 1, Name: "a.b", Group: 11, Parent: "root", Shares: 7}},
		Hooks:  []model.PBSHook{{Name: "order", Python: "pass\n"}},
		Steps: []migrate.Step{{What: "Renew.", Cron: "*/5 * * * *", Command: "python3 " + refreshPlace},
			{What: "Usage.", Command: "pbsfs -s a.b 7"}},
	})
	files, err := pbsFiles(x, "a test")
	if err != nil {
		t.Fatal(err)
	}
	files = append(files, migratedFile{name: refreshFile})
	steps := installSteps(x)
	if len(steps) != 5 || steps[0].Command != "qmgr < "+pbsconf.Script ||
		!strings.Contains(steps[1].What, "job_sort_key") {
		t.Fatalf("%+v", steps)
	}
	said := ""
	for _, s := range steps {
		said += s.Command + "\n"
	}
	folder := t.TempDir()
	for _, f := range files {
		if strings.HasPrefix(f.name, "hooks/") {
			continue // which the script imports
		}
		if !strings.Contains(said, " "+f.name) {
			t.Errorf("no step tells where %s goes:\n%s", f.name, said)
		}
		path := filepath.Join(folder, filepath.FromSlash(f.name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, f.text, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	reloads(t, folder, steps[1].Command, files)
}

// reloads runs the commands that give the scheduler its files; a process that ends by a hangup stands in for it.
func reloads(t *testing.T, folder, commands string, files []migratedFile) {
	t.Helper()
	home := filepath.Join(t.TempDir(), "it's a home")
	priv := filepath.Join(home, "sched_priv")
	if err := os.MkdirAll(priv, 0o700); err != nil {
		t.Fatal(err)
	}
	scheduler := exec.Command("sleep", "60")
	if err := scheduler.Start(); err != nil {
		t.Fatal(err)
	}
	defer scheduler.Process.Kill()
	for name, text := range map[string]string{"sched.lock": fmt.Sprintf("%d\n", scheduler.Process.Pid),
		"sched_config": "the old one\n"} {
		if err := os.WriteFile(filepath.Join(priv, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.Command("sh", "-eu", "-c", strings.Replace(commands, ". /etc/pbs.conf\n",
		"PBS_HOME="+cli.ShellWord(home)+"\n", 1))
	c.Dir = folder
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if err := scheduler.Wait(); err == nil || scheduler.ProcessState.Sys().(syscall.WaitStatus).Signal() != syscall.SIGHUP {
		t.Errorf("the scheduler was not told to read its files: %v", err)
	}
	copied := 0
	for _, f := range files {
		if f.about != "into sched_priv of the scheduler" {
			continue
		}
		copied++
		if text, err := os.ReadFile(filepath.Join(priv, f.name)); err != nil || string(text) != string(f.text) {
			t.Errorf("%s: %v, %q", f.name, err, text)
		}
	}
	if old, err := os.ReadFile(filepath.Join(priv, "sched_config~")); err != nil ||
		string(old) != "the old one\n" || copied < 3 {
		t.Errorf("%d files copied; of the old sched_config is left %q, %v", copied, old, err)
	}
}
