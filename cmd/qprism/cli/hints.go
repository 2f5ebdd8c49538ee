package cli

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Hints makes commands for users to type, about the same snapshot, store, cluster and policy.
type Hints struct {
	Called *cobra.Command // the running command with its flags
	Named  string         // the words for its snapshot: a bundle, or "--snapshot 12"; empty for the latest stored one
}

// Hints returns the hints of the running command.
func (d *Deps) Hints(named string) Hints { return Hints{d.Called, named} }

// carried are the flags that a command needs as well, if it has them and was not given them already.
var carried = []string{"store", "from", "ssh-config", "settings", "lock-dir", "stop-file",
	"cluster", "now", "quirks", "release", "policy", "keep-going", "sched-log", "accounting"}

// Command returns a command as a user types it: name, arguments and flags.
func (h Hints) Command(name string, args ...string) string {
	words := append([]string{"qprism", name}, shellWords(args)...)
	if h.Called == nil {
		return strings.Join(words, " ")
	}
	c, _, err := h.Called.Root().Find(strings.Fields(name))
	if err != nil {
		panic("a hint names no command: " + err.Error())
	}
	next := command{c, flagsIn(args)}
	flags := 2 + argumentsIn(args)
	return strings.Join(words[:flags], " ") + h.subject(next) +
		strings.Join(append([]string{""}, words[flags:]...), " ") + h.flags(next)
}

// A command is a command line that a hint suggests, with the names of its flags.
type command struct {
	*cobra.Command
	given []string
}

// argumentsIn counts the arguments before the first flag.
func argumentsIn(args []string) int {
	if i := slices.IndexFunc(args, isFlag); i >= 0 {
		return i
	}
	return len(args)
}

func flagsIn(args []string) (names []string) {
	for _, arg := range args {
		if isFlag(arg) {
			names = append(names, arg[2:])
		}
	}
	return names
}

func isFlag(arg string) bool { return strings.HasPrefix(arg, "--") }

func shellWords(args []string) (words []string) {
	for _, arg := range args {
		words = append(words, ShellWord(arg))
	}
	return words
}

// subject returns the arguments that name the current snapshot to another command, if that command reads a
// snapshot and names none itself.
func (h Hints) subject(c command) string {
	if h.Named == "" || !looksAtSnapshot(c.Command) || slices.Contains(c.given, "snapshot") {
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
func (h Hints) flags(c command) string {
	var b strings.Builder
	for _, name := range carried {
		own, its := h.Called.Flag(name), c.Flag(name)
		switch {
		case own == nil || !own.Changed || its == nil || slices.Contains(c.given, name) || !sameKind(own, its):
		case reaches(name) && h.Called.Flag("max-age") != nil && strings.HasPrefix(h.Named, "--snapshot") &&
			looksAtSnapshot(c.Command):
		// a bundle needs none
		case name == "store" && looksAtSnapshot(c.Command) && h.Named != "" && !strings.HasPrefix(h.Named, "--"):
		// the command reads a snapshot
		case name == "cluster" && looksAtSnapshot(c.Command) && (h.Named != "" || slices.Contains(c.given, "snapshot")):
		case its.NoOptDefVal != "":
			b.WriteString(" --" + name)
		default:
			b.WriteString(" --" + name + " " + ShellWord(own.Value.String()))
		}
	}
	return b.String()
}

// reaches reports whether a flag says how to reach a cluster. A hint about a stored snapshot does not need it.
func reaches(name string) bool { return name == "from" || name == "ssh-config" || name == "settings" }

// sameKind reports whether two flags of one name take the same: --policy of push is the name of one, elsewhere a file.
func sameKind(a, b *pflag.Flag) bool {
	one, _ := pflag.UnquoteUsage(a)
	other, _ := pflag.UnquoteUsage(b)
	return one == other
}

// BundleWord returns a bundle's name as an argument. If the name could be a flag or a number, the argument
// includes the folder.
func BundleWord(name string) string {
	if strings.HasPrefix(name, "-") || strings.Trim(name, "0123456789") == "" {
		return "./" + ShellWord(name)
	}
	return ShellWord(name)
}

// SnapshotWord returns an argument of diff: a bundle, or the number of a stored snapshot.
func SnapshotWord(name string) string {
	if strings.Trim(name, "0123456789") == "" {
		return "--snapshot " + name
	}
	return BundleWord(name)
}

// ShellWord quotes any text as one word for a shell.
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
