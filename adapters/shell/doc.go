// Package shell runs many commands, one after another, in one POSIX shell process, here or on another host.
// That is one remote execution for any number of commands, with the output, errors and status of each.
//
// Commands are argument vectors. They go as lines to the shell's standard input, which never parses them:
// it reads words into variables and runs its positional parameters. So nothing needs quoting, and the login
// shell may be a csh: it sees one constant line only.
//
//	w qalter          w begins a word
//	w -N
//	w two             n continues the last one after a newline
//	n lines
//	.                 runs the command, with nothing on its standard input
//
// (without the blank after the letter). The shell answers on standard output and standard error with an
// empty line, the mark that was the first line sent, and the exit status. The mark is random and on no
// command line, so no output can contain it. The shell has some commands of its own:
//
//   - qprism-lock FOLDER NAME HOLDER takes a lock until qprism-unlock or the end of the shell. It is
//     flock(2) of FOLDER/NAME.lock, in a folder that nobody else may write to; ~/.qprism if FOLDER is
//     empty, made if missing. If the lock is taken, the status is 75 and the output is its holder.
//   - qprism-owe begins a list of commands for the watchdog; qprism-owe COMMAND adds one.
//   - qprism-beat SECONDS activates the list, says that the client is alive, and prints when a watchdog
//     last ran its list. The watchdog is a process that the shell leaves behind. After SECONDS without a
//     beat it runs the list (watchdog.go).
//
// Its files:
//   - shell.go: a Shell runs commands on a host, one at a time
//   - frames.go: divides the shell's output by the mark
//   - watchdog.go: the shell functions that restore a client's changes if it dies
package shell
