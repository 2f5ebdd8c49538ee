package lint

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Quote makes a word of a shell of any text. One that a command would take for an option is no word at all: it becomes
// what no remedy may hold.
func Quote(text string) string {
	switch {
	case strings.HasPrefix(text, "-"):
		return unsafe
	case text != "" && strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.=/@:,+") == "":
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// unsafe stands for a word that cannot be one of a command.
const unsafe = "\x00"

// Safe says whether a command can be shown to be copied: nothing in it is a control character, nor stands for a value that is not known.
func Safe(command string) bool {
	return !noNumber.MatchString(command) && strings.IndexFunc(command, unicode.IsControl) < 0 && utf8.ValidString(command)
}

// noNumber is what a number looks like that could not be computed.
var noNumber = regexp.MustCompile(`[ /](NaN|[+-]Inf)/`)

// Replacement makes a text stand for itself on the right of sed's s command.
func Replacement(text string) string {
	return strings.NewReplacer(`\`, `\\`, "/", `\/`, "&", `\&`).Replace(text)
}

// Pattern makes a text match itself in sed.
func Pattern(text string) string {
	return strings.NewReplacer(`\`, `\\`, ".", `\.`, "*", `\*`, "[", `\[`, "]", `\]`, "^", `\^`, "$", `\$`, "/", `\/`).Replace(text)
}
