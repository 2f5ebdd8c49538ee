package pbsconf

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"qprism/engine/model"
)

// SubmitHook is the hook that does what a submission needs.
func SubmitHook(sub model.PBSSubmission) (model.PBSHook, error) {
	rules, err := json.MarshalIndent(sub, "", " ")
	if err != nil {
		return model.PBSHook{}, fmt.Errorf("rules of the hook at submission: %w", err)
	}
	return model.PBSHook{
		Name: "qprism_submit",
		Attributes: []model.Setting{
			{Name: "event", Value: "queuejob,modifyjob"}, {Name: "order", Value: "10"}, {Name: "fail_action", Value: "none"}, {Name: "enabled", Value: "true"},
		},
		Python: strings.Replace(submitPython, "@RULES@", pythonText(rules), 1),
	}, nil
}

//go:embed submit.py
var submitPython string

// pythonText writes JSON so that it can stand in a raw Python string between three single quotes, whatever is in it: all that
// is not plain is written as JSON's own escapes.
func pythonText(text []byte) string {
	var b strings.Builder
	for _, r := range string(text) {
		switch {
		case r == '\'':
			b.WriteString(`\u0027`)
		case r > 0xffff:
			r -= 0x10000
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		case r > '~':
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
