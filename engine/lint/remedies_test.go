package lint_test

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"qprism/fixtures/master"
)

// qconfOfFiles plays qconf on the files of a bundle: it prints them, and takes them back. What it cannot do it says with
// exit status 9.
const qconfOfFiles = `#!/bin/sh
case $1 in
-ssconf) cat "$BUNDLE/sched_conf.txt" ;;
-Msconf) cp "$2" "$BUNDLE/sched_conf.txt" ;;
-sconf) cat "$BUNDLE/conf.txt" ;;
-Mconf) cp "$2" "$BUNDLE/conf.txt" ;;
-sc) cat "$BUNDLE/complex.txt" ;;
-Mc) cp "$2" "$BUNDLE/complex.txt" ;;
-sstree) cat "$BUNDLE/share_tree.txt" ;;
-Mstree) cp "$2" "$BUNDLE/share_tree.txt" ;;
-suser) cat "$BUNDLE/users/$2.txt" ;;
-Muser) cp "$2" "$BUNDLE/users/$(sed -n 's/^name *//p' "$2").txt" ;;
-su) cat "$BUNDLE/usersets/$2.txt" ;;
-Mu) cp "$2" "$BUNDLE/usersets/$(sed -n 's/^name *//p' "$2").txt" ;;
*) exit 9 ;;
esac
`

// play runs a command of a report on the files of a bundle; false where it needs more than files.
func play(t *testing.T, command, dir string) bool {
	t.Helper()
	bin := t.TempDir()
	for name, text := range map[string]string{"qconf": qconfOfFiles, "qmgr": "#!/bin/sh\nexit 9\n", "pkill": "#!/bin/sh\n"} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.Command("sh", "-c", command)
	c.Dir = t.TempDir()
	c.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "BUNDLE="+dir)
	out, err := c.CombinedOutput()
	if c.ProcessState.ExitCode() == 9 {
		return false
	}
	if err != nil || len(out) > 0 {
		t.Errorf("%s: %v %s", command, err, out)
	}
	return true
}

func TestARemedyMendsItsTrap(t *testing.T) {
	clean, played := cleanPolicies(t), 0
	for name, p := range plantedTraps {
		t.Run(name, func(t *testing.T) {
			c := clean[p.in]
			files, err := c.open()
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			edits := slices.Concat(c.edits, p.edits)
			if strings.HasPrefix(p.in, "pbs") {
				edits = append(edits, replace("qmgr_print_sched.txt", "/opt/pbs/sched_priv", dir))
			}
			if err := os.CopyFS(dir, bundle(t, files, c.step, edits...)); err != nil {
				t.Fatal(err)
			}
			before, _ := check(t, os.DirFS(dir))
			for _, fix := range before.Traps[0].Fix {
				if strings.HasPrefix(fix, "echo '-l") || !play(t, fix, dir) {
					continue
				}
				played++
				after, _ := check(t, os.DirFS(dir))
				for _, trap := range after.Traps {
					t.Errorf("after %s: %s: %s", fix, trap.Name, trap.What)
				}
				break // the next one is for a bundle that still has the trap
			}
		})
	}
	if played < 40 {
		t.Errorf("only %d remedies were played", played)
	}
}

// objects are what the remedies speak of, in qconf's own forms.
var objects = []struct{ option, text string }{
	{"-Auser", "name usera\noticket 0\nfshare 0\ndelete_time 0\ndefault_project NONE\n"},
	{"-Auser", "name userb\noticket 0\nfshare 0\ndelete_time 0\ndefault_project NONE\n"},
	{"-Auser", "name userc\noticket 0\nfshare 0\ndelete_time 0\ndefault_project NONE\n"},
	{"-Aprj", "name project3\noticket 0\nfshare 0\nacl NONE\nxacl NONE\n"},
	{"-Aprj", "name project4\noticket 0\nfshare 0\nacl NONE\nxacl NONE\n"},
	{"-Au", "name Privileged\ntype ACL DEPT\nfshare 10\noticket 0\nentries usera\n"},
	{"-Au", "name ClusterGrid\ntype ACL DEPT\nfshare 10\noticket 0\nentries userb\n"},
	{"-Arqs", "{\n   name         cpus\n   description  NONE\n   enabled      TRUE\n   limit        users * to num_proc=4\n}\n"},
}

// treeOfAll has each node that a remedy of the tree adds nothing beside.
const treeOfAll = "id=0\nname=Root\ntype=0\nshares=1\nchildnodes=1,2,3\nid=1\nname=userc\ntype=0\nshares=0\nchildnodes=NONE\n" +
	"id=2\nname=default\ntype=0\nshares=10\nchildnodes=NONE\nid=3\nname=project4\ntype=1\nshares=10\nchildnodes=NONE\n"

// TestRealMasterTakesTheRemedies gives every command of every report to a real qconf.
func TestRealMasterTakesTheRemedies(t *testing.T) {
	m := master.Start(t, master.Options{})
	dir := t.TempDir()
	run := func(command string) {
		t.Helper()
		if out, err := m.Run("sh", "-c", "cd "+dir+" && "+command); err != nil {
			t.Errorf("%s: %v %s", command, err, out)
		}
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for i, o := range objects {
		write(fmt.Sprint("object", i), o.text)
		run(fmt.Sprint("qconf ", o.option, " object", i))
	}
	run("qconf -sc | sed -e '1i high_priority hp BOOL == YES NO 0 1000' -e '1i license1 l1 INT <= YES YES 0 200' > complex && qconf -Mc complex")
	write("tree", treeOfAll)
	for _, fix := range remedies(t) {
		run("qconf -sstree > /dev/null 2>&1 && qconf -dstree; qconf -Astree tree") // some take nodes away, or the tree
		if strings.HasPrefix(fix, "qconf -dattr") {
			run("qconf -aattr exechost complex_values high_priority=TRUE global")
		}
		if strings.Contains(fix, "-astnode /default") {
			run("qconf -dstnode /default")
		}
		run(fix)
	}
}

// remedies are the commands for Grid Engine of all planted traps, but those that a person types on at a terminal, and
// those about jobs.
func remedies(t *testing.T) (list []string) {
	clean := cleanPolicies(t)
	for _, p := range plantedTraps {
		c := clean[p.in]
		var files fs.FS
		files, err := c.open()
		if err != nil {
			t.Fatal(err)
		}
		r, _ := check(t, bundle(t, files, c.step, slices.Concat(c.edits, p.edits)...))
		for _, fix := range r.Traps[0].Fix {
			if strings.HasPrefix(fix, "qconf ") && fix != "qconf -mstree" {
				list = append(list, fix)
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}
