package lint

import (
	"fmt"
	"strings"

	"qprism/engine/lint"
)

// replace is an argument of sed that gives the lines beginning with a key another value.
func replace(key, value string) string {
	return "s/^" + lint.Pattern(key) + "[[:space:]].*/" + key + " " + lint.Replacement(value) + "/"
}

// edit changes an object by writing what qconf prints of it to a file, changed, and reading it back.
func edit(show, file, modify string, changes ...string) string {
	var sed strings.Builder
	for _, c := range changes {
		sed.WriteString(" -e " + lint.Quote(c))
	}
	return fmt.Sprintf("qconf %s | sed%s > %s && qconf %s %s", show, sed.String(), lint.Quote(file),
		modify, lint.Quote(file))
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
	return edit("-suser "+lint.Quote(name), "user", "-Muser", replace(key, value))
}

// setUserset gives a department or access list another value.
func setUserset(name, key, value string) string {
	return edit("-su "+lint.Quote(name), "userset", "-Mu", replace(key, value))
}

// setUrgency gives a resource another urgency, the last column of the complex.
func setUrgency(resource, urgency string) string {
	return edit("-sc", "complex", "-Mc", "/^"+lint.Pattern(resource)+"[[:space:]]/s/[^[:space:]]*[[:space:]]*$/"+
		urgency+"/")
}
