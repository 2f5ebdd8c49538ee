package replay

import (
	"fmt"
	"strings"
)

// MostPolicies is the most policies of a grid.
const MostPolicies = 10_000

// ParseGrid reads a grid of policies: a line for each number, "weight_urgency = 0 0.1 1". It returns all
// combinations, each as key=value. # begins a comment.
func ParseGrid(text string) ([][]string, error) {
	policies := [][]string{nil}
	for n, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		if strings.TrimSpace(line) == "" {
			continue
		}
		key, values, _ := strings.Cut(line, "=")
		key = strings.TrimSpace(key)
		if key == "" || len(strings.Fields(values)) == 0 {
			return nil, fmt.Errorf("line %d: %q is not KEY = VALUE with one value or more", n+1, strings.TrimSpace(line))
		}
		var more [][]string
		for _, p := range policies {
			for _, value := range strings.Fields(values) {
				more = append(more, append(p[:len(p):len(p)], key+"="+value))
			}
		}
		if policies = more; len(policies) > MostPolicies {
			return nil, fmt.Errorf("line %d: more than %d policies", n+1, MostPolicies)
		}
	}
	if len(policies) == 1 && policies[0] == nil {
		return nil, fmt.Errorf("no line KEY = VALUE")
	}
	return policies, nil
}
