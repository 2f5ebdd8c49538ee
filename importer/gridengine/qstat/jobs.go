package qstat

import (
	"cmp"
	"slices"

	"qprism/engine/halves"
	"qprism/engine/model"
	"qprism/importer/gridengine/bundle"
	"qprism/importer/source"
)

// ReadJobs reads qstat.xml, qstat-j.xml and qstat-urg.txt. The XML of most releases lacks urg, so ReadJobs
// takes it from qstat-urg.txt. The commands ran one after the other, so a job may be in one file only.
func ReadJobs(b *bundle.Reader) error {
	r := &reader{Reader: b}
	jobs := newJobTable()
	if err := readListings(r, jobs); err != nil {
		return err
	}
	r.Snap.Jobs = jobs.sorted()
	return r.NothingRead(r.JobsFile(), len(r.Snap.Jobs))
}

// readListings reads the files on two processors. Each can be read without the others.
func readListings(r *reader, jobs *jobTable) error {
	ofJ, ofUrg := &reader{Reader: r.Fork()}, &reader{Reader: r.Fork()}
	var found details
	var urg []urgRow
	var err, errJ, errUrg error
	halves.Both(func() {
		found, errJ = readQstatJ(ofJ)
		urg, errUrg = readQstatUrg(ofUrg)
	}, func() { err = readQstat(r, jobs) })
	if err = cmp.Or(err, errJ); err != nil {
		return err
	}
	r.Join(ofJ.Reader)
	found.mergeInto(r, jobs)
	if !jobs.missesUrg() {
		return nil // faults of the other file do not matter
	}
	r.Join(ofUrg.Reader)
	jobs.addUrg(urg)
	return errUrg
}

// chunk is how many jobs a jobTable allocates at once.
const chunk = 256

// A jobTable holds the jobs while they are read. It makes room in chunks, so that a job keeps its place in
// memory; what its lists hold lies in slabs.
type jobTable struct {
	chunks [][]model.Job
	ranks  []int // by place: where qstat -j printed the job, negative where it did not
	places map[uint32]int
	inJ    int // jobs that qstat -j printed

	ranges      source.Slab[model.Range]
	requests    source.Slab[model.Request]
	names       source.Slab[string]
	numbers     source.Slab[uint32]
	tasks       source.Slab[model.Task]
	grants      source.Slab[model.Grant]
	jobReports  source.Slab[model.JobReport]
	taskReports source.Slab[model.TaskReport]
}

func newJobTable() *jobTable { return &jobTable{places: map[uint32]int{}} }

// job is the job of that number, made where there was none.
func (t *jobTable) job(number uint32) (j *model.Job, isNew bool) {
	place, known := t.places[number]
	if !known {
		place = len(t.ranks)
		t.places[number] = place
		t.ranks = append(t.ranks, -1)
		if place%chunk == 0 {
			t.chunks = append(t.chunks, make([]model.Job, chunk))
		}
		t.at(place).Number = number
	}
	return t.at(place), !known
}

// find is the job of that number, nil for none.
func (t *jobTable) find(number uint32) *model.Job {
	if place, known := t.places[number]; known {
		return t.at(place)
	}
	return nil
}

func (t *jobTable) at(place int) *model.Job { return &t.chunks[place/chunk][place%chunk] }

// listed notes that qstat -j printed a job, after those printed before.
func (t *jobTable) listed(number uint32) {
	t.ranks[t.places[number]] = t.inJ
	t.inJ++
}

// sorted are all jobs in the order of the master's job list: by number, unless qstat -j shows another order. A
// job that qstat -j did not print stands behind the others.
func (t *jobTable) sorted() []model.Job {
	places := make([]int, len(t.ranks))
	for i := range places {
		places[i] = i
	}
	byNumber := func(a, b int) int { return cmp.Compare(t.at(a).Number, t.at(b).Number) }
	byRank := func(a, b int) int { return cmp.Compare(uint(t.ranks[a]), uint(t.ranks[b])) } // -1 is the last
	slices.SortFunc(places, func(a, b int) int { return cmp.Or(byRank(a, b), byNumber(a, b)) })
	if slices.IsSortedFunc(places[:t.inJ], byNumber) {
		slices.SortFunc(places, byNumber)
	}
	if len(places) == 0 {
		return nil
	}
	all := make([]model.Job, len(places))
	asRead := slices.IsSorted(places)
	halves.Do(len(places), func(from, to int) {
		var near nearby
		for i := from; i < to; i++ {
			all[i] = *t.at(places[i])
			if !asRead {
				near.move(&all[i])
			}
		}
	})
	return all
}

// A nearby keeps what jobs have side by side, in the order of the jobs. qstat lists waiting jobs by priority, and so they
// were read. Runs look at the jobs in the master's order, again and again. The processor fetches ahead what lies side by
// side.
type nearby struct {
	tasks       source.Slab[model.Task]
	ranges      source.Slab[model.Range]
	jobReports  source.Slab[model.JobReport]
	taskReports source.Slab[model.TaskReport]
}

// move moves the tasks and the reports of a job behind those of the jobs before.
func (n *nearby) move(j *model.Job) {
	if j.Reported != nil {
		j.Reported = &n.jobReports.Keep(*j.Reported)[0]
	}
	j.Tasks = n.tasks.Keep(j.Tasks...)
	for i := range j.Tasks {
		t := &j.Tasks[i]
		t.IDs = n.ranges.Keep(t.IDs...)
		if t.Reported != nil {
			t.Reported = &n.taskReports.Keep(*t.Reported)[0]
		}
	}
}

// amount is the number that a request's value means: by the resource's type, or where the bundle does not tell
// it by what the value looks like. It is 0 for what is no number.
func (r *reader) amount(resource, value string) float64 {
	if t, known := r.resourceType(resource); known && !t.Numeric() {
		return 0
	}
	v, known := r.amounts[value]
	if known {
		return v
	}
	v, err := model.ParseNumber(value)
	if err != nil {
		v = 0
	}
	if r.amounts == nil {
		r.amounts = map[string]float64{}
	}
	remember(r.amounts, value, v)
	return v
}

// resourceType is the type of a resource by its name or shortcut, as complex.txt has it.
func (r *reader) resourceType(name string) (t model.ResourceType, known bool) {
	if r.types == nil {
		r.types = map[string]model.ResourceType{}
		for _, c := range r.Snap.Resources {
			r.types[c.Shortcut] = c.Type
		}
		for _, c := range r.Snap.Resources {
			r.types[c.Name] = c.Type
		}
	}
	t, known = r.types[name]
	return t, known
}
