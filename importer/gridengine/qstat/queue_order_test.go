package qstat

import (
	"strings"
	"testing"

	"qprism/engine/model"
)

func TestQueuesAreInTheMastersOrder(t *testing.T) {
	for name, c := range map[string]struct{ queues, hosts, want string }{
		"one host lists all":               {"a b c", "c a b", "c a b"},
		"hosts that share no queue":        {"a b c d", "b a;d c", "b a d c"},
		"hosts complete each other":        {"a b c", "c b;b a", "c b a"},
		"nothing tells of a queue":         {"a b c", "c a", "b c a"},
		"no host":                          {"b a", "", "b a"},
		"hosts that contradict themselves": {"a b c", "b a;a b;c", "c a b"},
		"a queue that nobody knows":        {"a b", "b x a", "b a"},
		"a queue twice":                    {"a b", "b b a", "b a"},
	} {
		var queues []model.Queue
		for _, q := range strings.Fields(c.queues) {
			queues = append(queues, model.Queue{Name: q})
		}
		var hosts [][]string
		for _, h := range strings.Split(c.hosts, ";") {
			hosts = append(hosts, strings.Fields(h))
		}
		var got []string
		for _, q := range inMasterOrder(queues, hosts) {
			got = append(got, q.Name)
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s: got %s, want %s", name, text, c.want)
		}
	}
}
