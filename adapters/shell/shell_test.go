package shell_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"qprism/fixtures/needs"

	"pgregory.net/rapid"

	"qprism/adapters/local"
	"qprism/adapters/shell"
)

// posixShells are the shells that the program is run with where they are installed; sh always is. (yash is not among them: it reads
// characters, and ends where bytes are none.)
var posixShells = [][]string{{"sh"}, {"dash"}, {"bash", "--posix"}, {"busybox", "sh"}, {"ksh"}, {"mksh"}, {"posh"}}

// asSh runs sh -c as another shell.
type asSh struct {
	local.Host
	shell []string
}

func (h asSh) Run(ctx context.Context, argv []string, stdin io.Reader, stdout, stderr io.Writer) (int, error) {
	return h.Host.Run(ctx, append(append([]string{}, h.shell...), argv[1:]...), stdin, stdout, stderr)
}

func open(t *testing.T, h shell.Host) *shell.Shell {
	t.Helper()
	s, err := shell.Open(t.Context(), h, shell.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// hostile draws words that a shell would do something with.
func hostile(t *rapid.T) string {
	piece := rapid.OneOf(
		rapid.SampledFrom([]string{"'", `"`, "$(touch pwned)", "`touch pwned`", "\n", "-rf", "--", "\\", "*", "!", ";", "&", "|", ">x", "~", " ",
			"\t", "\r",
			"$HOME", "${IFS}", "#", "w", "n", ".", "\n.", "\nw", "\n\n", "é", "\xff\xfe", "\x01", "\x1b[2J"}),
		rapid.Map(rapid.SliceOfN(rapid.ByteRange(1, 255), 0, 6), func(b []byte) string { return string(b) }),
	)
	return strings.Join(rapid.SliceOfN(piece, 0, 6).Draw(t, "pieces"), "")
}

// TestWordsArriveAsTheyWereInEveryShell has printf print its arguments, each with a zero byte behind it, which no argument can hold.
func TestWordsArriveAsTheyWereInEveryShell(t *testing.T) {
	for _, sh := range posixShells {
		if !needs.Has(t, sh[0]) {
			continue
		}
		t.Run(sh[0], func(t *testing.T) {
			t.Chdir(t.TempDir())
			s := open(t, asSh{shell: sh})
			rapid.Check(t, func(r *rapid.T) {
				words := rapid.SliceOfN(rapid.Custom(hostile), 1, 5).Draw(r, "words")
				var out bytes.Buffer
				got, err := s.Run(r.Context(), append([]string{"/usr/bin/printf", "%s\\000"}, words...), &out)
				if err != nil || got.Status != 0 || got.Complaints != "" {
					r.Fatalf("%+v, %v", got, err)
				}
				if want := strings.Join(words, "\x00") + "\x00"; out.String() != want {
					r.Fatalf("got %q, want %q", out.String(), want)
				}
			})
			if left, _ := os.ReadDir("."); len(left) > 0 {
				t.Errorf("a shell saw a word: there is %v", left)
			}
		})
	}
}

func TestOutputComplaintsAndStatusOfEachCommandAreItsOwn(t *testing.T) {
	s := open(t, local.Host{})
	for name, c := range map[string]struct {
		argv        []string
		out         string
		complaint   string
		status      int
		anyComplain bool
	}{
		"a line":                            {argv: []string{"echo", "a"}, out: "a\n"},
		"no newline at the end":             {argv: []string{"printf", "a"}, out: "a"},
		"nothing":                           {argv: []string{"true"}},
		"only newlines":                     {argv: []string{"printf", `\n\n\n`}, out: "\n\n\n"},
		"a status":                          {argv: []string{"sh", "-c", "echo a; echo b >&2; exit 7"}, out: "a\n", complaint: "b\n", status: 7},
		"a command that would end a shell":  {argv: []string{"sh", "-c", "exit 3"}, status: 3},
		"no such program":                   {argv: []string{"no-such-program"}, status: 127, anyComplain: true},
		"no builtin of the shell is called": {argv: []string{"eval", "echo a"}, status: 127, anyComplain: true},
		"standard input is empty":           {argv: []string{"cat"}},
		"killed by a signal":                {argv: []string{"sh", "-c", "kill -9 $$"}, status: 137, anyComplain: true},
		"zero bytes in the output":          {argv: []string{"printf", `a\000b`}, out: "a\x00b"},
	} {
		var out bytes.Buffer
		got, err := s.Run(t.Context(), c.argv, &out)
		if err != nil || got.Status != c.status || out.String() != c.out || got.Complaints != c.complaint && !c.anyComplain {
			t.Errorf("%s: %q, %+v, %v; want %+v", name, out.String(), got, err, c)
		}
	}
}

func TestLargeOutputPassesWhole(t *testing.T) {
	s := open(t, local.Host{})
	for _, size := range []int{1, 4095, 65536, 50_000_000} {
		var out bytes.Buffer
		if _, err := s.Run(t.Context(), []string{"head", "-c", fmt.Sprint(size), "/dev/zero"}, &out); err != nil || out.Len() != size {
			t.Errorf("%d bytes, %v; want %d", out.Len(), err, size)
		}
	}
}

func TestWordsThatNoCommandCanTakeAreRefused(t *testing.T) {
	s := open(t, local.Host{})
	for _, argv := range [][]string{nil, {""}, {"-a"}, {"echo", "a\x00b"}} {
		_, err := s.Run(t.Context(), argv, nil)
		if fate := (*shell.FateUnknownError)(nil); err == nil || errors.As(err, &fate) {
			t.Errorf("%q: %v", argv, err)
		}
	}
	if r, err := s.Run(t.Context(), []string{"true"}, nil); err != nil || r.Status != 0 {
		t.Errorf("afterwards: %+v, %v", r, err)
	}
}

// A shell that was lost while a command ran says that the command's fate is unknown, and of the next that it never started.
func TestTheFateOfACommandIsKnownOrSaidToBeUnknown(t *testing.T) {
	s := open(t, local.Host{})
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	began := time.Now()
	_, err := s.Run(ctx, []string{"sleep", "60"}, nil)
	if fate := (*shell.FateUnknownError)(nil); !errors.As(err, &fate) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a command that hangs: %v", err)
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("that took %v", took)
	}
	_, err = s.Run(t.Context(), []string{"true"}, nil)
	if err == nil || !strings.Contains(err.Error(), "never started") {
		t.Errorf("the next command: %v", err)
	}
}

func TestAFullDiskIsTheWritersErrorAndTheShellGoesOn(t *testing.T) {
	s := open(t, local.Host{})
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	if _, err := s.Run(t.Context(), []string{"head", "-c", "1000000", "/dev/zero"}, full); err == nil ||
		!strings.Contains(err.Error(), "no space left") {
		t.Errorf("%v", err)
	}
	if r, err := s.Run(t.Context(), []string{"true"}, nil); err != nil || r.Status != 0 {
		t.Errorf("afterwards: %+v, %v", r, err)
	}
}

// A login shell may print things before it starts what it is told to, as csh users' start files do.
type chatty struct{ local.Host }

func (h chatty) Run(ctx context.Context, argv []string, stdin io.Reader, stdout, stderr io.Writer) (int, error) {
	line := append([]string{"sh", "-c", `echo welcome; echo "stty: no terminal" >&2; exec "$@"`, "sh"}, argv...)
	return h.Host.Run(ctx, line, stdin, stdout, stderr)
}

func TestWhatStartFilesPrintIsNobodysOutput(t *testing.T) {
	s := open(t, chatty{})
	var out bytes.Buffer
	r, err := s.Run(t.Context(), []string{"echo", "a"}, &out)
	if err != nil || out.String() != "a\n" || r.Complaints != "" {
		t.Errorf("%q, %+v, %v", out.String(), r, err)
	}
}

func TestSettingsAreReadFirst(t *testing.T) {
	file := filepath.Join(t.TempDir(), "set'tings $(x).sh")
	if err := os.WriteFile(file, []byte("SGE_ROOT=/opt/sge; export SGE_ROOT; echo noise; cat; IFS=x; set -- a b\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := shell.Open(t.Context(), local.Host{}, shell.Options{Settings: file})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var out bytes.Buffer
	if _, err := s.Run(t.Context(), []string{"printenv", "SGE_ROOT"}, &out); err != nil || out.String() != "/opt/sge\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
	if _, err := shell.Open(t.Context(), local.Host{}, shell.Options{Settings: file + ".no"}); err == nil ||
		!strings.Contains(err.Error(), ".no") {
		t.Errorf("settings that are not there: %v", err)
	}
}
