package fairshare_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"qprism/engine/model"
	"qprism/engine/pbs/fairshare"
)

// accrual is one cycle of the recording of a scheduler that charges and decays, or, as cycle 0, its start.
type accrual struct {
	Phase     string
	Cycle     *int // no number: what follows is no cycle
	Epoch     float64
	Res       string
	DecayTime string `json:"decay_time"`
	Factor    string
	Before    map[string]recordedJob `json:"jobs_before"`
	After     map[string]recordedJob `json:"jobs_after"`
	Decays    int
	Sync      bool
	Log       []string `json:"sched_log"`
	Pbsfs     string
	File      struct {
		LastDecay int64 `json:"last_decay"`
		Entries   map[string]float64
	} `json:"usage_file"`
}

type recordedJob struct {
	State, Owner string
	Used         struct {
		CPUTime  string  `json:"cput"`
		CPUs     float64 `json:"ncpus"`
		WallTime string
	}
}

func TestUsageIsChargedAndDecayedAsRecorded(t *testing.T) {
	all := files(t)
	var records []accrual
	if err := json.Unmarshal(all["fairshare_accrual_decay/accrual.json"], &records); err != nil {
		t.Fatal(err)
	}
	groups := groups(t, all["fairshare_accrual_decay/cput_end/resource_group"])
	var memory *fairshare.Memory
	var known model.Fairshare
	cycles, decays := 0, 0
	for i, r := range records {
		switch {
		case r.Cycle == nil:
			continue
		case *r.Cycle == 0:
			known = r.known(t, groups)
			memory = fairshare.Start(known, records[i+1].at(t)) // the first cycle follows at once
			continue
		}
		cycles, decays = cycles+1, decays+r.Decays
		upkeep := memory.Begin(fairshare.Cycle{At: r.at(t), FairShare: true, Running: running(t, r.Before, r.Before),
			Value: values[memory.Policy.UsageResource]})
		memory.End(true, running(t, r.After, r.Before))
		r.check(t, known, memory, upkeep)
	}
	if cycles != 30 || decays != 7 {
		t.Errorf("%d cycles with %d decays were compared", cycles, decays)
	}
}

// values are the two formulas that fairshare_usage_res held.
var values = map[string]fairshare.Value{
	"cput":           func(_ string, a []model.Amount) float64 { return amount(a, "cput") },
	"ncpus*walltime": func(_ string, a []model.Amount) float64 { return amount(a, "ncpus") * amount(a, "walltime") },
}

func amount(list []model.Amount, name string) float64 {
	for _, a := range list {
		if a.Name == name {
			return a.Value
		}
	}
	return 0
}

// known is what a scheduler finds at the beginning of a phase.
func (r accrual) known(t *testing.T, groups []model.ResourceGroup) model.Fairshare {
	p := model.DefaultFairsharePolicy()
	p.UnknownShares, p.UsageResource = 10, strings.Trim(r.Res, `"`)
	p.DecayTime, p.DecayFactor = clock(t, r.DecayTime), factor(t, r.Factor)
	return model.Fairshare{Groups: groups, Policy: p, Usage: r.usage()}
}

// at is when the cycle began, by the scheduler's log.
func (r accrual) at(t *testing.T) time.Time {
	t.Helper()
	stamp, _, _ := strings.Cut(r.Log[0], ";")
	at, err := time.Parse("01/02/2006 15:04:05", stamp)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// usage is the file after this cycle; records by name, since every leaf has its own.
func (r accrual) usage() model.FairshareUsage {
	u := model.FairshareUsage{Version: 2}
	if r.File.LastDecay != 0 {
		u.LastDecay = time.Unix(r.File.LastDecay, 0).UTC()
	}
	for _, name := range slices.Sorted(maps.Keys(r.File.Entries)) {
		u.Records = append(u.Records, model.EntityUsage{Name: name, Usage: r.File.Entries[name]})
	}
	return u
}

// running are the jobs in state R of one list, with what they had used in another.
func running(t *testing.T, jobs, used map[string]recordedJob) (list []fairshare.Running) {
	for _, id := range slices.Sorted(maps.Keys(jobs)) {
		if j := jobs[id]; j.State == "R" {
			list = append(list, fairshare.Running{Job: id, Entity: j.Owner, Used: used[id].amounts(t)})
		}
	}
	return list
}

func (j recordedJob) amounts(t *testing.T) []model.Amount {
	if j.Used.CPUTime == "" {
		return nil
	}
	return []model.Amount{{Name: "cput", Value: clock(t, j.Used.CPUTime).Seconds()}, {Name: "ncpus", Value: j.Used.CPUs},
		{Name: "walltime", Value: clock(t, j.Used.WallTime).Seconds()}}
}

// check compares the files that memory would write, and what pbsfs would show of them, with the recorded ones.
func (r accrual) check(t *testing.T, known model.Fairshare, memory *fairshare.Memory, upkeep fairshare.Upkeep) {
	t.Helper()
	if upkeep.Decays != r.Decays || upkeep.Written != r.Sync {
		t.Errorf("%s %d: %d decays, written %t; want %d, %t", r.Phase, *r.Cycle, upkeep.Decays,
			upkeep.Written, r.Decays, r.Sync)
	}
	file := memory.File(memory.LastDecay)
	if upkeep.Written && !file.LastDecay.Equal(r.usage().LastDecay) {
		t.Errorf("%s %d: last decay %d, want %d", r.Phase, *r.Cycle, file.LastDecay.Unix(), r.File.LastDecay)
	}
	got := map[string]float64{}
	for _, e := range file.Records {
		got[e.Name] = e.Usage
	}
	if !maps.Equal(got, r.File.Entries) {
		t.Errorf("%s %d: usage %v, want %v", r.Phase, *r.Cycle, got, r.File.Entries)
	}
	known.Usage = file
	if text := fairshare.Build(known).List(known.Policy.UsageResource); text != r.Pbsfs {
		t.Errorf("%s %d: pbsfs\n%swant\n%s", r.Phase, *r.Cycle, text, r.Pbsfs)
	}
}

func TestARestartedSchedulerAndPbsfsDecayTheFileAsRecorded(t *testing.T) {
	all := files(t)
	var records []accrual
	if err := json.Unmarshal(all["fairshare_accrual_decay/accrual.json"], &records); err != nil {
		t.Fatal(err)
	}
	phase := map[string]accrual{}
	for _, r := range records {
		if r.Cycle == nil || *r.Cycle == 0 {
			phase[r.Phase] = r
		}
	}
	known := phase["decay07"].known(t, groups(t, all["fairshare_accrual_decay/cput_end/resource_group"]))
	known.Usage = phase["after_restart"].usage()
	cycle := phase["after_restart_cycle"]
	memory := fairshare.Start(known, time.Unix(int64(cycle.Epoch), 0))
	if u := memory.Begin(fairshare.Cycle{At: time.Unix(int64(cycle.Epoch), 0), FairShare: true}); u.Decays != 1 ||
		!u.Written || len(u.Charges) > 0 {
		t.Errorf("the first cycle after the restart: %+v", u)
	}
	sameUsage(t, "after the restart", memory.File(memory.LastDecay), cycle.usage())

	known.Usage = cycle.usage()
	tree := fairshare.Build(known)
	tree.Decay(known.Policy.DecayFactor, 1)
	sameUsage(t, "pbsfs -d", tree.File(phase["pbsfs_d"].usage().LastDecay), phase["pbsfs_d"].usage())
}

func sameUsage(t *testing.T, what string, got, want model.FairshareUsage) {
	t.Helper()
	slices.SortFunc(got.Records, func(a, b model.EntityUsage) int { return strings.Compare(a.Name, b.Name) })
	if !slices.Equal(got.Records, want.Records) || !got.LastDecay.Equal(want.LastDecay) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}
