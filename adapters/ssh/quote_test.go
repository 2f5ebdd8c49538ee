package ssh

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"qprism/fixtures/needs"

	"pgregory.net/rapid"

	"qprism/adapters/local"
	"qprism/adapters/shell"
)

// hostile draws words that a shell would do something with, of any bytes but zero.
func hostile(t *rapid.T) string {
	piece := rapid.OneOf(
		rapid.SampledFrom([]string{"'", "''", `\'`, `"`, "$(touch pwned)", "`touch pwned`", "\n", "-rf", "--", "\\", "*", "!", ";", "&", "|",
			">x", "~", " ",
			"\t", "\r", "$HOME", "${IFS}", "#", "a=b", "é", "\xff\xfe", "\x01"}),
		rapid.Map(rapid.SliceOfN(rapid.ByteRange(1, 255), 0, 6), func(b []byte) string { return string(b) }),
	)
	return strings.Join(rapid.SliceOfN(piece, 0, 6).Draw(t, "pieces"), "")
}

// TestAShellTakesAQuotedTextApartIntoTheSameWords lets shells split what quote made, as sshd lets a login shell.
func TestAShellTakesAQuotedTextApartIntoTheSameWords(t *testing.T) {
	for _, sh := range []string{"sh", "bash", "ksh", "busybox sh"} {
		argv := strings.Fields(sh)
		if !needs.Has(t, argv[0]) {
			continue
		}
		t.Run(sh, func(t *testing.T) {
			t.Chdir(t.TempDir())
			rapid.Check(t, func(r *rapid.T) {
				words := rapid.SliceOfN(rapid.Custom(hostile), 1, 5).Draw(r, "words")
				line := quote(append([]string{"/usr/bin/printf", "%s\\000"}, words...))
				out, err := exec.Command(argv[0], append(argv[1:], "-c", line)...).Output()
				if want := strings.Join(words, "\x00") + "\x00"; err != nil || string(out) != want {
					r.Fatalf("%q: got %q, want %q; %v", line, out, want, err)
				}
			})
			if left, _ := os.ReadDir("."); len(left) > 0 {
				t.Errorf("a word was run: there is %v", left)
			}
		})
	}
}

// TestACshTakesThatApartToo holds for words without newline and "!", as those are that start a shell.
func TestACshTakesThatApartToo(t *testing.T) {
	for _, sh := range []string{"csh"} {
		if !needs.Has(t, sh) {
			continue
		}
		rapid.Check(t, func(r *rapid.T) {
			words := rapid.SliceOfN(rapid.StringOf(rapid.RuneFrom([]rune("ab '\"$`\\*?[]{}~;&|<>#()=%^-"))), 1, 5).Draw(r, "words")
			line := quote(append([]string{"/usr/bin/printf", "%s\\000"}, words...))
			out, err := exec.Command(sh, "-f", "-c", line).Output()
			if want := strings.Join(words, "\x00") + "\x00"; err != nil || !bytes.Equal(out, []byte(want)) {
				r.Fatalf("%s %q: got %q, want %q; %v", sh, line, out, want, err)
			}
		})
	}
}

// A loginShell is one that sshd gives a command line to.
type loginShell struct {
	local.Host
	argv []string
}

func (h loginShell) Run(ctx context.Context, argv []string, stdin io.Reader, stdout, stderr io.Writer) (int, error) {
	return h.Host.Run(ctx, append(h.argv[:len(h.argv):len(h.argv)], quote(argv)), stdin, stdout, stderr)
}

// TestWordsArriveWhateverTheLoginShell has words with newlines and exclamation marks pass accounts with a csh.
func TestWordsArriveWhateverTheLoginShell(t *testing.T) {
	for _, login := range []string{"sh -c", "bash -c", "csh -f -c", "tcsh -f -c", "ksh -c", "zsh -c", "fish -c"} {
		argv := strings.Fields(login)
		if !needs.Has(t, argv[0]) {
			continue
		}
		s, err := shell.Open(t.Context(), loginShell{argv: argv}, shell.Options{})
		if err != nil {
			t.Errorf("%s: %v", login, err)
			continue
		}
		word := "a!b\n'c' \"$(id)\" `id` \\ \xff"
		var out bytes.Buffer
		if _, err := s.Run(t.Context(), []string{"/usr/bin/printf", "%s", word}, &out); err != nil || out.String() != word {
			t.Errorf("%s: %q, %v", login, out.String(), err)
		}
		s.Close()
	}
}
