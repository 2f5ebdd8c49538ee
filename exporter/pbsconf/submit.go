package pbsconf

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"qprism/engine/model"
)

// SubmitHook makes the hook that changes jobs at submission.
func SubmitHook(sub model.PBSSubmission) (model.PBSHook, error) {
	rules, err := json.MarshalIndent(sub, "", " ")
	if err != nil {
		return model.PBSHook{}, fmt.Errorf("rules of the hook at submission: %w", err)
	}
	return model.PBSHook{
		Name: "qprism_submit",
		Attributes: []model.Setting{
			{Name: "event", Value: "queuejob,modifyjob"}, {Name: "order", Value: "10"}, {Name: "fail_action", Value: "none"},
			{Name: "enabled", Value: "true"},
		},
		Python: strings.Replace(submitPython, "@RULES@", model.PythonText(rules), 1),
	}, nil
}

//go:embed submit.py
var submitPython string
