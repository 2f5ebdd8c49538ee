package pbsconf

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"qprism/engine/model"
	"qprism/fixtures/needs"
)

// words are those of a cluster with a name that tries to leave the text which holds it.
func words() model.PBSWords {
	return model.PBSWords{
		Resources: []model.PBSWord{
			{Name: "h_rt", Shortcut: "h_rt", To: "walltime", Type: model.TypePBSTime, How: model.PBSOfJob},
			{Name: "mem_free", Shortcut: "mf", To: "mem", Type: model.TypePBSSize, How: model.PBSOfChunk,
				Note: "PBS counts what jobs ask for"},
			{Name: "h_vmem", Shortcut: "vm", To: "vmem", Type: model.TypePBSSize, How: model.PBSOfSlot},
			{Name: "big.mem", Shortcut: "bm", To: "big_mem", Type: model.TypePBSBoolean, How: model.PBSOfChunk},
			{Name: "lic", Shortcut: "l", To: "lic", Type: model.TypePBSLong, How: model.PBSOfSlots},
			{Name: "once", Shortcut: "o", To: "once", Type: model.TypePBSFloat, How: model.PBSOfFirst},
			{Name: "hostname", Shortcut: "h", To: "host", Type: model.TypePBSString, How: model.PBSOfChunk},
			{Name: "qname", Shortcut: "q", How: model.PBSOfQueue},
			{Name: "s_rt", Shortcut: "s_rt", How: model.PBSNotAsked, Note: "PBS warns of no end"},
			{Name: `'''+__import__("os").system("false")+r'''`, To: "x", Type: model.TypePBSLong, How: model.PBSOfJob},
		},
		Environments: []model.PBSEnvironment{{Name: "smp", Rule: "$pe_slots"},
			{Name: "fill", Rule: "$fill_up", Slots: "pe_fill"},
			{Name: "rr", Rule: "$round_robin"}, {Name: "by4", Rule: "4"}},
		Queues:  map[string]string{"all.q": "all_q", "big.q": "big_q"},
		Options: map[string]string{"-dl": "qp_deadline", "-R": "reserve"},
		Hosts:   3,
	}
}

func submission(t *testing.T) map[string]string {
	t.Helper()
	files, err := Submission(words(), "a\ncluster")
	if err != nil {
		t.Fatal(err)
	}
	list := map[string]string{}
	for _, f := range files {
		list[f.Name] = string(f.Text)
	}
	return list
}

// TestTheTableForUsersHasEveryRequest: what a whole job asks for, what each chunk, and what nothing stands for.
func TestTheTableForUsersHasEveryRequest(t *testing.T) {
	rows := map[string]string{}
	for line := range strings.Lines(submission(t)[Table]) {
		parts := strings.SplitN(strings.Join(strings.Fields(line), " "), " ", 3)
		if len(parts) == 3 {
			rows[parts[0]+" "+parts[1]] = parts[2]
		}
	}
	for from, want := range map[string]string{
		"-l h_rt":     "-l walltime=HH:MM:SS",
		"-l mem_free": "-l select=N:ncpus=C:mem=2gb PBS counts what jobs ask for; for each chunk",
		"-l h_vmem":   "-l select=N:ncpus=C:vmem=2gb for each chunk: the amount times C",
		"-l big.mem":  "-l select=N:ncpus=C:big_mem=True for each chunk",
		"-l lic":      "-l lic=N for the whole job: the amount times the slots",
		"-l s_rt":     "– PBS warns of no end",
		"-q all.q":    "-q all_q",
		"-pe fill":    "N -l select=N:ncpus=1 -l place=free -l pe_fill=N the smallest of a range",
	} {
		if rows[from] != want {
			t.Errorf("%s: %q, want %q", from, rows[from], want)
		}
	}
}

// TestTheWrapperSaysInPBSsWordsWhatGridEngineWasTold, and refuses what it does not know.
func TestTheWrapperSaysInPBSsWordsWhatGridEngineWasTold(t *testing.T) {
	python := needs.Program(t, "python3", "the wrapper")
	dir := t.TempDir()
	wrapper, script, other := filepath.Join(dir, "qsub.py"), filepath.Join(dir, "job.sh"), filepath.Join(dir, "job.py")
	for path, text := range map[string]string{wrapper: submission(t)[Wrapper],
		other:  "#!/usr/bin/python3\n#$ -l h_rt=60\n",
		script: "#!/bin/bash\n#$ -N named -p -3\n#$ -pe smp 2-8 # the smallest of a range\n\necho work\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for line, want := range map[string]string{
		"-b y -p 1024 true":                         "qsub -l select=1:ncpus=1 -l place=free -p 1023 -N true",
		"-pe by4 8 -l mf=2G,vm=1.5G,bm -N x -b y x": "qsub -l select=2:ncpus=4:mpiprocs=4:mem=2gb:vmem=6gb:big_mem=True -l place=scatter -N x",
		"-pe fill 3 -l lic=2,h_rt=1:30:0 -b y x": "qsub -l select=3:ncpus=1 -l place=free -l lic=6 -l " +
			"walltime=01:30:00 -l pe_fill=3 " +
			"-N x",
		"-pe rr 3 -l once=1.5 -b y x": "qsub -l select=1:ncpus=1:once=1.5+2:ncpus=1 -l place=scatter -N x",
		"-pe rr 4 -b y x":             "qsub -l select=4:ncpus=1 -l place=free -N x",
		"-q big.q@node7 -b y x": "qsub -l select=1:ncpus=1:host=node7 -l " +
			"place=free -q big_q -N x",
		"-l q=all.q,h=node1 -b y x": "qsub -l select=1:ncpus=1:host=node1 -l " +
			"place=free -q all_q -N x",
		"-l h=node*,s_rt=5 -q a.q,b.q -soft -l lic=1 -b y x": "qsub -l select=1:ncpus=1 -l place=free -N x",
		"-t 1-9:2 -tc 3 -h " + script: "qsub -l select=1:ncpus=2 -l place=free " +
			"-N named -p -3 -h -J 1-9:2%3",
		"-t 4 -b y x": "qsub -l select=1:ncpus=1 -l place=free -v SGE_TASK_ID=4 -N x",
		"-a 202612242300.05 -hold_jid 1,2 -P p -b y x": "qsub -l select=1:ncpus=1 -l place=free -P p -a 202612242300.05 " +
			"-W depend=afterany:1:2 -N x",
		"-o host:/tmp/$TASK_ID -e /tmp/$JOB_ID.e -j y -m beas -sync y -b y 1x": "qsub -l select=1:ncpus=1 -l place=free " +
			"-o '/tmp/^array_index^' -e /tmp/ -m bea -W block=true -j oe -N Jx",
		"-R y -b y x":           "qsub -l select=1:ncpus=1 -l place=free -l reserve=True -N x",
		other:                   "qsub -l select=1:ncpus=1 -l place=free -l walltime=00:01:00 -N job.py " + other,
		other + " x":            "",
		"-l nosuch=1 -b y x":    "",
		"-pe nosuch 1 -b y x":   "",
		"-hold_jid name -b y x": "",
		"-i file -b y x":        "",
		"-b y":                  "",
		"-l lic=lots -b y x":    "",
	} {
		out, err := exec.Command(python, append([]string{wrapper, "--dry-run"}, strings.Fields(line)...)...).Output()
		got, _, _ := strings.Cut(string(out), "\n")
		if got != want || (err != nil) != (want == "") {
			t.Errorf("qsub %s: %s (%v), want %s", line, got, err, want)
		}
	}
}

// TestAScriptFindsWhatGridEngineGaveIt runs what the wrapper hands to qsub with a shell: folder, arguments
// and variables are there.
func TestAScriptFindsWhatGridEngineGaveIt(t *testing.T) {
	python := needs.Program(t, "python3", "the wrapper")
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	wrapper, script := filepath.Join(dir, "qsub.py"), filepath.Join(dir, "job.sh")
	for path, text := range map[string]string{wrapper: submission(t)[Wrapper],
		script: "#!/bin/sh\n#$ -pe smp 2\n\necho $PWD $NSLOTS $JOB_ID $SGE_TASK_ID \"$2\"\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range [][]string{{script, "a b", "c'd"}, {"-pe", "smp", "2", "-b", "y", "sh", "-c",
		`echo $PWD $NSLOTS $JOB_ID $SGE_TASK_ID "$1"`, "x", "c'd"}} {
		c := exec.Command(python, append([]string{wrapper, "--dry-run"}, line...)...)
		c.Dir = dir
		out, err := c.Output()
		if err != nil {
			t.Fatal(err)
		}
		_, text, _ := strings.Cut(string(out), "\n")
		job := exec.Command("sh")
		job.Stdin, job.Env = strings.NewReader(text), append(os.Environ(), "PBS_JOBID=17[3].server", "PBS_ARRAY_INDEX=3")
		if said, err := job.CombinedOutput(); err != nil || string(said) != dir+" 2 17 3 c'd\n" {
			t.Errorf("%s: %s (%v)", text, said, err)
		}
	}
}
