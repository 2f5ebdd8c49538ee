package anonymize

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

// pbsResources are resources that every PBS or Torque server has, and other names of the scheduler.
var pbsResources = listed("pbs_resources")

// pbsStandard are identifiers that every PBS cluster has, or that have a meaning to the server. They stay.
var pbsStandard = union(pbsResources,
	set(`workq root unknown TREEROOT default pbs-default _pbs_project_default PBS_GENERIC PBS_ALL linux Linux`))

// pbsValues are keywords that stand beside names, in requests, dependencies, limits, dates and conditions.
var pbsValues = union(keywords, listed("pbs_values"))

// pbsStates are texts of the server: one word or several. If a value of an attribute has no other words, it
// stays.
var pbsStates = listed("pbs_states")

// pbsFormula are the words of job_sort_formula and of the scheduler's configuration.
var pbsFormula = union(pbsValues, listed("pbs_formula"))

// pbsDays are the words of holidays and of dedicated_time.
var pbsDays = listed("pbs_days")

// pbsTree are the words of what pbsfs prints.
var pbsTree = listed("pbs_tree")

// pbsNamed are attributes whose value is a name.
var pbsNamed = listed("pbs_named")

// pbsStated are attributes whose value is a text of the server.
var pbsStated = listed("pbs_stated")

// pbsMessages are the beginnings of messages of scheduler and server about jobs, up to the part that varies.
// The longest one that fits wins.
var pbsMessages = strings.Split(strings.TrimSuffix(list("pbs_messages"), "\n"), "\n")

// pbsFree are other words of messages in lower case, with the words of Grid Engine's master. They stay, unless
// the cluster has such a name.
var pbsFree = union(free, pbsLower(), listed("pbs_free"))

// pbsLower returns the words of the known messages, in lower case.
func pbsLower() map[string]bool {
	words := map[string]bool{}
	for _, m := range pbsMessages {
		addWords(words, m)
	}
	return words
}

// pbsFormat are the words of the PBS file formats.
var pbsFormat = wordsOf(pbsStandard, pbsValues, pbsStates, pbsFormula, pbsDays, pbsTree, pbsNamed,
	pbsStated, pbsFree, listed("pbs_format"))

var pbsInOrder = slices.Sorted(maps.Keys(pbsResources))

// usePBSWords makes the dictionary one for PBS, with the site's own resources.
func (d *Dictionary) usePBSWords(own []string) {
	d.standard, d.inOrder = pbsStandard, pbsInOrder
	for _, name := range own {
		d.AddResource(name)
	}
}

var pbsID = regexp.MustCompile(`^([RSM]?[0-9]+)(?:\.(.+))?$`)

// pbsText replaces the words of a text, except standard words, numbers, and the words in stays.
func (d *Dictionary) pbsText(text string, stays map[string]bool) string {
	return d.replaceBy(text, func(id string) (string, bool) {
		if m := pbsID.FindStringSubmatch(id); m != nil && !isNumber(id) { // 12.server, R7.server, R7
			return m[1] + strings.TrimSuffix("."+d.pbsName(m[2]), "."), true
		}
		if resource, ok := strings.CutPrefix(id, "Resource_List."); ok {
			return "Resource_List." + d.pbsText(resource, stays), true
		}
		return id, stays[id] || isNumber(id)
	})
}

// pbsName replaces all words except standard identifiers.
func (d *Dictionary) pbsName(text string) string {
	if i := index.FindStringIndex(text); i != nil { // vnode of a host
		return d.pbsName(text[:i[0]]) + text[i[0]:i[1]] + d.pbsName(text[i[1]:])
	}
	return d.replaceBy(text, func(id string) (string, bool) { return id, pbsQueueOfReservation.MatchString(id) })
}

var index = regexp.MustCompile(`\[[0-9]+\]`)

var pbsQueueOfReservation = regexp.MustCompile(`^[RSM][0-9]+$`)

// replaceBy replaces identifiers. The site's resources and identifiers that told knows get special pseudonyms.
// Any other identifier is replaced word by word.
func (d *Dictionary) replaceBy(text string, told func(id string) (string, bool)) string {
	return runs(text, inIdentifier, func(id string) string {
		if made := d.resources[id]; made != "" {
			return made
		}
		core := strings.Trim(id, ".-")
		if d.standard[core] || d.standard[id] {
			return id
		}
		if made, ok := told(id); ok {
			return made
		}
		if made, ok := told(core); ok && core != "" {
			return strings.Replace(id, core, made, 1)
		}
		return runs(id, inWord, d.Word)
	})
}

// pbsState keeps a text that has only words of the server.
func (d *Dictionary) pbsState(text string) string {
	own := runs(text, inIdentifier, func(id string) string {
		if pbsStates[id] || isNumber(id) {
			return ""
		}
		return "x"
	})
	if strings.Contains(own, "x") {
		return d.pbsName(text)
	}
	return text
}

// pbsMessage keeps the fixed part of a message. In the rest it keeps numbers and words of messages.
func (d *Dictionary) pbsMessage(text string) string {
	known := ""
	for _, m := range pbsMessages {
		if rest, ok := strings.CutPrefix(text, m); ok && len(m) > len(known) &&
			(rest == "" || !inWord(rest[0]) || strings.HasSuffix(m, "=")) {
			known = m
		}
	}
	return known + d.replaceBy(text[len(known):], func(id string) (string, bool) {
		if m := pbsID.FindStringSubmatch(id); m != nil && !isNumber(id) {
			return m[1] + strings.TrimSuffix("."+d.pbsName(m[2]), "."), true
		}
		lower := strings.ToLower(id)
		return id, isNumber(id) || !d.known[lower] && (pbsFree[lower] || pbsValues[id])
	})
}
