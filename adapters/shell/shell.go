package shell

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

type Host interface {
	Run(ctx context.Context, argv []string, stdin io.Reader, stdout, stderr io.Writer) (status int, err error)
}

// name is the name of the shell on its command line. scripts/qprism-gate recognizes the shell by it.
const name = "qprism-batch"

// program is the program of the shell. It has no newline, exclamation mark or single quote, so a csh does not
// change it.
const program = `[ -z "${1-}" ] || . "$1" </dev/null >/dev/null || exit 1; set --; LC_ALL=C; export LC_ALL; ` +
	`IFS= read -r mark || exit 1; nl=$(printf "\nx"); nl=${nl%x}; open=; ` +
	`answer() { printf "\n%s %s\n" "$mark" "$1"; printf "\n%s %s\n" "$mark" "$1" >&2; }; answer 0; ` +
	lock + watchdog +
	`while IFS= read -r line; do case $line in ` +
	`w*) [ -z "$open" ] || set -- "$@" "$word"; open=1; word=${line#w};; ` +
	`n*) word=$word$nl${line#n};; ` +
	`.) set -- "$@" "$word"; case $1 in qprism-lock) shift; lock "$@" </dev/null;; qprism-unlock) exec 9>&-;; ` +
	`qprism-owe) shift; owe "$@" </dev/null;; qprism-beat) shift; beat "$@";; *) (exec "$@") </dev/null;; esac; answer $?; set --; open=;; ` +
	`*) exit 2;; esac; done`

// lock is the shell function that takes a lock. scripts/qprism-gate has the same function.
const lock = `deny() { echo "qprism-lock: $*" >&2; return 1; }; ` +
	`lock() { w=; f=${1:-${HOME-}/.qprism}; [ -d "$f" ] || mkdir -m 700 "$f" || return 1; ` +
	`if [ -h "$f" ]; then deny "$f is a symbolic link"; return 1; fi; ` +
	`[ -O "$f" ] || { deny "$f belongs to another user"; return 1; }; ` +
	`case $(ls -ld "$f") in d????-??-?*) ;; *) deny "others may write to $f (chmod go-w)"; return 1;; esac; ` +
	`f=$f/$2.lock; if [ -h "$f" ]; then deny "$f is a symbolic link"; return 1; fi; ` +
	`if [ -e "$f" ]; then [ -f "$f" ] || { deny "$f is no file"; return 1; }; fi; ` +
	`(: >>"$f") || return 1; exec 9>>"$f"; flock -n 9; r=$?; ` +
	`case $r in 0) w=${f%.lock}; echo "$3" >"$f";; 1) exec 9>&-; cat "$f"; deny "$f is locked"; return 75;; ` +
	`*) exec 9>&-; deny "flock $f: exit status $r"; return 1;; esac; }; `

// Options of a shell.
type Options struct {
	// Settings is a file on the host that the shell reads first, for example settings.sh of Grid Engine. It is
	// empty if there is no such file. A gate reads its own settings instead.
	Settings string
}

// A Shell runs commands on a host, one at a time. Its methods must not be called concurrently.
type Shell struct {
	in       *io.PipeWriter
	out, err *frames
	stop     context.CancelFunc
	ended    chan struct{} // closed when the shell has ended; cause says why
	cause    error
	broken   error // why the shell can run no further command
}

// Open starts a shell on a host. The context limits only the time of the start.
func Open(ctx context.Context, h Host, o Options) (*Shell, error) {
	mark := rand.Text()
	in, feed := io.Pipe()
	life, stop := context.WithCancel(context.Background())
	s := &Shell{in: feed, out: newFrames(mark), err: newFrames(mark), stop: stop, ended: make(chan struct{})}
	go func() {
		defer close(s.ended)
		status, err := h.Run(life, []string{"sh", "-c", program, name, o.Settings}, in, s.out, s.err)
		if err == nil && status != 0 {
			err = fmt.Errorf("the shell ended with status %d", status)
		}
		s.cause = err
		in.CloseWithError(errors.Join(errEnded, err))
	}()
	// Start files of a login shell may print before the first answer.
	var said tail
	if _, err := s.exchange(ctx, mark+"\n", io.Discard, &said); err != nil {
		s.Close()
		return nil, fmt.Errorf("start a shell: %w%s", err, said.after(": "))
	}
	return s, nil
}

var errEnded = errors.New("the shell has ended")

// A Result is the end of a command.
type Result struct {
	Status     int    // 0 for success, 127 if the program does not exist
	Complaints string // the end of its standard error, at most 64 KiB
	Took       time.Duration
}

// A FateUnknownError says that the connection to the shell broke while a command ran. The command may have done
// its work or not.
type FateUnknownError struct {
	Argv []string
	Err  error
}

func (e *FateUnknownError) Error() string {
	return fmt.Sprintf("%s: whether it was carried out is not known: %v", e.Argv[0], e.Err)
}

func (e *FateUnknownError) Unwrap() error { return e.Err }

// Run runs a command and writes its output to stdout, if stdout is not nil. A status other than 0 is no error.
// If the context ends, the shell ends with the command. The error is a *FateUnknownError, or says that the
// command never started, or comes from stdout.
func (s *Shell) Run(ctx context.Context, argv []string, stdout io.Writer) (Result, error) {
	request, err := encode(argv)
	if err != nil {
		return Result{}, err
	}
	if s.broken != nil {
		return Result{}, fmt.Errorf("%s: never started: %w", argv[0], s.broken)
	}
	if err := ctx.Err(); err != nil {
		return Result{}, fmt.Errorf("%s: never started: %w", argv[0], err)
	}
	if stdout == nil {
		stdout = io.Discard
	}
	sink := &latched{w: stdout}
	var said tail
	began := time.Now()
	status, err := s.exchange(ctx, request, sink, &said)
	r := Result{Status: status, Complaints: said.String(), Took: time.Since(began)}
	switch {
	case err != nil:
		return r, &FateUnknownError{Argv: argv, Err: fmt.Errorf("%w%s", err, said.after(": "))}
	case sink.err != nil:
		return r, fmt.Errorf("%s: keep what it prints: %w", argv[0], sink.err)
	}
	return r, nil
}

// Close waits for the current command, then ends the shell.
func (s *Shell) Close() error {
	s.broken = errors.Join(s.broken, errEnded)
	s.in.Close()
	select {
	case <-s.ended:
	case <-time.After(time.Second):
		s.stop()
		<-s.ended
	}
	s.stop()
	return nil
}

// exchange sends a request and waits for the answers on both streams. An error breaks the shell.
func (s *Shell) exchange(ctx context.Context, request string, stdout, stderr io.Writer) (status int, err error) {
	s.out.expect(stdout)
	s.err.expect(stderr)
	go func() { _, _ = io.WriteString(s.in, request) }() // an error means that the shell has ended, which ends the wait
	status, err = s.await(ctx, s.out)
	if err == nil {
		_, err = s.await(ctx, s.err)
	}
	if err != nil {
		s.broken = err
		s.stop()
		<-s.ended
	}
	return status, err
}

// await waits for an answer on one stream.
func (s *Shell) await(ctx context.Context, f *frames) (int, error) {
	select {
	case status := <-f.answers:
		return status, nil
	case <-ctx.Done():
		return 0, ctx.Err()
	case <-s.ended:
	}
	select {
	case status := <-f.answers: // the last answer of the shell
		return status, nil
	default:
		return 0, cmp.Or(s.cause, errEnded)
	}
}

func encode(argv []string) (string, error) {
	if len(argv) == 0 || argv[0] == "" || strings.HasPrefix(argv[0], "-") {
		return "", fmt.Errorf("no command in %q", argv)
	}
	var b strings.Builder
	for _, word := range argv {
		if strings.ContainsRune(word, 0) {
			return "", fmt.Errorf("%s: no argument can hold a zero byte: %q", argv[0], word)
		}
		b.WriteString("w" + strings.ReplaceAll(word, "\n", "\nn") + "\n")
	}
	b.WriteString(".\n")
	return b.String(), nil
}
