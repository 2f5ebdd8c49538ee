package exporter

import (
	"context"
	"fmt"
	"hash/crc32"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A hostLock is seen by all who reach a cluster over the same host, whatever store they keep: a symbolic link there, which is made in one step
// or not at all (symlink(2), over NFS too), and whose target says who holds it and until when.
//
// Who reaches the cluster over another host does not see it. What two controllers do to each other then shows when orders are read back.
type hostLock struct {
	runner Runner
	path   string
	holder Holder
	sleep  func(context.Context, time.Duration) error
}

// TakeHostLock takes the lock of a cluster in a folder of the host that a runner reaches, or is refused with the name of who has it. A lock
// whose time is over, and one of a holder that died, is taken over. Without a folder there is no lock.
func TakeHostLock(ctx context.Context, r Runner, folder, cluster string, h Holder, sleep func(context.Context, time.Duration) error) (release func(), err error) {
	if folder == "" {
		return func() {}, nil
	}
	cell, err := cellOf(ctx, r)
	if err != nil {
		return nil, err
	}
	l := hostLock{r, path.Join(folder, "qprism-"+plainName(cluster)+"-"+cell+".lock"), h, sleep}
	if err := l.take(ctx); err != nil {
		return nil, err
	}
	return func() { l.giveBack(context.WithoutCancel(ctx)) }, nil
}

// cellOf tells clusters of one host apart that call themselves the same: by where Grid Engine is, of which a sum suffices.
func cellOf(ctx context.Context, r Runner) (string, error) {
	results, err := r.Run(ctx, [][]string{{"printenv", "SGE_ROOT"}})
	if err != nil {
		return "", err
	}
	root := "/var/lib/gridengine" // where Debian's clients look if nothing says where it is
	if len(results) == 1 && results[0].Exit == 0 {
		root = strings.TrimSpace(results[0].Out)
	}
	return fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(root))), nil
}

// plainName makes a text fit for the name of a lock or of its holder; scripts/qprism-gate accepts no other.
func plainName(text string) string {
	return regexp.MustCompile(`[^A-Za-z0-9_.@:]+`).ReplaceAllString(text[:min(len(text), 100)], "-")
}

// settling is how long a lock that was taken over is left alone before a look at whether somebody else took it over at the same moment.
const settling = time.Second

// farewell bounds the time that giving a lock back may take. One that cannot be given back is taken over later.
const farewell = 10 * time.Second

func (l hostLock) take(ctx context.Context) error {
	own := l.target()
	link := [][]string{{"ln", "-s", own, l.path}, {"readlink", l.path}}
	found, err := l.run(ctx, link)
	if err != nil || found == own {
		return err
	}
	if !l.abandoned(found) {
		return l.held(found)
	}
	if found, err = l.run(ctx, append([][]string{{"rm", "-f", l.path}}, link...)); err == nil && found == own {
		if err = l.sleep(ctx, settling); err == nil {
			found, err = l.run(ctx, link[1:])
		}
	}
	if err == nil && found != own {
		err = l.held(found)
	}
	return err
}

// run runs commands of which the last one prints the target of the lock.
func (l hostLock) run(ctx context.Context, commands [][]string) (target string, err error) {
	results, err := l.runner.Run(ctx, commands)
	switch {
	case err != nil:
		return "", err
	case len(results) != len(commands):
		return "", fmt.Errorf("%d commands, %d results", len(commands), len(results))
	}
	last := results[len(results)-1]
	if target = strings.TrimSuffix(last.Out, "\n"); last.Exit == 0 && target != "" {
		return target, nil
	}
	for _, r := range slices.Backward(results) {
		if words := gateForbids(r); words != "" {
			return "", refuse("%s", words)
		}
	}
	for _, r := range results {
		if r.Exit != 0 {
			return "", refuse("the lock %s of the host cannot be taken: %s", l.path, firstLine(r))
		}
	}
	return "", refuse("the lock %s of the host cannot be read", l.path)
}

// giveBack removes the lock, if it is still one's own.
func (l hostLock) giveBack(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, farewell)
	defer cancel()
	if found, err := l.run(ctx, [][]string{{"readlink", l.path}}); err == nil && found == l.target() {
		_, _ = l.runner.Run(ctx, [][]string{{"rm", "-f", l.path}})
	}
}

// target is what the lock says: holder and the second until which it is taken, "root@admin:4711,1795291200".
func (l hostLock) target() string {
	return plainName(l.holder.Name) + "," + strconv.FormatInt(l.holder.From.Add(l.holder.For).Unix(), 10)
}

// abandoned reports whether nobody holds a lock any more. A target that is not one of ours is somebody's.
func (l hostLock) abandoned(target string) bool {
	holder, until, _ := strings.Cut(target, ",")
	end, err := strconv.ParseInt(until, 10, 64)
	if err != nil {
		return false
	}
	return holder == plainName(l.holder.Name) || l.holder.From.Unix() >= end || l.holder.Dead != nil && l.holder.Dead(holder)
}

// held is the refusal while somebody else has the lock.
func (l hostLock) held(target string) error {
	holder, until, _ := strings.Cut(target, ",")
	if end, err := strconv.ParseInt(until, 10, 64); err == nil {
		return refuse("%s has the lock of this cluster on the host, at the latest until %s UTC; if that process is gone: rm %s",
			holder, time.Unix(end, 0).UTC().Format("2006-01-02 15:04:05"), l.path)
	}
	return refuse("somebody has the lock %s of the host: %q", l.path, target)
}

// gateForbids says in words that qprism-gate permits no orders to the key that was used, where that is why a command did not run.
func gateForbids(r Result) string {
	_, after, found := strings.Cut(r.Err, "qprism-gate: not permitted in mode ")
	if !found {
		return ""
	}
	mode, _, _ := strings.Cut(after, ":")
	if mode != "read" {
		return firstLine(Result{Err: r.Err})
	}
	return "the key may only read: qprism-gate runs in mode read on the host; in its authorized_keys, mode order permits push, mode drive permits drive"
}
