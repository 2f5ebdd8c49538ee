package lint

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// quote makes a word of a shell of any text. One that a command would take for an option is no word at all: it becomes
// what no remedy may hold.
func quote(text string) string {
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

// safe says whether a command can be shown to be copied: nothing in it is a control character, nor stands for a value that is not known.
func safe(command string) bool {
	return !noNumber.MatchString(command) && strings.IndexFunc(command, unicode.IsControl) < 0 && utf8.ValidString(command)
}

// noNumber is what a number looks like that could not be computed.
var noNumber = regexp.MustCompile(`[ /](NaN|[+-]Inf)/`)

// replace is an argument of sed that gives the lines beginning with a key another value.
func replace(key, value string) string {
	return "s/^" + pattern(key) + "[[:space:]].*/" + key + " " + replacement(value) + "/"
}

// replacement makes a text stand for itself on the right of sed's s command.
func replacement(text string) string {
	return strings.NewReplacer(`\`, `\\`, "/", `\/`, "&", `\&`).Replace(text)
}

// pattern makes a text match itself in sed.
func pattern(text string) string {
	return strings.NewReplacer(`\`, `\\`, ".", `\.`, "*", `\*`, "[", `\[`, "]", `\]`, "^", `\^`, "$", `\$`, "/", `\/`).Replace(text)
}

// edit changes an object by writing what qconf prints of it to a file, changed, and reading it back.
func edit(show, file, modify string, changes ...string) string {
	var sed strings.Builder
	for _, c := range changes {
		sed.WriteString(" -e " + quote(c))
	}
	return fmt.Sprintf("qconf %s | sed%s > %s && qconf %s %s", show, sed.String(), quote(file), modify, quote(file))
}

// setSched changes values of the scheduler configuration, given as key, value, key, value …
func setSched(pairs ...string) string {
	var changes []string
	for i := 0; i+1 < len(pairs); i += 2 {
		changes = append(changes, replace(pairs[i], pairs[i+1]))
	}
	return edit("-ssconf", "sched_conf", "-Msconf", changes...)
}

// setConf changes a value of the global cluster configuration; qconf takes its name from the file's.
func setConf(key, value string) string {
	return edit("-sconf global", "global", "-Mconf", replace(key, value))
}

// setUser gives a user another value.
func setUser(name, key, value string) string {
	return edit("-suser "+quote(name), "user", "-Muser", replace(key, value))
}

// setUserset gives a department or access list another value.
func setUserset(name, key, value string) string {
	return edit("-su "+quote(name), "userset", "-Mu", replace(key, value))
}

// setUrgency gives a resource another urgency, the last column of the complex.
func setUrgency(resource, urgency string) string {
	return edit("-sc", "complex", "-Mc", "/^"+pattern(resource)+"[[:space:]]/s/[^[:space:]]*[[:space:]]*$/"+urgency+"/")
}

// number is the shortest decimal form.
func number(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// rounded is a number with four digits that count.
func rounded(x float64) string {
	v, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 4, 64), 64)
	return number(v)
}
