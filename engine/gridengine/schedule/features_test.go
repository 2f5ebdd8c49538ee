package schedule

import (
	"testing"
	"time"

	"qprism/compat"
	"qprism/engine/model"
)

// resource adds one that is not consumable, and what each host has of it, in their order.
func (l *lab) resource(kind model.ResourceType, relop model.Relop, values ...string) *lab {
	l.Resources = append(l.Resources, model.Resource{Name: "it", Type: kind, Relop: relop, Requestable: model.RequestYes,
		Consumable: model.ConsumeNo})
	for i, v := range values {
		l.Hosts[i].Capacity = append(l.Hosts[i].Capacity, model.Setting{Name: "it", Value: v})
	}
	return l
}

// features are what jobs can ask for and administrators can set, one each, where all releases do as the manual says.
var features = map[string]behaviour{
	"-q with a wildcard and a host group": {lab: func() *lab {
		l := newLab(3, 1)
		l.HostGroups = []model.HostGroup{{Name: "@new", Members: []string{"b", "@newest"}},
			{Name: "@newest", Members: []string{"c"}}}
		l.submit("-q a*@@new")
		l.submit("-q *@@new")
		l.submit("-q all.q@@new")
		return l
	}, want: "1 starts on b; 2 starts on c; 3 waits"},
	"-masterq": {lab: func() *lab {
		l := newLab(2, 2).pe("mpi", "$fill_up", 10)
		l.submit("-masterq all.q@b -pe mpi 3")
		return l
	}, want: "1 starts on b+a×2"},
	"a load formula below zero": {lab: func() *lab {
		l := newLab(3, 1)
		l.Policy.QueueSort, l.Policy.LoadFormula = "load", "-np_load_avg"
		for i, load := range []string{"1", "5", "3"} {
			l.Hosts[i].LoadReport = []model.Setting{{Name: "np_load_avg", Value: load}}
		}
		l.submit("")
		l.submit("")
		return l
	}, want: "1 starts on b; 2 starts on c"},
	"a value of at least": {lab: func() *lab {
		l := newLab(3, 1).resource(model.TypeDouble, model.AtLeast, "1", "5", "3")
		l.submit("-l it=3")
		return l
	}, want: "1 starts on a"}, // complex(5): the request is what stands left of the operator
	"a value of at most": {lab: func() *lab {
		l := newLab(3, 1).resource(model.TypeDouble, model.AtMost, "1", "5", "3")
		l.submit("-l it=3")
		l.submit("-l it=3,h_rt=5")
		l.submit("-l it=3,h_rt=6")
		return l
	}, want: "1 starts on b; 2 starts on c; 3 waits"},
	"a value equal to": {lab: func() *lab {
		l := newLab(3, 1).resource(model.TypeInt, model.Equal, "1", "5", "3")
		l.submit("-l it=3")
		return l
	}, want: "1 starts on c"},
	"a value other than": {lab: func() *lab {
		l := newLab(3, 1).resource(model.TypeInt, model.NotEqual, "3", "5", "3")
		l.submit("-l it=3")
		return l
	}, want: "1 starts on b"},
	"a string with an expression": {lab: func() *lab {
		l := newLab(3, 1).resource(model.TypeReString, model.Equal, "red", "blue", "bluish")
		l.submit("-l it=bl*&!blue")
		return l
	}, want: "1 starts on c"},
	"a string in any case": {lab: func() *lab {
		l := newLab(2, 1).resource(model.TypeCString, model.Equal, "red", "Blue")
		l.submit("-l it=bLUE")
		return l
	}, want: "1 starts on b"},
	"a consumable of the host": {lab: func() *lab {
		l := newLab(2, 4).consumable("mem", "", model.ConsumeYes).pe("mpi", "$fill_up", 10)
		l.Hosts[0].Capacity, l.Hosts[1].Capacity = []model.Setting{{Name: "mem", Value: "4"}},
			[]model.Setting{{Name: "mem", Value: "8"}}
		l.submit("-l mem=3")
		l.submit("-pe mpi 2 -l mem=4")
		return l
	}, want: "1 starts on a; 2 starts on b×2"},
	"an exclusive host": {lab: func() *lab {
		l := newLab(2, 4)
		l.Resources = append(l.Resources, model.Resource{Name: "alone", Type: model.TypeBool, Relop: model.Exclusive,
			Requestable: model.RequestYes, Consumable: model.ConsumeYes, Default: "0"})
		for i := range l.Hosts {
			l.Hosts[i].Capacity = []model.Setting{{Name: "alone", Value: "TRUE"}}
		}
		l.submit("")
		l.submit("-l alone=TRUE")
		l.submit("-l alone=TRUE,h_rt=5")
		l.submit("-l h_rt=6")
		return l
	}, want: "1 starts on a; 2 starts on b; 3 waits; 4 starts on a"},
	"a forced resource": {lab: func() *lab {
		l := newLab(2, 1).resource(model.TypeBool, model.Equal, "TRUE")
		l.Resources[4].Requestable = model.RequestForced
		l.submit("")
		l.submit("-l it=TRUE")
		return l
	}, want: "1 starts on b; 2 starts on a"},
	"soft requests": {lab: func() *lab {
		l := newLab(3, 1).resource(model.TypeReString, model.Equal, "red", "blue", "blue")
		l.submit("-soft it=blue")
		l.submit("-soft it=blue")
		l.submit("-soft it=blue")
		return l
	}, want: "1 starts on b; 2 starts on c; 3 starts on a"},
	"access lists": {lab: func() *lab {
		l := newLab(3, 1)
		l.Usersets = []model.Userset{{Name: "staff", Entries: []string{"ann", "@dev"}}}
		l.Instances[0].ACL, l.Hosts[1].XACL = []string{"staff"}, []string{"staff"}
		l.submit("-u ann -l h_rt=5")
		l.submit("-u bob")
		j := l.submit("-u eve -l h_rt=6")
		j.Group = "dev"
		return l
	}, want: "1 starts on a; 2 starts on b; 3 starts on c"},
	"projects": {lab: func() *lab {
		l := newLab(3, 1)
		l.Instances[0].Projects, l.Hosts[1].XProjects = []string{"sea"}, []string{"sea"}
		l.submit("")
		l.submit("-l h_rt=5").Project = "sea"
		l.submit("-l h_rt=6").Project = "sea"
		return l
	}, want: "1 starts on b; 2 starts on a; 3 starts on c"},
	"a calendar that closes the queue soon": {lab: func() *lab { // at +100
		l := newLab(1, 1)
		l.Calendars = []model.Calendar{{Name: "night", Week: []model.WeekEntry{{State: "off",
			Times: []model.Daytime{{From: 3*time.Hour + 35*time.Minute, To: 4 * time.Hour}}}}}}
		l.Instances[0].Calendar = "night"
		l.submit("-l h_rt=101")
		l.submit("-l h_rt=100")
		return l
	}, want: "1 waits; 2 starts on a"},
	"a queue that its calendar has closed": {lab: func() *lab { // until +100
		l := newLab(2, 1)
		l.Calendars = []model.Calendar{{Name: "night", Week: []model.WeekEntry{{State: "off",
			Times: []model.Daytime{{From: 3 * time.Hour, To: 3*time.Hour + 35*time.Minute}}}}}}
		l.Instances[0].Calendar, l.Instances[0].State = "night", "D"
		l.submit("-q all.q@a -R y")
		return l
	}, want: "1 is reserved for on a at +100"},
	"a queue-wise subordinate queue": {lab: func() *lab { // two slots of all.q suspend low.q
		l := newLab(1, 4)
		low := l.Instances[0]
		low.Name, low.Queue, low.SeqNo = "low.q@a", "low.q", 1
		l.Instances[0].Subordinates = []model.Subordinate{{Queue: "low.q", Threshold: 2}}
		l.Instances = append(l.Instances, low)
		l.submit("-q all.q")
		l.submit("-q low.q")
		l.submit("-q all.q")
		l.submit("-q low.q -l h_rt=5")
		return l
	}, want: "1 starts on a; 2 starts on low.q@a; 3 starts on a; 4 waits"},
	"checkpointing": {lab: func() *lab {
		l := newLab(2, 1)
		l.Checkpoints = []model.Checkpoint{{Name: "blcr"}}
		l.Instances[1].Checkpoints = []string{"blcr"}
		l.submit("").Checkpoint = "blcr"
		return l
	}, want: "1 starts on b"},
	"an interactive job": {lab: func() *lab {
		l := newLab(2, 1)
		l.Instances[0].Type = "BATCH"
		l.submit("").Type = model.TypeImmediate
		return l
	}, want: "1 starts on b"},
	"a hold, a predecessor and a time": {lab: func() *lab {
		l := newLab(1, 9)
		l.submit("").Tasks[0].State = "hqw"
		l.submit("").Predecessors = []uint32{1}
		l.submit("").ExecutionTime = noon.Add(time.Second)
		l.submit("").ExecutionTime = noon
		return l
	}, want: "4 starts on a; 1 waits; 2 waits; 3 waits"},
	"-tc": {lab: func() *lab {
		l := newLab(1, 9)
		l.submit("-t 1-4").MaxRunningTasks = 2
		return l
	}, want: "1 starts on a; 1.2 starts on a; 1.3 waits"},
	"sequence numbers before load": {lab: func() *lab {
		l := loaded(2, 9)
		l.Hosts[0].LoadReport[0].Value, l.Instances[1].SeqNo = "2", 1
		l.submit("")
		return l
	}, want: "1 starts on a"},
	"load before sequence numbers": {lab: func() *lab {
		l := loaded(2, 9)
		l.Policy.QueueSort = "load"
		l.Hosts[0].LoadReport[0].Value, l.Instances[1].SeqNo = "2", 1
		l.submit("")
		return l
	}, want: "1 starts on b"},
	"load that new jobs bring": {lab: func() *lab { // a half each, from 1 and 1.7
		l := loaded(2, 9)
		l.Policy.QueueSort = "load"
		l.Hosts[1].LoadReport[0].Value = "1.7"
		l.submit("-t 1-4")
		return l
	}, want: "1 starts on a; 1.2 starts on a; 1.3 starts on b; 1.4 starts on a"},
	"allocation rules": {lab: func() *lab {
		l := newLab(3, 3).pe("mpi", "$round_robin", 20).pe("mpi2", "2", 20)
		l.submit("-pe mpi 4")
		l.submit("-pe mpi2 4")
		return l
	}, want: "1 starts on a×2+b+c; 2 starts on b×2+c×2"},
	"a quota for each user": {lab: func() *lab {
		l := newLab(1, 9)
		l.Quotas = []model.QuotaSet{{Name: "set", Enabled: true, Rules: []model.QuotaRule{{
			Users:  model.QuotaFilter{Set: true, Each: true, Include: []string{"*"}},
			Limits: []model.Setting{{Name: "slots", Value: "1"}}}}}}
		l.submit("-u x")
		l.submit("-u x")
		l.submit("-u y")
		return l
	}, want: "1 starts on a; 2 waits; 3 starts on a"},
	"an advance reservation": {lab: func() *lab { // of both slots from +50 on, and of one that runs
		l := newLab(2, 2)
		l.Reserved = []model.AdvanceReservation{
			{Number: 7, State: "w", Start: noon.Add(50 * time.Second), Duration: time.Hour,
				Granted: []model.Grant{{Instance: "all.q@a", Slots: 2}}},
			{Number: 8, State: "r", Start: noon.Add(-time.Second), Duration: time.Hour,
				Granted: []model.Grant{{Instance: "all.q@b", Slots: 1}}}}
		l.submit("-l h_rt=51 -q all.q@a")
		l.submit("-l h_rt=50 -q all.q@a")
		l.submit("").Reservation = 7
		l.submit("-l h_rt=9").Reservation = 8
		l.submit("-l h_rt=9").Reservation = 8
		l.submit("-q all.q@b")
		l.submit("-q all.q@b")
		return l
	}, want: "1 waits; 2 starts on a; 3 waits; 4 starts on b; 5 waits; 6 starts on b; 7 waits"},
}

func TestFeatures(t *testing.T) {
	for what, f := range features {
		for _, profile := range []string{"8.1.9", "6.1", "fixed"} {
			expect(t, what+", "+profile, f.lab(), compat.Profiles[profile], f.want)
		}
	}
}
