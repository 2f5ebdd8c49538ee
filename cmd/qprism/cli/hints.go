package cli

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Hints write the commands of hints so that they can be typed as they stand: about the same snapshot, in the same store, on the same
// cluster, by the same policy.
type Hints struct {
	Called *cobra.Command // the command that gives them, with the flags that it was given
	Named  string         // how its snapshot is named: a bundle, or "--snapshot 12"; empty for the latest that is stored
}

// Hints are those of the command that runs.
func (d *Deps) Hints(named string) Hints { return Hints{d.Called, named} }

// carried are the flags that a command needs as well, if it has them and was not given them already.
var carried = []string{"store", "from", "ssh-config", "settings", "lock-dir", "stop-file", "cluster", "now", "quirks", "release", "policy", "keep-going", "sched-log", "accounting"}

// In completes each command in the text of a hint: "qprism why 5 says …".
func (h Hints) In(text string) string {
	if h.Called == nil {
		return text
	}
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "qprism ")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		t := typedIn(h.Called.Root(), rest)
		if t.end == 0 { // the program, not a command
			b.WriteString("qprism ")
			text = rest
			continue
		}
		b.WriteString("qprism " + rest[:t.arguments] + h.subject(t) + rest[t.arguments:t.end] + h.flags(t))
		text = rest[t.end:]
	}
}

// subject is what names the snapshot at hand to another command, if that looks at one and does not name one itself.
func (h Hints) subject(t typedCommand) string {
	if h.Named == "" || !looksAtSnapshot(t.command) || slices.Contains(t.flags, "snapshot") {
		return ""
	}
	return " " + h.Named
}

// looksAtSnapshot reports whether a command takes a bundle, or the number of a stored snapshot instead.
func looksAtSnapshot(c *cobra.Command) bool {
	f := c.Flag("snapshot")
	return f != nil && !f.Hidden
}

// flags are those that the next command needs as well.
func (h Hints) flags(t typedCommand) string {
	var b strings.Builder
	for _, name := range carried {
		own, its := h.Called.Flag(name), t.command.Flag(name)
		switch {
		case own == nil || !own.Changed || its == nil || slices.Contains(t.flags, name) || !sameKind(own, its):
		case name == "store" && looksAtSnapshot(t.command) && h.Named != "" && !strings.HasPrefix(h.Named, "--"): // a bundle needs none
		case name == "cluster" && looksAtSnapshot(t.command) && (h.Named != "" || slices.Contains(t.flags, "snapshot")): // it is of one
		case its.NoOptDefVal != "":
			b.WriteString(" --" + name)
		default:
			b.WriteString(" --" + name + " " + ShellWord(own.Value.String()))
		}
	}
	return b.String()
}

// sameKind reports whether two flags of one name take the same: --policy of push is the name of one, elsewhere a file.
func sameKind(a, b *pflag.Flag) bool {
	one, _ := pflag.UnquoteUsage(a)
	other, _ := pflag.UnquoteUsage(b)
	return one == other
}

// A typedCommand is one in the text of a hint.
type typedCommand struct {
	command   *cobra.Command
	flags     []string // names of those that stand there
	arguments int      // where its name and arguments end, and its flags begin
	end       int      // where it ends
}

// typedIn reads the command that a text begins with, behind "qprism". Numbers of jobs are arguments, and words in capitals, which
// stand for something to be put there; any other word is no part of it.
func typedIn(root *cobra.Command, text string) typedCommand {
	t := typedCommand{command: root}
	value := false // the next word is that of a flag
	for {
		word, next := wordAt(text, t.end)
		name, isFlag := strings.CutPrefix(word, "--")
		switch sub := subcommand(t.command, word); {
		case word == "":
			return t
		case value:
			value = false
		case sub != nil:
			t.command, t.arguments = sub, next
		case isFlag && t.command.Flag(name) != nil:
			t.flags = append(t.flags, name)
			value = t.command.Flag(name).NoOptDefVal == ""
		case t.command != root && len(t.flags) == 0 && isArgument(word):
			t.arguments = next
		default:
			return t
		}
		t.end = next
	}
}

// wordAt is the word behind a place and where it ends, without the mark that ends a sentence or a part of it; none behind such a mark.
// A word in single quotes may hold blanks.
func wordAt(text string, at int) (word string, end int) {
	rest := text[at:]
	if at > 0 {
		blank := strings.HasPrefix(rest, " ")
		if !blank {
			return "", at
		}
		rest = rest[1:]
	}
	word, _, _ = strings.Cut(rest, " ")
	if strings.HasPrefix(rest, "'") {
		if n := strings.Index(rest[1:], "'"); n >= 0 {
			word = rest[:n+2]
		}
	}
	word = strings.TrimRight(word, ",;:.)")
	return word, len(text) - len(rest) + len(word)
}

func subcommand(c *cobra.Command, name string) *cobra.Command {
	list := c.Commands()
	if i := slices.IndexFunc(list, func(sub *cobra.Command) bool { return sub.Name() == name }); i >= 0 {
		return list[i]
	}
	return nil
}

func isArgument(word string) bool {
	return unicode.IsDigit(rune(word[0])) || strings.Trim(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// BundleWord is how a command line names a bundle: one whose name could be taken for a flag, or for a number, by its folder.
func BundleWord(name string) string {
	if strings.HasPrefix(name, "-") || strings.Trim(name, "0123456789") == "" {
		return "./" + ShellWord(name)
	}
	return ShellWord(name)
}

// SnapshotWord is how it names what diff took: a bundle, or a stored snapshot by its number.
func SnapshotWord(name string) string {
	if strings.Trim(name, "0123456789") == "" {
		return "--snapshot " + name
	}
	return BundleWord(name)
}

// ShellWord makes one word of a shell of any text.
func ShellWord(text string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+:,./=-"
	switch {
	case text != "" && strings.Trim(text, plain) == "" && text[0] != '=': // which zsh expands there
		return text
	case strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) || r == unicode.ReplacementChar }):
		quoted := strconv.QuoteToGraphic(text)
		return "$'" + strings.ReplaceAll(quoted[1:len(quoted)-1], "'", `\'`) + "'"
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
