// Package shell runs many commands, one after another, in one POSIX shell process, here or on another host.
// So many commands on a remote host need only one SSH session. Each command still has its own output,
// errors and exit status.
//
// The client writes the arguments of each command as lines to the shell's standard input. The shell reads
// these lines into variables and runs them as a command. The shell never parses the arguments, so they need
// no quotes. The login shell of the user may be csh: it only starts the POSIX shell.
//
//	wqalter           w begins a word, here "qalter"
//	w-N
//	wtwo              n continues the last word after a newline
//	nlines
//	.                 runs the command with empty standard input
//
// After each command, the shell prints an empty line, a mark and the exit status, on standard output and on
// standard error. The first line that the client sends is the mark. The mark is random and appears on no
// command line. So the output of a command cannot contain the mark.
//
// The shell has these commands of its own:
//
//   - qprism-lock FOLDER NAME HOLDER takes a lock. The command qprism-unlock or the end of the shell
//     releases the lock. The shell locks the file FOLDER/NAME.lock with flock(2). Only the user may have
//     the right to write to FOLDER. An empty FOLDER means ~/.qprism. If another process has the lock, the
//     exit status is 75 and the output names this process.
//   - qprism-owe begins a new list of commands for the watchdog. qprism-owe COMMAND adds a command to the
//     list.
//   - qprism-beat SECONDS makes the new list the current one and starts the watchdog. qprism-beat also
//     tells the watchdog that the client is alive. If the watchdog has run a list since the last
//     qprism-beat, the command prints the time of that run.
//
// The watchdog is a process that continues when the shell ends. If the watchdog receives no qprism-beat for
// SECONDS, it runs the commands of the list.
//
// Its files:
//   - shell.go: a Shell runs commands on a host, one at a time
//   - frames.go: divides the shell's output by the mark
//   - watchdog.go: the shell functions that restore a client's changes if the client dies
package shell
