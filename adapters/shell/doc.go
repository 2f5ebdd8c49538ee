// Package shell runs many commands, one after another, in one POSIX shell process, here or on another host.
// Therefore, one SSH session is enough for many commands on a remote host. Each command still has its own
// output, errors and exit status.
//
// The client writes the arguments of each command as lines to the shell's standard input. The shell reads
// these lines into variables and runs them as a command. The shell never parses the arguments, so they need
// no quotes. The user's login shell only starts the POSIX shell, so the login shell may be csh.
//
//	wqalter           w begins a word, here "qalter"
//	w-N
//	wtwo
//	nlines            n adds a newline and this text to the last word, "two"
//	.                 runs the command with empty standard input
//
// After each command, the shell prints an empty line, a mark and the exit status. It prints these on
// standard output and also on standard error. The first line that the client sends is the mark. The mark is
// random and appears on no command line. So the output of a command cannot contain the mark.
//
// A watchdog is a process that continues when the shell ends. It has a list of commands, which restore the
// client's changes. If the watchdog hears nothing from the client for some time, it runs these commands.
//
// The shell has these commands of its own:
//
//   - qprism-lock FOLDER NAME HOLDER takes a lock. The command qprism-unlock or the end of the shell
//     releases the lock. The shell locks the file FOLDER/NAME.lock with flock(2). Only the user may have
//     the right to write to FOLDER. An empty FOLDER means ~/.qprism. If another process has the lock, the
//     exit status is 75 and the output names this process.
//   - qprism-owe without arguments begins a new list of commands for the watchdog. qprism-owe COMMAND adds
//     a command to the new list.
//   - qprism-beat SECONDS gives the new list to the watchdog, and starts the watchdog if necessary. The
//     watchdog then waits SECONDS for the next qprism-beat. If the watchdog has run its list since the last
//     qprism-beat, qprism-beat prints the time at which this happened.
//
// Its files:
//   - shell.go: a Shell runs commands on a host, one at a time
//   - frames.go: divides the shell's output at the marks
//   - watchdog.go: the shell functions that restore a client's changes if the client dies
package shell
