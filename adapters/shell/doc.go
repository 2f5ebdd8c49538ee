// Package shell runs many commands, one after another, in one process of a POSIX shell, here or on another host: one remote
// execution, whatever the number of commands, and each command's output, complaints and status.
//
// Commands are argument vectors. They travel as lines on the shell's standard input, which it never parses: it reads a word into a
// variable and runs what its positional parameters hold. So no quoting stands between a job's name and a shell, and it makes no
// difference whether the login shell of the account is a POSIX shell or a csh: that sees one constant line.
//
//	w qalter          w begins a word
//	w -N
//	w two             n continues the last one after a newline
//	n lines
//	.                 runs the command, with nothing on its standard input
//
// (without the blank after the letter). Two commands the shell carries out itself: qprism-lock FOLDER NAME HOLDER takes a lock that it
// holds for as long as it lives, or until qprism-unlock. The lock is flock(2) of the file FOLDER/NAME.lock, in a folder that nobody else
// may write to; ~/.qprism if FOLDER is empty, which is made where it is missing. A lock that is taken is status 75, and who has it is
// printed. Two more are about what the holder of the lock owes, see watchdog.go: qprism-owe begins a list of commands, qprism-owe COMMAND
// adds one, and qprism-beat SECONDS puts the list in force, says that the client is alive, and prints when a watchdog gave all back. That
// is a process which the shell leaves behind: after so many seconds without a beat it carries the list out. The shell answers on standard
// output and standard error with an empty line, the mark that was the first line sent, and the exit status. The mark is drawn at random
// and on no command line, so that no output can hold it.
//
// Its files:
//   - shell.go: A Shell runs commands on a host, one at a time
//   - frames.go: Frames takes one stream of a shell apart
//   - watchdog.go: watchdog are the functions of the shell that give back what a client took when the client falls silent
package shell
