package migrate

import (
	"fmt"
	"slices"
	"testing"

	"qprism/engine/model"
)

// TestWhatIsClosedStaysClosed: queues and hosts that an administrator closed take no jobs in the translated
// cluster either; what opens again by itself does.
func TestWhatIsClosedStaysClosed(t *testing.T) {
	for name, c := range map[string]struct {
		close func(i *model.QueueInstance) string // its state
		said  []string
		shut  []string // queues, nodes and slots
	}{
		"nothing":           {func(*model.QueueInstance) string { return "" }, nil, nil},
		"a load alarm":      {func(*model.QueueInstance) string { return "a" }, nil, nil},
		"a calendar":        {func(*model.QueueInstance) string { return "D" }, nil, nil},
		"a subordinate one": {func(*model.QueueInstance) string { return "S" }, nil, nil},
		"a queue": {func(i *model.QueueInstance) string { return only(i.Queue == "short.q", "d") },
			[]string{"queue short.q is closed (d): qstop short_q"}, []string{"short_q"}},
		"a host": {func(i *model.QueueInstance) string { return only(i.Host == "n1", "au") },
			[]string{"every queue on n1 is closed (au): pbsnodes -o n1"}, []string{"n1"}},
		"a queue on a host": {func(i *model.QueueInstance) string { return only(i.Host == "n1" && i.Queue == "all.q", "E") },
			[]string{"queue all.q is closed on n1 (E): qmgr -c 'set node n1 resources_available.slots_all_q = 0'"}, []string{"slots_all_q on n1"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := cluster()
			for i := range s.Instances {
				s.Instances[i].State = c.close(&s.Instances[i])
			}
			x := translate(s)
			var said, shut []string
			for _, c := range x.Closures(s) {
				said = append(said, c.String()+": "+c.Command)
			}
			now, open := x.Now(s), x.To
			for i, q := range now.Queues {
				if q.PBS.Started != open.Queues[i].PBS.Started {
					shut = append(shut, q.Name)
				}
			}
			for i, h := range now.Hosts {
				if slices.Contains(h.PBS.State, "offline") {
					shut = append(shut, h.Name)
				}
				for k, r := range open.Hosts[i].Capacity {
					if h.Capacity[k].Value != r.Value {
						shut = append(shut, fmt.Sprintf("%s on %s", r.Name, h.Name))
					}
				}
			}
			if !slices.Equal(said, c.said) || !slices.Equal(shut, c.shut) {
				t.Errorf("closed are %q, in PBS %q; want %q and %q", said, shut, c.said, c.shut)
			}
		})
	}
}

func only(here bool, state string) string {
	if here {
		return state
	}
	return ""
}
