package cycle

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"qprism/engine/model"
)

// Told reads why a job does not run, as the scheduler logs it or writes it into the job's comment. Of comments it is unknown which
// resource is meant where the text does not say so; ok is false for a text that is none of the scheduler's.
func Told(text string) (r model.Reason, ok bool) {
	r.Text, r.Later = strings.TrimSpace(text), true
	if rest, isComment := strings.CutPrefix(r.Text, "Not Running: "); isComment {
		r.Text = rest
	} else if rest, never := strings.CutPrefix(r.Text, "Can Never Run: "); never {
		r.Text, r.Later, r.Never = rest, false, true
	}
	for _, p := range phrases() {
		m := p.pattern.FindStringSubmatch(r.Text)
		if m == nil {
			continue
		}
		r.Kind, r.Reserved = p.kind, p.code == reservedAhead
		for i, name := range p.pattern.SubexpNames() {
			switch {
			case name == "resource":
				r.Resource = m[i]
			case name == "first" && strings.HasPrefix(m[i], "(R: "):
				r.Asked, r.Offered = askedAndOffered(m[i])
			case name == "first":
				r.Object = strings.TrimSpace(m[i])
			}
		}
		return r, true
	}
	return model.Reason{}, false
}

// A phrase is a wording as a pattern.
type phrase struct {
	pattern *regexp.Regexp
	code    code
	kind    model.ReasonKind
}

// phrases are the patterns of all wordings, of the log before those of comments.
var phrases = sync.OnceValue(func() (list []phrase) {
	blanks := strings.NewReplacer(`\$R`, `(?P<resource>\S+)`, ` \$1`, `(?: (?P<first>.*))?`, `\$1`, `(?P<first>.*)`, `\$2`, `.*`, `\$3`, `.*`)
	for _, comments := range []bool{false, true} {
		for _, c := range slices.Sorted(maps.Keys(wordings)) {
			text := wordings[c].log
			if comments {
				text = wordings[c].comment
			}
			if text != "" {
				list = append(list, phrase{regexp.MustCompile("^" + blanks.Replace(regexp.QuoteMeta(text)) + "$"), c, wordings[c].kind})
			}
		}
	}
	return list
})
