// Package shell runs many commands, one after another, in one POSIX shell process, on this machine or on
// another host. Therefore, one SSH session is enough for many commands on a remote host. Each command still
// has its own output, errors and exit status.
//
// The client is the process that uses this package, for example qprism drive. The shell is the POSIX shell
// process that the client starts.
//
// The client writes the arguments of each command as lines to the shell's standard input. The shell reads
// these lines into variables, and then runs the command that the variables contain. The shell never parses
// the arguments, so they need no quotes. The user's login shell only starts the POSIX shell, so the login
// shell may be csh.
//
//	wqalter           w begins a word, here "qalter"
//	w-N
//	wtwo
//	nlines            n adds a newline and this text to the last word, "two"
//	.                 runs the command with empty standard input
//
// The first line that the client sends to the shell is the mark, a random text. After each command, the shell
// prints an answer: an empty line, the mark and the exit status. The shell prints the answer on standard
// output, and also on standard error. The answer shows the client where the output of the command ends.
// Commands cannot know the mark, because it appears on no command line. So commands cannot print the mark.
//
// A watchdog is a process on the same host as the shell. It continues to run when the shell ends. The
// watchdog has a list of commands, which undo the client's changes. If the client sends no qprism-beat (see
// below) for some time, the watchdog runs this list.
//
// The shell has these commands of its own:
//
//   - qprism-lock FOLDER NAME HOLDER locks the file FOLDER/NAME.lock with flock(2). HOLDER is a text that
//     names the client, and qprism-lock writes this text into the file. The command qprism-unlock releases
//     the lock. The lock also ends when the shell ends. FOLDER must belong to the user, and other users must
//     not have the right to write to it. If the argument FOLDER is empty, qprism-lock uses the folder
//     ~/.qprism. If another client has the lock, qprism-lock prints the HOLDER of that client, and exits with
//     status 75.
//   - qprism-owe prepares a new list for the watchdog: commands that undo the client's changes. Without
//     arguments, qprism-owe begins an empty list. qprism-owe COMMAND adds a command to this list, and does
//     not run the command.
//   - qprism-beat SECONDS gives the new list to the watchdog, in place of the old list. It starts the watchdog
//     if necessary. The watchdog then waits SECONDS for the next qprism-beat. If no qprism-beat arrives in
//     this time, the watchdog runs the list. Then the next qprism-beat prints the time at which the watchdog
//     ran the list.
//
// Its files:
//   - shell.go: a Shell runs commands on a host, one at a time
//   - frames.go: divides the shell's output at the marks
//   - watchdog.go: the shell functions that restore a client's changes if the client dies
package shell
