package reason

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"qprism/engine/model"
)

// Parse reads the reason in a message of the scheduler's log or in a job's comment. The resource is unknown
// if a comment does not name it. ok is false if the text is not the scheduler's.
func Parse(text string) (r model.Reason, ok bool) {
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
		r.Kind, r.Failure, r.Reserved = p.kind, p.code, p.code == model.FailReservedAhead
		for i, name := range p.pattern.SubexpNames() {
			switch name {
			case "resource":
				r.Resource = m[i]
			case "amounts":
				r.Asked, r.Offered, r.Differs = amountsIn(m[i])
			case "object":
				r.Object = strings.TrimSpace(m[i])
			case "who":
				r.Who = m[i]
			}
		}
		return r, true
	}
	return model.Reason{}, false
}

// amountsIn reads "(R: 4 A: 1 T: 16)" and "(big != small)".
func amountsIn(text string) (asked, offered string, differs bool) {
	text = strings.TrimSuffix(strings.TrimPrefix(text, "("), ")")
	if rest, short := strings.CutPrefix(text, "R: "); short {
		asked, rest, _ = strings.Cut(rest, " A: ")
		offered, _, _ = strings.Cut(rest, " T: ")
		return asked, offered, false
	}
	if asked, offered, differs = strings.Cut(text, " != "); !differs {
		return "", "", false
	}
	return asked, offered, true
}

// A phrase is a wording as a pattern.
type phrase struct {
	pattern *regexp.Regexp
	code    model.Failure
	kind    model.ReasonKind
}

// phrases are the patterns of all wordings, of the log before those of comments.
var phrases = sync.OnceValue(func() (list []phrase) {
	blanks := strings.NewReplacer(`\$R`, `(?P<resource>\S+)`, ` \$A`, `(?: (?P<amounts>.*))?`,
		`\$O`, `(?P<object>.*)`, `\$W`, `(?P<who>.*)`)
	for _, comments := range []bool{false, true} {
		for _, c := range slices.Sorted(maps.Keys(wordings)) {
			text := wordings[c].log
			if comments {
				text = wordings[c].comment
			}
			if text != "" {
				list = append(list, phrase{regexp.MustCompile("^" + blanks.Replace(regexp.QuoteMeta(text)) + "$"),
					c, wordings[c].kind})
			}
		}
	}
	return list
})
