package anonymize

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

// pbsResources are those that every server of PBS or Torque has, and the scheduler's own names beside them.
var pbsResources = listed("pbs_resources")

// pbsStandard are the identifiers that every PBS cluster has, or that mean something to the server itself. They stay.
var pbsStandard = union(pbsResources,
	set(`workq root unknown TREEROOT default pbs-default _pbs_project_default PBS_GENERIC PBS_ALL linux Linux`))

// pbsValues are keywords that stand beside names: of requests, dependencies, limits, dates and conditions.
var pbsValues = union(keywords, listed("pbs_values"))

// pbsStates are texts of the server's own, each a word or words. A value of an attribute that has them
// stays as it is where it has no other.
var pbsStates = listed("pbs_states")

// pbsFormula are the words of job_sort_formula and of the scheduler's configuration.
var pbsFormula = union(pbsValues, listed("pbs_formula"))

// pbsDays are the words of holidays and of dedicated_time.
var pbsDays = listed("pbs_days")

// pbsTree are the words of what pbsfs prints.
var pbsTree = listed("pbs_tree")

// pbsNamed are attributes whose value is names.
var pbsNamed = listed("pbs_named")

// pbsStated are attributes whose value is words of the server's own.
var pbsStated = listed("pbs_stated")

// pbsMessages are what the scheduler and the server write of jobs, up to where a message varies. The
// longest that fits counts.
var pbsMessages = strings.Split(strings.TrimSuffix(list("pbs_messages"), "\n"), "\n")

// pbsFree are other words of messages, in lower case; the master's own of Grid Engine too. They stay,
// unless something of the cluster is named so.
var pbsFree = union(free, pbsLower(), listed("pbs_free"))

// pbsLower are the words of the known messages.
func pbsLower() map[string]bool {
	words := map[string]bool{}
	for _, m := range pbsMessages {
		addWords(words, m)
	}
	return words
}

// pbsFormat are the words that files of PBS have by their form.
var pbsFormat = wordsOf(pbsStandard, pbsValues, pbsStates, pbsFormula, pbsDays, pbsTree, pbsNamed,
	pbsStated, pbsFree, listed("pbs_format"))

var pbsInOrder = slices.Sorted(maps.Keys(pbsResources))

// usePBSWords makes the dictionary one of PBS, with the site's own resources.
func (d *Dictionary) usePBSWords(own []string) {
	d.standard, d.inOrder = pbsStandard, pbsInOrder
	for _, name := range own {
		d.AddResource(name)
	}
}

var pbsID = regexp.MustCompile(`^([RSM]?[0-9]+)(?:\.(.+))?$`)

// pbsText replaces the words of a text but standard ones, numbers, and those of a list.
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

// pbsName replaces all words but those of standard identifiers.
func (d *Dictionary) pbsName(text string) string {
	if i := index.FindStringIndex(text); i != nil { // of a vnode of a host
		return d.pbsName(text[:i[0]]) + text[i[0]:i[1]] + d.pbsName(text[i[1]:])
	}
	return d.replaceBy(text, func(id string) (string, bool) { return id, pbsQueueOfReservation.MatchString(id) })
}

var index = regexp.MustCompile(`\[[0-9]+\]`)

var pbsQueueOfReservation = regexp.MustCompile(`^[RSM][0-9]+$`)

// replaceBy replaces identifiers: the site's resources, those that are told, and all others word by word.
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

// pbsState keeps a text of the server's own words.
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

// pbsMessage keeps what a message always says, and numbers and words of messages in the rest.
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
