package qconf

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"qprism/engine/model"
	"qprism/importer/gridengine/bundle"
	"qprism/importer/gridengine/expect"
	"qprism/importer/source"
)

// odd/instances.txt is what a real master printed for qconf -sq '*@*', odd/queues.txt and odd/hostgroups.txt being its
// configuration. a.q has nested, overlapping host groups and every form of override.
func TestInstancesAreThoseThatARealMasterMakes(t *testing.T) {
	s := readFolder(t, "odd")
	c, err := newConfigReader(bundle.New(expect.Bundle(nil), source.Options{}))
	if err != nil {
		t.Fatal(err)
	}
	c.Bundle = expect.Bundle(map[string]string{"instances.txt": readFile(t, "odd/instances.txt")})
	printed, err := c.objects("instances.txt", "qname")
	if err != nil {
		t.Fatal(err)
	}
	if len(printed) != 26 || len(s.Instances) != len(printed) {
		t.Fatalf("%d instances, want the %d printed", len(s.Instances), len(printed))
	}
	compared := 0
	for n, i := range s.Instances {
		want := map[string]string{"qname": printed[n].name}
		for _, l := range printed[n].rest {
			key, value := l.pair()
			want[key] = value
		}
		got := asPrinted(i)
		for key, value := range got {
			if want[key] != value {
				t.Errorf("%s: %s is %q, the master says %q", i.Name, key, value, want[key])
			}
			compared++
		}
	}
	if compared != 26*36 {
		t.Errorf("%d values compared", compared)
	}
}

// asPrinted are the values of an instance in the form in which qconf prints instances.
func asPrinted(i model.QueueInstance) map[string]string {
	all := map[string]string{
		"qname": i.Queue, "hostname": i.Host, "seq_no": fmt.Sprint(i.SeqNo), "slots": fmt.Sprint(i.Slots),
		"nsuspend": fmt.Sprint(i.Suspensions), "rerun": strings.ToUpper(fmt.Sprint(i.Rerun)),
		"initial_state": i.InitialState, "qtype": orNone(i.Type), "calendar": orNone(i.Calendar),
		"pe_list": orNone(i.PEs...), "ckpt_list": orNone(i.Checkpoints...), "user_lists": orNone(i.ACL...),
		"xuser_lists": orNone(i.XACL...), "projects": orNone(i.Projects...), "xprojects": orNone(i.XProjects...),
		"load_thresholds": orNone(equations(i.LoadThresholds)...), "suspend_thresholds": orNone(
			equations(i.SuspendThresholds)...),
		"complex_values": orNone(equations(i.Capacity)...),
	}
	all["suspend_interval"] = map[time.Duration]string{5 * time.Minute: "00:05:00",
		time.Minute: "0:1:0"}[i.SuspendInterval]
	for _, l := range i.Limits {
		all[l.Name] = l.Value
	}
	var so []string
	for _, s := range i.Subordinates {
		action := map[string]int{"": 0, "sr": 1, "lr": 16}[s.Action] // as 8.1.9 numbers them
		so = append(so, fmt.Sprintf("%s=%d=%d=%d=%d", s.Queue, s.Threshold, i.SlotwiseSum, s.Order, action))
	}
	all["subordinate_list"] = orNone(so...)
	return all
}

func orNone(words ...string) string {
	if text := strings.Join(words, " "); text != "" {
		return text
	}
	return "NONE"
}

func equations(settings []model.Setting) (list []string) {
	for _, s := range settings {
		list = append(list, s.Name+"="+s.Value)
	}
	return list
}

func TestAHostInTwoOverriddenGroupsMakesAnAttributeAmbiguous(t *testing.T) {
	s := readFolder(t, "odd")
	for _, i := range s.Instances {
		var want []string
		if i.Name == "a.q@node03" { // in @slow and, by way of @sub and @in, in @top; 8.1.9 shows it in state c
			want = []string{"slots"}
		}
		if !slices.Equal(i.Ambiguous, want) {
			t.Errorf("%s: ambiguous %q, want %q", i.Name, i.Ambiguous, want)
		}
	}
}

// queueText is a queue as qconf prints it, with some lines changed.
func queueText(lines ...string) string {
	text := "qname q\nhostlist h1 h2\nseq_no 0\npe_list NONE\nslots 4\nuser_lists NONE\nxuser_lists " +
		"NONE\ncomplex_values NONE\n" +
		"projects NONE\nxprojects NONE\nh_rt INFINITY\nh_vmem INFINITY\n"
	for _, l := range lines {
		key, _, _ := strings.Cut(l, " ")
		before, rest, found := strings.Cut(text, "\n"+key+" ")
		if !found {
			text += l + "\n"
			continue
		}
		_, after, _ := strings.Cut(rest, "\n")
		text = before + "\n" + l + "\n" + after
	}
	return text
}

func TestOverridesAreResolvedForEachHost(t *testing.T) {
	groups := "group_name @a\nhostlist h1\ngroup_name @b\nhostlist h2 @a\ngroup_name @loop\nhostlist @loop2 h2\n" +
		"group_name @loop2\nhostlist @loop\n"
	for name, test := range map[string]struct {
		slots     string
		want      [2]int // for h1 and h2
		ambiguous [2]bool
	}{
		"a default":                               {"slots 4", [2]int{4, 4}, [2]bool{}},
		"a host":                                  {"slots 4,[h1=2]", [2]int{2, 4}, [2]bool{}},
		"a group":                                 {"slots 4,[@a=2]", [2]int{2, 4}, [2]bool{}},
		"a group inside a group":                  {"slots 4,[@b=2]", [2]int{2, 2}, [2]bool{}},
		"a host goes before its groups":           {"slots 4,[@a=3],[@b=3],[h1=2]", [2]int{2, 3}, [2]bool{}},
		"two groups, the default is in force":     {"slots 4,[@a=3],[@b=2]", [2]int{4, 2}, [2]bool{true, false}},
		"two groups with the same value too":      {"slots 4,[@a=3],[@b=3]", [2]int{4, 3}, [2]bool{true, false}},
		"no default":                              {"slots [@b=2]", [2]int{2, 2}, [2]bool{}},
		"hosts in any case":                       {"slots 4,[H1=2]", [2]int{2, 4}, [2]bool{}},
		"groups in any case":                      {"slots 4,[@A=2]", [2]int{2, 4}, [2]bool{}},
		"a group inside itself":                   {"slots 4,[@loop=2]", [2]int{4, 2}, [2]bool{}},
		"a group that does not exist":             {"slots 4,[@none=2]", [2]int{4, 4}, [2]bool{}},
		"a host that is not in the queue":         {"slots 4,[h9=2]", [2]int{4, 4}, [2]bool{}},
		"blanks between the overrides":            {"slots 4 , [h1=2] , [h2=3]", [2]int{2, 3}, [2]bool{}},
		"hexadecimal, as it may be in files":      {"slots 0x10,[h1=010]", [2]int{8, 16}, [2]bool{}},
		"the last override of a host is in force": {"slots 4,[h1=2],[h1=3]", [2]int{3, 4}, [2]bool{}},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := readStep(expect.Bundle(map[string]string{"queues.txt": queueText(test.slots),
				"hostgroups.txt": groups}), source.Options{},
				func(c *configReader) error {
					if err := readHostGroups(c); err != nil {
						return err
					}
					return readQueues(c)
				})
			if err != nil {
				t.Fatal(err)
			}
			for n, i := range s.Instances {
				if i.Slots != test.want[n] || slices.Contains(i.Ambiguous, "slots") != test.ambiguous[n] {
					t.Errorf("%s: %d slots, ambiguous %q; want %d, %v", i.Name, i.Slots, i.Ambiguous, test.want[n], test.ambiguous[n])
				}
			}
		})
	}
}

func TestSubordinateListsOfBothKinds(t *testing.T) {
	for value, want := range map[string]model.QueueInstance{
		"NONE":    {},
		"low.q":   {Subordinates: []model.Subordinate{{Queue: "low.q"}}},
		"low.q=2": {Subordinates: []model.Subordinate{{Queue: "low.q", Threshold: 2}}},
		"a:3 b=1,c": {Subordinates: []model.Subordinate{{Queue: "a", Threshold: 3}, {Queue: "b", Threshold: 1},
			{Queue: "c"}}},
		"slots.q=3":    {Subordinates: []model.Subordinate{{Queue: "slots.q", Threshold: 3}}},
		"slots=3(a)":   {SlotwiseSum: 3, Subordinates: []model.Subordinate{{Queue: "a", Action: "sr"}}},
		"slots=3(a:2)": {SlotwiseSum: 3, Subordinates: []model.Subordinate{{Queue: "a", Order: 2, Action: "sr"}}},
		"Slots=3(a:0:sr, b:2:lr)": {SlotwiseSum: 3,
			Subordinates: []model.Subordinate{{Queue: "a", Action: "sr"}, {Queue: "b", Order: 2, Action: "lr"}}},
	} {
		s := mustRead(t, readQueues, "queues.txt", queueText("subordinate_list "+value))
		i := s.Instances[0]
		expect.Same(t, value, model.QueueInstance{SlotwiseSum: i.SlotwiseSum, Subordinates: i.Subordinates}, want)
	}
}

func TestHostListsThatHoldTooMuchAreRefused(t *testing.T) {
	// Each group holds all those behind it: n groups, n²/2 references.
	const n = 6000
	var groups, slots strings.Builder
	slots.WriteString("slots 1")
	for i := range n {
		fmt.Fprintf(&groups, "group_name @g%d\nhostlist h%d @g%d\n", i, i, i+1)
		fmt.Fprintf(&slots, ",[@g%d=1]", i)
	}
	err := expect.Fault(readStep(expect.Bundle(map[string]string{"queues.txt": queueText(slots.String()),
		"hostgroups.txt": groups.String()}),
		source.Options{}, func(c *configReader) error {
			if err := readHostGroups(c); err != nil {
				return err
			}
			return readQueues(c)
		}))
	if want := `queues: its queue instances: host groups hold too much: "q"`; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestTooManyInstancesAreRefused(t *testing.T) {
	var hosts strings.Builder
	for i := range maxInstances/2 + 1 {
		fmt.Fprintf(&hosts, " h%d", i)
	}
	q := model.Queue{Name: "q", HostList: strings.Fields(hosts.String())}
	c := &configReader{Reader: bundle.New(expect.Bundle(nil), source.Options{})}
	c.Snap.Queues = []model.Queue{q, q}
	if err, want := expect.Fault(c.Snap, c.resolveInstances()),
		`queues: its queue instances: more than 524288 queue instances: "q"`; err == nil ||
		err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}
