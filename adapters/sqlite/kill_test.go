package sqlite

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// The environment of a test binary that was started to import into a store until it is killed.
const (
	importInto = "QPRISM_TEST_IMPORT_INTO"
	importSeed = "QPRISM_TEST_IMPORT_SEED"
)

func TestMain(m *testing.M) {
	if path := os.Getenv(importInto); path != "" {
		importForever(path, os.Getenv(importSeed))
	}
	os.Exit(m.Run())
}

// importForever imports snapshots of an evolving cluster, and says which are stored.
func importForever(path, seed string) {
	n, err := strconv.ParseUint(seed, 10, 64)
	if err != nil {
		panic(err)
	}
	s, err := Open(path)
	if err != nil {
		panic(err)
	}
	fmt.Println("ready")
	for c := clusterOf(n); ; c.step(time.Minute, 5) {
		snap := c.snapshot()
		snap.Cluster = seed
		if _, err := s.Import(context.Background(), c.bundle(), seed, snap); err != nil {
			panic(err)
		}
		fmt.Println(snap.TakenAt.Unix())
	}
}

func clusterOf(seed uint64) *fakeCluster { return newFakeCluster(seed, 120, 8) }

var attackImports = flag.Int("attack.imports", 20, "how many imports are killed")

// TestKilledImportLeavesWholeSnapshots kills a process that imports, at random points, and looks at what is stored.
func TestKilledImportLeavesWholeSnapshots(t *testing.T) {
	kills := *attackImports
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	path := filepath.Join(t.TempDir(), "store.db")
	usual := timeOfImport(t)
	checked := map[int64]bool{}
	unreported := 0
	for i := range kills {
		child := startImport(t, path, seed+uint64(i))
		child.waitFor("ready")
		before, pace := child.follow(rng.IntN(4), usual)
		time.Sleep(time.Duration(rng.Int64N(int64(2*pace) + 1)))
		reported := append(before, child.kill()...)
		unreported += checkStore(t, path, seed+uint64(i), checked, reported)
	}
	t.Logf("%d kills left %d whole snapshots, %d of them stored but not yet reported", kills, len(checked), unreported)
	if len(checked) < kills/4 {
		t.Errorf("too few snapshots to be a test")
	}
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	checkIntegrity(t, s)
	for id := range checked { // those of all runs before, too
		if _, err := s.Snapshot(context.Background(), id); err != nil {
			t.Error(err)
		}
	}
}

// TestStoreKilledWhileItIsMadeOpensAgain kills a process that creates its store.
func TestStoreKilledWhileItIsMadeOpensAgain(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	usual := timeOfImport(t)
	kills := max(8, *attackImports/5)
	made := 0
	for i := range kills {
		path := filepath.Join(t.TempDir(), "store.db")
		child := startImport(t, path, seed)
		for begun := time.Now(); !exists(path) && time.Since(begun) < 10*time.Second; {
			time.Sleep(100 * time.Microsecond)
		}
		time.Sleep(time.Duration(rng.Int64N(int64(2 * usual))))
		reported := child.kill()
		checked := map[int64]bool{}
		checkStore(t, path, seed, checked, reported)
		if len(checked) > 0 {
			made++
		}
		if t.Failed() {
			t.Fatalf("after kill %d", i)
		}
	}
	t.Logf("%d of %d stores held a snapshot already", made, kills)
}

// timeOfImport is how long a child that is ready takes for its first snapshot.
func timeOfImport(t *testing.T) time.Duration {
	t.Helper()
	child := startImport(t, filepath.Join(t.TempDir(), "store.db"), 1)
	child.waitFor("ready")
	start := time.Now()
	<-child.lines
	usual := time.Since(start)
	child.kill()
	t.Logf("an import takes %v", usual)
	return usual
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// checkStore opens a store after a kill: SQLite finds nothing wrong, all that was reported is there, and every new
// snapshot is what was imported. It returns how many snapshots were stored but not reported.
func checkStore(t *testing.T, path string, seed uint64, checked map[int64]bool, reported []int64) (unreported int) {
	t.Helper()
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	checkIntegrity(t, s)
	infos, err := s.Snapshots(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	stored := map[int64]bool{}
	c := clusterOf(seed)
	for _, info := range infos { // by cluster and time
		if checked[info.ID] {
			continue
		}
		for c.now.Before(info.TakenAt) {
			c.step(time.Minute, 5)
		}
		want := c.snapshot()
		want.Cluster = strconv.FormatUint(seed, 10)
		got, err := s.Snapshot(context.Background(), info.ID)
		if err != nil {
			t.Fatal(err)
		}
		sameSnapshot(t, fmt.Sprint("snapshot ", info.ID), got, want)
		sameBundle(t, mustRaw(t, s, info.ID), c.bundle())
		checked[info.ID], stored[info.TakenAt.Unix()] = true, true
	}
	for _, at := range reported {
		if !stored[at] {
			t.Errorf("the snapshot of %d was reported, and is lost", at)
		}
	}
	return len(stored) - len(reported)
}

// A child is a process that imports.
type child struct {
	t     *testing.T
	cmd   *exec.Cmd
	lines chan string
}

func startImport(t *testing.T, path string, seed uint64) *child {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := &child{t: t, cmd: exec.Command(exe), lines: make(chan string, 10000)}
	c.cmd.Env = append(os.Environ(), importInto+"="+path, fmt.Sprintf("%s=%d", importSeed, seed))
	c.cmd.Stderr = os.Stderr
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(c.lines)
		for scan := bufio.NewScanner(out); scan.Scan(); {
			c.lines <- scan.Text()
		}
	}()
	return c
}

func (c *child) waitFor(line string) {
	c.t.Helper()
	if got, ok := <-c.lines; !ok || got != line {
		c.t.Fatalf("the child said %q", got)
	}
}

// follow waits until so many snapshots were reported, and returns them and how long the last took: a moment
// measured by the clock alone lies before the first import where the machine has become slower, and behind
// many where it has become faster.
func (c *child) follow(snapshots int, usual time.Duration) (reported []int64, pace time.Duration) {
	c.t.Helper()
	pace = usual
	for range snapshots {
		start := time.Now()
		line, ok := <-c.lines
		at, err := strconv.ParseInt(line, 10, 64)
		if !ok || err != nil {
			c.t.Fatalf("the child said %q", line)
		}
		reported, pace = append(reported, at), time.Since(start)
	}
	return reported, pace
}

// kill ends the process at once, and returns which snapshots it had reported.
func (c *child) kill() (reported []int64) {
	c.t.Helper()
	if err := c.cmd.Process.Kill(); err != nil {
		c.t.Fatal(err)
	}
	for line := range c.lines {
		if at, err := strconv.ParseInt(line, 10, 64); err == nil {
			reported = append(reported, at)
		}
	}
	c.cmd.Wait()
	return reported
}
