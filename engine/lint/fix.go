package lint

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Quote makes any text one word for a shell. A text that a command would read as an option becomes a mark
// that Safe refuses.
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

// Safe reports whether a command is safe to copy: no control characters, and no placeholder for an unknown
// value.
func Safe(command string) bool {
	return !noNumber.MatchString(command) && strings.IndexFunc(command, unicode.IsControl) < 0 && utf8.ValidString(command)
}

// noNumber is what a number looks like that could not be computed.
var noNumber = regexp.MustCompile(`[ /](NaN|[+-]Inf)/`)

// Replacement quotes a text for the right side of sed's s command.
func Replacement(text string) string {
	return strings.NewReplacer(`\`, `\\`, "/", `\/`, "&", `\&`).Replace(text)
}

// Pattern quotes a text for a pattern of sed.
func Pattern(text string) string {
	return strings.NewReplacer(`\`, `\\`, ".", `\.`, "*", `\*`, "[", `\[`, "]", `\]`, "^",
		`\^`, "$", `\$`, "/", `\/`).Replace(text)
}
