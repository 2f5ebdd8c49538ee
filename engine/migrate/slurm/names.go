package slurm

import (
	"fmt"
	"strings"
	"unicode"

	"qprism/engine/migrate"
)

// holds reports whether sacctmgr can be told of a name: its files and options end names at these characters.
func holds(name string) bool {
	return name != "" && name[0] != '-' && !strings.ContainsFunc(name, func(r rune) bool {
		return !unicode.IsPrint(r) || r == unicode.ReplacementChar || strings.ContainsRune(` '":,=\`, r)
	})
}

// slurmName is a name with small letters, digits and marks alone, as Slurm keeps names of its own; one that is
// taken gets a number.
func slurmName(name string, taken map[string]bool) string {
	to := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '_' || r == '-' || r == '.' {
			return r
		}
		return '_'
	}, strings.ToLower(name))
	if strings.HasPrefix(to, "-") { // an option
		to = "_" + to[1:]
	}
	for base, n := to, 2; taken[to] || to == ""; n++ {
		to = fmt.Sprint(base, "_", n)
	}
	taken[to] = true
	return to
}

// refuse notes a user whom sacctmgr cannot store: the name is a login, so another spelling does not help.
func (t *Translation) refuse(name, account, shares string) {
	if _, known := t.said[[2]string{"user", name}]; known {
		return
	}
	t.say("user", name, migrate.Lost, "",
		"sacctmgr does not accept this name, and Slurm refuses the jobs of a user without an association. "+
			"Give the user another login")
	t.Steps = append(t.Steps,
		migrate.Step{What: fmt.Sprintf("The user %q is left out, because sacctmgr does not accept this name. "+
			"Slurm refuses the jobs of a user without an association. Give the user another login, and "+
			"add it.", name),
			Command: fmt.Sprintf("sacctmgr add user LOGIN account=%s fairshare=%s", account, shares)})
}
