package gridengine

import (
	"reflect"
	"slices"
	"testing"

	"qprism/engine/batch"
	"qprism/engine/model"
)

// small is a full cluster of three hosts with four slots each, and a second queue for short jobs of alice.
func small() *model.Snapshot {
	s := &model.Snapshot{Has: []string{"complex.txt", "queues/all.q.txt", "hosts/a.txt", "pes/mpi.txt"},
		Resources: []model.Resource{
			{Name: "slots", Shortcut: "s", Type: model.TypeInt, Relop: model.AtMost, Requestable: model.RequestYes, Consumable: model.ConsumeYes,
				Default: "1"},
			{Name: "lic", Type: model.TypeInt, Relop: model.AtMost, Requestable: model.RequestYes, Consumable: model.ConsumeYes, Default: "0"},
			{Name: "mem", Type: model.TypeMemory, Relop: model.AtMost, Requestable: model.RequestYes, Consumable: model.ConsumeYes, Default: "0"},
			{Name: "h_rt", Type: model.TypeTime, Relop: model.AtMost, Requestable: model.RequestYes, Consumable: model.ConsumeNo},
			{Name: "hostname", Shortcut: "h", Type: model.TypeHost, Relop: model.Equal, Requestable: model.RequestYes, Consumable: model.ConsumeNo},
			{Name: "arch", Type: model.TypeReString, Relop: model.Equal, Requestable: model.RequestYes, Consumable: model.ConsumeNo},
			{Name: "load_avg", Type: model.TypeDouble, Relop: model.AtMost, Requestable: model.RequestYes, Consumable: model.ConsumeNo},
			{Name: "special", Type: model.TypeBool, Relop: model.Equal, Requestable: model.RequestForced, Consumable: model.ConsumeNo},
		},
		Hosts: []model.Host{{Name: model.GlobalHost, Capacity: []model.Setting{{Name: "lic", Value: "3"}}}},
		PEs: []model.PE{{Name: "mpi", Slots: 99, AllocationRule: "$fill_up"}, {Name: "smp", Slots: 99, AllocationRule: "$pe_slots"},
			{Name: "two", Slots: 99, AllocationRule: "2"}},
		Quotas: []model.QuotaSet{{Name: "few", Enabled: true, Rules: []model.QuotaRule{{Users: model.QuotaFilter{Set: true,
			Include: []string{"bob"}}, Limits: []model.Setting{{Name: "lic", Value: "0"}}}}}},
	}
	for _, h := range []string{"a", "b", "c"} {
		s.Hosts = append(s.Hosts, model.Host{Name: h, Capacity: []model.Setting{{Name: "mem", Value: "16G"}},
			LoadReport: []model.Setting{{Name: "arch", Value: "lx-amd64"}, {Name: "load_avg", Value: "7"}}})
		s.Instances = append(s.Instances,
			model.QueueInstance{Name: "all.q@" + h, Queue: "all.q", Host: h, Slots: 4, Used: 4, Type: "BATCH", PEs: []string{"mpi", "smp", "two"},
				Listed:         true,
				LoadThresholds: []model.Setting{{Name: "load_avg", Value: "1"}}, Limits: []model.Setting{{Name: "h_rt", Value: "24:0:0"}}},
			model.QueueInstance{Name: "s.q@" + h, Queue: "s.q", Host: h, Slots: 1, Type: "BATCH", State: "d", ACL: []string{"short"}, Listed: true,
				Capacity: []model.Setting{{Name: "special", Value: "TRUE"}}})
	}
	s.Usersets = []model.Userset{{Name: "short", ACL: true, Entries: []string{"alice"}}}
	return s
}

func asks(requests ...string) (list []model.Request) {
	for i := 0; i < len(requests); i += 2 {
		list = append(list, model.Request{Resource: requests[i], Value: requests[i+1]})
	}
	return list
}

func slots(n uint32) []model.Range { return []model.Range{{Min: n, Max: n, Step: 1}} }

// TestTheRequestToBlameIsNamed asks of jobs on a full cluster whether they can ever run, and what would have to change.
func TestTheRequestToBlameIsNamed(t *testing.T) {
	for what, c := range map[string]struct {
		job  model.Job
		want []batch.Blame
		all  bool
	}{
		"a job that waits for a slot":    {job: model.Job{}},
		"a job that waits for licences":  {job: model.Job{Hard: asks("lic", "3")}},
		"load that changes has no bound": {job: model.Job{Hard: asks("load_avg", "1000")}},
		"a job for all slots":            {job: model.Job{PE: "mpi", PERange: slots(12)}},
		"more licences than there are": {job: model.Job{Hard: asks("lic", "50")},
			want: []batch.Blame{{Kind: batch.TooMuch, Option: "-l lic=50", Nearest: []string{"-l lic=3"}, Most: "3"}}},
		"more slots than there are": {job: model.Job{PE: "mpi", PERange: slots(500)},
			want: []batch.Blame{{Kind: batch.TooMuch, Option: "-pe mpi 500", Nearest: []string{"-pe mpi 12"}, Most: "12"}}},
		"a number that cannot be spread": {job: model.Job{PE: "two", PERange: slots(3)},
			want: []batch.Blame{{Kind: batch.TooMuch, Option: "-pe two 3", Nearest: []string{"-pe two 2"}, Most: "2"},
				{Kind: batch.Other, Option: "-pe two 3", Nearest: []string{"-pe mpi 3", "-pe smp 3"}}}},
		"memory for each of four slots": {job: model.Job{PE: "smp", PERange: slots(4), Hard: asks("mem", "5G")},
			want: []batch.Blame{{Kind: batch.TooMuch, Option: "-l mem=5G", Nearest: []string{"-l mem=4G"}, Most: "4G"},
				{Kind: batch.TooMuch, Option: "-pe smp 4", Nearest: []string{"-pe smp 3"}, Most: "3"},
				{Kind: batch.Other, Option: "-pe smp 4", Nearest: []string{"-pe mpi 4", "-pe two 4"}}}},
		"a queue and a host that exclude it": {job: model.Job{HardQueues: []string{"all.q@a"}, Hard: asks("hostname", "b")},
			want: []batch.Blame{{Kind: batch.Other, Option: "-l hostname=b", Nearest: []string{"-l hostname=a"}, Most: "a"},
				{Kind: batch.Other, Option: "-q all.q@a"}}},
		"a resource that nobody knows": {job: model.Job{Hard: asks("gpu", "1")},
			want: []batch.Blame{{Kind: batch.Absent, Option: "-l gpu=1"}}},
		"another architecture": {job: model.Job{Hard: asks("arch", "sol")},
			want: []batch.Blame{{Kind: batch.Other, Option: "-l arch=sol", Nearest: []string{"-l arch=lx-amd64"}, Most: "lx-amd64"}}},
		"longer than any queue lets it run": {job: model.Job{Hard: asks("h_rt", "99:0:0")},
			want: []batch.Blame{{Kind: batch.TooMuch, Option: "-l h_rt=99:0:0", Nearest: []string{"-l h_rt=24:0:0"}, Most: "24:0:0"}}},
		"a forced resource not asked for": {job: model.Job{Owner: "alice", HardQueues: []string{"s.q"}},
			want: []batch.Blame{{Kind: batch.Other, Option: "-q s.q"},
				{Kind: batch.Lacking, Option: "-l special", Nearest: []string{"-l special=TRUE"}}}},
		"a queue for others": {job: model.Job{Owner: "carl", HardQueues: []string{"s.q"}, Hard: asks("special", "TRUE")},
			want: []batch.Blame{{Kind: batch.Access, Option: "carl"}}},
		"a quota of none": {job: model.Job{Owner: "bob", Hard: asks("lic", "1")},
			want: []batch.Blame{{Kind: batch.Other, Option: "-l lic=1"}, {Kind: batch.Quota, Option: "few/1"}}},
		"two things at once": {job: model.Job{Hard: asks("gpu", "1", "lic", "9")}, all: true,
			want: []batch.Blame{{Kind: batch.Absent, Option: "-l gpu=1"},
				{Kind: batch.TooMuch, Option: "-l lic=9", Nearest: []string{"-l lic=3"}, Most: "3"}}},
	} {
		c.job.Number, c.job.Detailed = 1, true
		if c.job.Owner == "" {
			c.job.Owner = "carl"
		}
		a := NewChances(small(), model.Quirks{}).Of(&c.job)
		if len(a.Unknown) > 0 || a.Never != (c.want != nil) || !reflect.DeepEqual(a.Blames, c.want) || a.All != c.all {
			t.Errorf("%s: %+v, want %+v", what, a, c.want)
		}
	}
}

// TestWithoutTheConfigurationNobodyKnows: a bundle that is only a listing gives no verdict, and says what it lacks.
func TestWithoutTheConfigurationNobodyKnows(t *testing.T) {
	s := small()
	s.Has = slices.DeleteFunc(s.Has, func(name string) bool { return name == "complex.txt" })
	a := NewChances(s, model.Quirks{}).Of(&model.Job{Number: 1, Hard: asks("gpu", "1")})
	if a.Never || !reflect.DeepEqual(a.Unknown, []string{"complex.txt", "qstat-j.xml"}) {
		t.Errorf("%+v", a)
	}
}
