package exporter

import (
	"context"
	"regexp"
	"strings"
	"time"
)

// Users who reach a cluster over one host with one account share its lock, even with different stores. The
// process that runs the orders there holds the lock (adapters/shell, scripts/qprism-gate). The kernel keeps it
// as long as this process lives, so no clock and no process id matters. Users who come over another host, or
// with another account, do not see the lock. Then two controllers may change the same jobs. Each controller
// notices it when it reads its orders back.

// heldElsewhere is the exit status of the lock command if another process has the lock (EX_TEMPFAIL of
// sysexits.h).
const heldElsewhere = 75

// takeHostLock takes a lock in a folder of the host. If another process has it, the error names the holder. If
// the folder is empty, the host chooses one. The lock ends with the call of release, or with the process on the
// host.
func takeHostLock(ctx context.Context, r Runner, folder, name, holder string) (release func(), err error) {
	argv := []string{"qprism-lock", folder, plainName(name), plainName(holder)}
	results, err := r.Run(ctx, [][]string{argv})
	switch {
	case err != nil:
		return nil, err
	case len(results) != 1:
		return nil, Failure(argv[:1], results...)
	case results[0].Exit == 0:
		return func() { giveBack(context.WithoutCancel(ctx), r) }, nil
	case results[0].Exit == heldElsewhere:
		return nil, refuse("%s has the lock of this cluster on the host: %s", whoOf(results[0].Out), lastLine(results[0].Err))
	}
	if words := gateForbids(results[0]); words != "" {
		return nil, refuse("%s", words)
	}
	return nil, refuse("cannot take the lock on the host: %s; --lock-dir names another folder, "+
		"--lock-dir none uses no lock",
		strings.Join(Lines(results[0].Text()), "; "))
}

// unlockTimeout is the time limit to release the lock. The end of the process on the host releases it, too.
const unlockTimeout = 10 * time.Second

func giveBack(ctx context.Context, r Runner) {
	ctx, cancel := context.WithTimeout(ctx, unlockTimeout)
	defer cancel()
	_, _ = r.Run(ctx, [][]string{{"qprism-unlock"}})
}

// plainName turns a text into a name of a lock or holder that scripts/qprism-gate accepts.
func plainName(text string) string {
	return regexp.MustCompile(`[^A-Za-z0-9_.@:]+`).ReplaceAllString(text[:min(len(text), 100)], "-")
}

// whoOf returns the holder of a lock from the output of the lock command.
func whoOf(text string) string {
	if who := strings.TrimSpace(text); who != "" {
		return plainName(who)
	}
	return "somebody else"
}

func lastLine(text string) string {
	lines := Lines(text)
	if len(lines) == 0 {
		return "it is taken"
	}
	return lines[len(lines)-1]
}

// gateForbids returns an explanation if a command did not run because qprism-gate forbids orders with this key.
func gateForbids(r Result) string {
	_, after, found := strings.Cut(r.Err, "qprism-gate: not permitted in mode ")
	if !found {
		return ""
	}
	mode, _, _ := strings.Cut(after, ":")
	if mode != "read" {
		return firstLine(Result{Err: r.Err})
	}
	return "the key is read-only: qprism-gate runs in mode read on the host; in its authorized_keys, " +
		"mode order permits push, mode drive permits drive"
}
