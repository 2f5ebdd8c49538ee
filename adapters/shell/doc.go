// Package shell runs many commands, one after another, in one POSIX shell process, here or on another host.
// Any number of commands needs only one remote execution. Each command still has its own output, errors and
// exit status.
//
// The client writes the arguments of each command as lines to the shell's standard input. The shell reads
// the words into variables and runs its positional parameters. It never parses the words, so nothing needs
// quotes. The login shell may be a csh, because it sees one constant line only.
//
//	w qalter          w begins a word
//	w -N
//	w two             n continues the last word after a newline
//	n lines
//	.                 runs the command with empty standard input
//
// A word follows its letter without a blank. After each command the shell prints an empty line, a
// mark and the exit status, on standard output and standard error. The first line that the client sends is
// the mark. The mark is random, and is
// not in any command line, so no output can contain it.
//
// The shell has these commands of its own:
//
//   - qprism-lock FOLDER NAME HOLDER takes a lock until qprism-unlock or the end of the shell. The lock is
//     flock(2) of FOLDER/NAME.lock. Nobody else may write to FOLDER; an empty FOLDER means ~/.qprism. If
//     another process has the lock, the status is 75 and the output names that process.
//   - qprism-owe begins a new list of commands for the watchdog. qprism-owe COMMAND adds a command to the
//     list.
//   - qprism-beat SECONDS makes the new list the current one and starts the watchdog. It tells the watchdog
//     that the client is alive. If a watchdog has run a list since the last beat, qprism-beat prints the
//     time at which it ran.
//
// The watchdog is a process that stays when the shell ends. If the watchdog gets no beat for SECONDS,
// it runs the commands of the list.
//
// Its files:
//   - shell.go: a Shell runs commands on a host, one at a time
//   - frames.go: divides the shell's output by the mark
//   - watchdog.go: the shell functions that restore a client's changes if the client dies
package shell
