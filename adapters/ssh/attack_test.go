package ssh

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

var attackCommands = flag.Int("attack.commands", 60, "how many command lines TestAttackGate sends to each mode of the gate")

// gatePrograms are what a gate may run at most in a mode.
var gatePrograms = map[string][]string{
	"read": {"qstat", "qhost", "qrstat", "qconf", "pbs_rstat", "pbsnodes", "pbsfs", "qmgr", "uname", "id", "printenv", "cksum", "stat",
		"getent"},
	"order": {"qalter", "qorder"},
	"drive": {"qrls", "qhold", "qrun"},
}

// forbiddenWords are options that a program must not be run with in a mode.
var forbiddenWords = map[string]map[string][]string{
	"read": {"qconf": {"-mq", "-aq", "-dq", "-km", "-mattr"}, "qmgr": {"set", "delete", "create"}, "pbsnodes": {"-o", "-c", "-r"},
		"pbsfs": {"-s", "-d", "-c", "-e"}},
	"order": {"qalter": {"-h", "-q", "-o", "-e", "-M", "-S", "-N", "-v"}},
	"drive": {"qalter": {"-o", "-e", "-M", "-S", "-N", "-v"}},
}

// TestAttackGate changes commands that a gate knows, at random, and sends them: words are joined, cut, doubled, exchanged with those of
// others, and get what a shell acts on. What runs must be a program of the mode, with the words that were sent, and soon.
func TestAttackGate(t *testing.T) {
	modes := []string{"read", "order", "drive"}
	ran, refused, longest := 0, 0, time.Duration(0)
	for k, mode := range modes {
		rng := rand.New(rand.NewPCG(4711, uint64(k)))
		g := newGate(t, []string{"dash", "bash"}[k%2], mode)
		for n := range *attackCommands {
			argv, request := attackLine(rng)
			cmd := g.command(t.Context(), request)
			_ = cmd.Run()
			longest = max(longest, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
			words := g.ran()
			if words == nil {
				refused++
				continue
			}
			ran++
			if why := g.wrong(mode, k, modes, argv, request, words); why != "" {
				t.Errorf("%s, line %d, %q: ran %q: %s", mode, n, request, words, why)
			}
		}
		if _, err := os.Stat(filepath.Join(g.dir, "pwned")); err == nil {
			t.Errorf("%s: something else was run", mode)
		}
	}
	t.Logf("%d command lines: %d ran as sent, %d refused, the longest took %v of processor", ran+refused, ran, refused,
		longest.Round(time.Millisecond))
	if ran == 0 || refused == 0 || longest > processor {
		t.Errorf("%d ran, %d refused, the longest took %v", ran, refused, longest)
	}
}

// wrong says why what ran must not have run.
func (g *gate) wrong(mode string, k int, modes, argv []string, request string, ran []string) string {
	may := false
	for _, m := range modes[:k+1] {
		may = may || slices.Contains(gatePrograms[m], ran[0])
	}
	if !may {
		return "no program of this mode"
	}
	for _, word := range ran[1:] {
		first, _, _ := strings.Cut(word, " ")
		if slices.Contains(forbiddenWords[mode][ran[0]], first) && !(mode == "drive" && ran[0] == "qmgr") {
			return "with " + first
		}
	}
	if argv == nil { // a line as it is: what would a shell have run?
		out, err := exec.Command("sh", "-c", "set -f; "+ran[0]+"() { printf '%s\\000' "+ran[0]+" \"$@\"; }; "+request).Output()
		if argv = strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"); err != nil {
			return fmt.Sprint("a shell says ", err)
		}
	}
	if !slices.Equal(argv, ran) {
		return fmt.Sprintf("sent %q", argv)
	}
	return ""
}

// attackLine is a command line, and its words where they are known.
func attackLine(rng *rand.Rand) (argv []string, request string) {
	argv = slices.Clone(gateCases[rng.IntN(len(gateCases))].argv)
	other := gateCases[rng.IntN(len(gateCases))].argv
	for range rng.IntN(4) {
		i := rng.IntN(len(argv))
		switch rng.IntN(6) {
		case 0:
			argv[i] += attackPieces[rng.IntN(len(attackPieces))]
		case 1:
			argv = slices.Insert(argv, i, other[rng.IntN(len(other))])
		case 2:
			argv[i] = other[rng.IntN(len(other))]
		case 3:
			argv = append(argv[:i:i], strings.Join(argv[i:], " "))
		case 4:
			argv[i] = argv[i][:rng.IntN(len(argv[i])+1)]
		case 5:
			argv = append(argv, strings.Split(strings.Repeat("7 ", rng.IntN(40_000)), " ")...)
		}
	}
	if request = quote(argv); rng.IntN(4) == 0 {
		i := rng.IntN(len(request) + 1)
		return nil, request[:i] + attackPieces[rng.IntN(len(attackPieces))] + request[i:]
	}
	if len(request) > 120_000 { // the kernel passes no longer one on
		return argv, request[:120_000]
	}
	return argv, request
}

// attackPieces are what a shell acts on, and what terminals and logs do.
var attackPieces = []string{"'", "''", `\'`, `\`, `"`, "$(touch pwned)", "`touch pwned`", "$RAN", ";touch pwned", "&touch pwned",
	"|touch pwned", ">pwned", "\n", "\ntouch pwned",
	"*", "?", "[a]", "~", "#", "!", "\t", "é", "\xff", "--", "\x1b]0;x\a", "\u202e", " ", "=", "../", "/"}
