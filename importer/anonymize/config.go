package anonymize

import (
	"fmt"
	"regexp"
	"strings"

	"qprism/engine/model"
	"qprism/importer/fields"
	"qprism/importer/gridengine"
)

// keys are the keys of each kind of configuration file. A line with any other key is left out.
var keys = withOthers(gridengine.Keys())

// withOthers adds keys that no reader knows: keys of other releases, and keys of the file format.
func withOthers(all map[string]fields.Table) map[string]fields.Table {
	all["queue"]["job_class_list"] = fields.Unused(fields.Names)
	for key := range set(`weight_host_affinity weight_host_sort weight_queue_affinity weight_queue_host_sort
		weight_queue_seqno`) {
		all["sched_conf"][key] = fields.Unused(fields.Values)
	}
	all["rqs"]["{"], all["rqs"]["}"] = fields.Unused(fields.Values), fields.Unused(fields.Values)
	return all
}

// forms write values that mix names and words.
var forms = map[string]func(w *writer, value string) string{
	"rule": (*writer).rule, "params": (*writer).params, "hierarchy": (*writer).policies,
}

// valueOf writes a value by the kind of content of its key.
func (w *writer) valueOf(f fields.Field, value string) string {
	switch {
	case f.Form != "":
		return forms[f.Form](w, value)
	case f.Holds == fields.Names:
		return w.Name(value)
	}
	return w.ValueOf(value, set(f.Words))
}

// config writes a configuration file, without its comments.
func (w *writer) config(lines []model.Line) []byte {
	var b strings.Builder
	for _, l := range lines {
		if text := w.configLine(l); text != "" {
			b.WriteString(text)
			b.WriteByte('\n')
		}
	}
	return []byte(b.String())
}

// configLine returns a line with pseudonyms. It is empty for a line that is left out.
func (w *writer) configLine(l model.Line) string {
	host, isHost := strings.CutSuffix(strings.TrimPrefix(l.Text, "#"), ":")
	switch {
	case l.Kind == "conf" && isHost && !strings.ContainsAny(host, " \t"):
		return "#" + w.Name(host) + ":"
	case l.Text == "no sharetree element":
		return l.Text
	case l.Key == model.LineBlank:
		return ""
	case l.Key == model.LineEntry && l.Kind == "complex":
		return w.complexEntry(l.Text)
	case l.Key == model.LineEntry:
		return w.Name(l.Text)
	}
	f, known := keys[l.Kind][l.Key]
	if !known {
		w.leave(l.File, fmt.Sprintf("line %d", l.Number), fmt.Sprintf("no rule says what %q holds", l.Key))
		return ""
	}
	separator := " "
	if l.Kind == "share_tree" {
		separator = "="
	}
	return l.Key + separator + w.valueOf(f, l.Value)
}

var complexWords = set(
	`INT DOUBLE TIME MEMORY BOOL STRING CSTRING RESTRING HOST RSMAP YES NO FORCED JOB Y N y n yes no EXCL`)

// complexEntry writes an entry of the complex. Names and a default get pseudonyms, types and relations stay.
func (w *writer) complexEntry(text string) string {
	f := strings.Fields(text)
	for i := range f {
		if 2 <= i && i <= 5 {
			f[i] = w.ValueOf(f[i], complexWords)
		} else {
			f[i] = w.Value(f[i])
		}
	}
	return strings.Join(f, " ")
}

var (
	paramName = regexp.MustCompile(`^[A-Za-z_]+$`)
	hierarchy = regexp.MustCompile(`^[OFS]{1,3}$`)
)

// params writes a list of settings of the master. Their names stay.
func (w *writer) params(value string) string {
	return runs(value, func(c byte) bool { return !strings.ContainsRune(" ,;\t", rune(c)) }, func(setting string) string {
		name, v, given := strings.Cut(setting, "=")
		if !given || !paramName.MatchString(name) {
			return w.Value(setting)
		}
		w.isFormat(name)
		return name + "=" + w.Value(v)
	})
}

// policies writes the order of the ticket policies.
func (w *writer) policies(value string) string {
	if hierarchy.MatchString(value) {
		return value
	}
	return w.Value(value)
}

// rule writes a rule of a quota set: filters, each after its keyword, and limits after "to".
func (w *writer) rule(value string) string {
	filters, limits, ok := cutWord(value, "to")
	if !ok {
		return w.Name(value)
	}
	words := strings.Fields(filters)
	for i, word := range words {
		behind := i > 0 && quotaWords[words[i-1]] && !strings.HasSuffix(words[max(0, i-2)], ",")
		if !quotaWords[word] || behind {
			words[i] = w.Name(word)
		}
	}
	return strings.Join(append(words, "to", w.Value(limits)), " ")
}

var quotaWords = set("users projects pes queues hosts name")

// cutWord cuts a text at a word between blanks.
func cutWord(text, word string) (before, after string, found bool) {
	f := strings.Fields(text)
	for i, w := range f {
		if w == word {
			return strings.Join(f[:i], " "), strings.Join(f[i+1:], " "), true
		}
	}
	return text, "", false
}
