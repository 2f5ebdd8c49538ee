package pbs

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"qprism/engine/batch"
	"qprism/engine/blame"
	"qprism/engine/model"
)

// A blaming looks for what of a job keeps it from ever running.
type blaming struct {
	*Chances
	job *model.Job
	why model.Reason
}

func (b *blaming) find() (blames []batch.Blame, all bool) {
	changes := b.changes()
	if len(changes) > mostChanges {
		return nil, false
	}
	blames, all = blame.Search(b.job, changes, b.fits)
	if queues := b.otherQueues(); len(queues) > 0 {
		other := batch.Blame{Kind: batch.Other, Option: "-q " + b.job.PBS.Queue, Nearest: queues}
		if all {
			blames, all = nil, false
		}
		blames = append(blames, other)
	}
	if len(blames) == 0 && b.why.Failure == model.FailNoFairshares {
		return []batch.Blame{{Kind: batch.NoShare, Option: b.job.Owner}}, false
	}
	return blames, all
}

// mostChanges bounds the parts of a request that are changed one after the other; jobs that people submit have a few.
const mostChanges = 64

// mostPieces bounds how many pieces of a chunk are tried.
const mostPieces = 10_000

// otherQueues are execution queues in which the job would fit.
func (b *blaming) otherQueues() (list []string) {
	for i := range b.snapshot.Queues {
		q := &b.snapshot.Queues[i]
		if q.Name == b.job.PBS.Queue || q.PBS == nil || q.PBS.Type != "Execution" || q.PBS.Reservation != "" ||
			len(list) == mostNamed {
			continue
		}
		if b.fits(blame.With(b.job, func(j *model.Job) { j.PBS.Queue = q.Name })) {
			list = append(list, "-q "+q.Name)
		}
	}
	return list
}

// mostNamed bounds what is named where one is as good as another.
const mostNamed = 3

// changes are all things that the job can do without, or with less of.
func (b *blaming) changes() (list []blame.Change) {
	spec := parseSelect(selectOf(b.job))
	inChunks := map[string]bool{"nodect": true}
	for i := range spec {
		if spec[i].count > 1 {
			list = append(list, b.pieces(i))
		}
		for _, r := range spec[i].needs {
			inChunks[r.Name] = true
			list = append(list, b.ofChunk(i, r))
		}
	}
	for _, r := range b.job.Hard {
		if !inChunks[r.Resource] {
			list = append(list, b.ofJob(r))
		}
	}
	if place := b.job.PBS.Place; place != "" && place != "free" {
		list = append(list, blame.Change{Drop: func(j *model.Job) {
			j.PBS.Place = "free"
		}, Name: func(blame.Fits) batch.Blame {
			return batch.Blame{Kind: batch.Other, Option: "-l place=" + place, Nearest: []string{"-l place=free"}}
		}})
	}
	return list
}

// A piece is a chunk of a select specification.
type piece struct {
	count int
	needs []model.Setting
}

// selectOf is what the scheduler places by: select with the server's defaults.
func selectOf(j *model.Job) string {
	if j.PBS.SchedSelect != "" {
		return j.PBS.SchedSelect
	}
	return j.PBS.Select
}

func parseSelect(text string) (list []piece) {
	for _, part := range strings.Split(text, "+") {
		p := piece{count: 1}
		for _, field := range strings.Split(part, ":") {
			if name, value, isPair := strings.Cut(field, "="); isPair {
				p.needs = append(p.needs, model.Setting{Name: name, Value: value})
			} else if n, err := strconv.Atoi(field); err == nil {
				p.count = n
			}
		}
		list = append(list, p)
	}
	return list
}

func printSelect(spec []piece) string {
	var parts []string
	for _, p := range spec {
		fields := []string{strconv.Itoa(p.count)}
		for _, n := range p.needs {
			fields = append(fields, n.Name+"="+n.Value)
		}
		parts = append(parts, strings.Join(fields, ":"))
	}
	return strings.Join(parts, "+")
}

// reselect gives a job another select specification, and the sums of it that Resource_List has.
func reselect(j *model.Job, change func(spec []piece)) {
	spec := parseSelect(selectOf(j))
	change(spec)
	j.PBS.SchedSelect = printSelect(spec)
	for i := range j.Hard {
		if sum, ok := sumOf(spec, j.Hard[i].Resource); ok {
			j.Hard[i].Value = amountLike(j.Hard[i].Value, sum)
		}
	}
}

// sumOf is how much of a resource all chunks ask for together; ok is false where it is no amount of theirs.
func sumOf(spec []piece, name string) (sum float64, ok bool) {
	for _, p := range spec {
		for _, n := range p.needs {
			if amount, isAmount := amountOf(n.Value); n.Name == name && isAmount {
				sum, ok = sum+float64(p.count)*amount, true
			}
		}
	}
	return sum, ok
}

// amountOf is a value as a number; ok is false for a word.
func amountOf(value string) (float64, bool) {
	if value == "" || value[0] < '0' || value[0] > '9' {
		return 0, false
	}
	return model.PBSAmount(value)
}

// amountLike prints an amount in the form of another value: a size in bytes with a unit, a number without.
func amountLike(like string, n float64) string {
	n = math.Floor(n)
	if !strings.HasSuffix(strings.ToLower(like), "b") {
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	kilobytes := math.Floor(n / 1024)
	if n < 1024 {
		return strconv.FormatFloat(n, 'f', -1, 64) + "b"
	}
	for _, u := range []struct {
		size float64
		unit string
	}{{1 << 20, "gb"}, {1 << 10, "mb"}} {
		if kilobytes >= 10*u.size || kilobytes >= u.size && math.Mod(kilobytes, u.size) == 0 {
			return strconv.FormatFloat(math.Floor(kilobytes/u.size), 'f', -1, 64) + u.unit
		}
	}
	return strconv.FormatFloat(kilobytes, 'f', -1, 64) + "kb"
}

// pieces is the number of pieces of a chunk.
func (b *blaming) pieces(i int) blame.Change {
	set := func(n int) func(j *model.Job) {
		return func(j *model.Job) { reselect(j, func(spec []piece) { spec[i].count = n }) }
	}
	return blame.Change{Drop: set(1), Name: func(fits blame.Fits) batch.Blame {
		count := parseSelect(selectOf(b.job))[i].count
		most := 1
		for low, high := 1, min(count-1, mostPieces); low <= high; {
			if middle := (low + high) / 2; fits(blame.With(b.job, set(middle))) {
				most, low = middle, middle+1
			} else {
				high = middle - 1
			}
		}
		return batch.Blame{Kind: batch.TooMuch, Option: "-l select=" + selectOf(b.job), Most: strconv.Itoa(most),
			Nearest: []string{"-l select=" + selectOf(blame.With(b.job, set(most)))}}
	}}
}

// ofChunk is a resource of a chunk.
func (b *blaming) ofChunk(i int, r model.Setting) blame.Change {
	set := func(value string) func(j *model.Job) {
		return func(j *model.Job) {
			reselect(j, func(spec []piece) {
				for k := range spec[i].needs {
					if n := &spec[i].needs[k]; n.Name == r.Name {
						n.Value = value
					}
				}
			})
		}
	}
	drop := func(j *model.Job) {
		reselect(j, func(spec []piece) {
			spec[i].needs = slices.DeleteFunc(spec[i].needs, func(n model.Setting) bool { return n.Name == r.Name })
		})
	}
	if _, isAmount := amountOf(r.Value); isAmount {
		drop = set("0")
	}
	return blame.Change{Drop: drop, Name: func(fits blame.Fits) batch.Blame {
		a := batch.Blame{Kind: batch.Other, Option: "-l select=" + selectOf(b.job)}
		for _, value := range b.values(r.Name, r.Value, func(value string) bool {
			return fits(blame.With(b.job, set(value)))
		}) {
			a.Nearest = append(a.Nearest, "-l select="+selectOf(blame.With(b.job, set(value))))
			if _, isAmount := amountOf(value); isAmount {
				a.Kind, a.Most = batch.TooMuch, r.Name+"="+value
			}
		}
		return a
	}}
}

// ofJob is a resource of the job as a whole.
func (b *blaming) ofJob(r model.Request) blame.Change {
	return blame.Change{Drop: blame.DropRequest("", r.Resource), Name: func(fits blame.Fits) batch.Blame {
		a := batch.Blame{Kind: batch.Other, Option: "-l " + r.Resource + "=" + r.Value}
		for _, value := range b.values(r.Resource, r.Value, func(value string) bool {
			return fits(blame.With(b.job, blame.SetRequest("", r.Resource, value)))
		}) {
			a.Nearest = append(a.Nearest, "-l "+r.Resource+"="+value)
			if _, isAmount := amountOf(value); isAmount {
				a.Kind, a.Most = batch.TooMuch, value
			}
		}
		return a
	}}
}

// values are values of a resource that would fit: of an amount the most, of anything else a few that vnodes have.
func (b *blaming) values(name, asked string, fits func(string) bool) (list []string) {
	limit, isAmount := amountOf(asked)
	if !isAmount {
		for _, o := range b.offers(name, false) {
			if o.Text != asked && len(list) < mostNamed && fits(o.Text) {
				list = append(list, o.Text)
			}
		}
		return list
	}
	most := blame.Less{Offers: b.offers(name, true), Below: limit, Parts: b.pieceCount(),
		Print: func(n float64) string { return amountLike(asked, n) }, Parse: amountOf}
	if text := most.Find(fits); text != "" {
		list = append(list, text)
	}
	return list
}

// pieceCount is how many pieces the job asks for.
func (b *blaming) pieceCount() (n int) {
	for _, p := range parseSelect(selectOf(b.job)) {
		n += p.count
	}
	return n
}

// offers are the values that vnodes, queues, the server and limits have of a resource.
func (b *blaming) offers(name string, amounts bool) (list []blame.Offer) {
	seen := map[string]bool{}
	note := func(settings []model.Setting) {
		for _, s := range settings {
			if s.Name == name && !seen[s.Value] {
				seen[s.Value] = true
				n, _ := model.PBSAmount(s.Value)
				list = append(list, blame.Offer{Text: s.Value, Amount: n})
			}
		}
	}
	s := b.snapshot
	for i := range s.Hosts {
		note(s.Hosts[i].Capacity)
	}
	if !amounts {
		return list
	}
	note(s.PBS.Server.Available)
	limits := s.PBS.Server.Limits
	for i := range s.Queues {
		if q := s.Queues[i].PBS; q != nil {
			note(q.Available)
			limits = append(limits[:len(limits):len(limits)], q.Limits...)
		}
	}
	for _, l := range limits {
		if l.Resource == name {
			note([]model.Setting{{Name: name, Value: l.Value}})
		}
	}
	return list
}
