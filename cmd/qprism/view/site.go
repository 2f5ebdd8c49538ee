package view

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"qprism/adapters/sqlite"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/subject"
	"qprism/engine/model"
)

type snapshot = model.Snapshot

// A Moment is a bundle or a stored snapshot on the page.
type Moment struct {
	ID      string    `json:"id"`
	TakenAt time.Time `json:"taken_at"`
	Jobs    int       `json:"jobs"`

	bundle   string // path of a bundle; empty for a stored snapshot
	snapshot int64
	named    []string // how a command line names the moment
}

func bundleMoment(path string) Moment {
	return Moment{bundle: path, named: []string{"--", path}}
}

func storedMoment(i *sqlite.Info) Moment {
	id := strconv.FormatInt(i.ID, 10)
	return Moment{ID: id, TakenAt: i.TakenAt, Jobs: i.Jobs, snapshot: i.ID, named: []string{"--snapshot", id}}
}

// heldAs is how Deps.Held knows it.
func (m *Moment) heldAs() string {
	if m.bundle != "" {
		return cli.BundleWord(m.bundle)
	}
	return "--snapshot " + m.ID
}

// path is how diff takes it.
func (m *Moment) path() string {
	return cmp.Or(m.bundle, m.ID)
}

// selection is how a command selects it.
func (m *Moment) selection() (sel subject.Selection, args []string) {
	if m.bundle != "" {
		return sel, []string{m.bundle}
	}
	sel.Snapshot = m.snapshot
	return sel, nil
}

// A Cluster is a cluster on the page with its moments, the oldest first.
type Cluster struct {
	Name    string   `json:"cluster"`
	Moments []Moment `json:"moments"`
}

// before is the moment before another; nil for the first.
func (c *Cluster) before(m *Moment) *Moment {
	i := slices.IndexFunc(c.Moments, func(o Moment) bool { return o.ID == m.ID })
	if i < 1 {
		return nil
	}
	return &c.Moments[i-1]
}

// A Site has the bundles or the store that the page shows. A store may get and lose snapshots meanwhile.
type Site struct {
	deps    *cli.Deps
	bundles []Cluster                // empty if the page shows a store
	only    string                   // the only cluster of the store to show; empty for all
	acts    *acts                    // nil if the page may change nothing
	all     func(name string) bool   // who may see jobs of others; nil for everybody
	opens   func(name string) string // chooses the view that opens first; nil for the cluster

	// turn runs a function when no task of serve needs the memory
	turn func(ctx context.Context, do func() error) error

	streams atomic.Int32 // pages that wait for new snapshots
	newest  newest       // the newest snapshot, for these pages

	mu    sync.Mutex
	read  map[string]*Answers // by cluster and moment
	order []string            // keys of read; the last one asked for is at the end
}

// mostRead is how many moments are kept in memory. If they have more than mostJobs jobs together, fewer are kept.
const mostRead, mostJobs = 4, 100_000

// Bundles makes a site of bundles of one or several clusters. It reads the bundles now, so errors show at once.
func Bundles(ctx context.Context, d *cli.Deps, paths []string) (*Site, error) {
	s := &Site{deps: d, turn: atOnce, read: map[string]*Answers{}}
	for i, path := range paths {
		m := bundleMoment(path)
		a, err := read(ctx, d, m)
		if err != nil {
			return nil, err
		}
		held := a.deps.Held[m.heldAs()]
		m.ID, m.TakenAt, m.Jobs = strconv.Itoa(i+1), held.TakenAt, len(held.Jobs)
		s.add(cmp.Or(subject.ExampleOf(path), held.Cluster), m)
		if i == len(paths)-1 {
			s.keep(s.bundles[len(s.bundles)-1].Name+"/"+m.ID, a)
		}
	}
	return s, nil
}

func (s *Site) add(name string, m Moment) {
	name = cmp.Or(name, filepath.Base(m.bundle))
	i := slices.IndexFunc(s.bundles, func(c Cluster) bool { return c.Name == name })
	if i < 0 {
		i = len(s.bundles)
		s.bundles = append(s.bundles, Cluster{Name: name})
	}
	s.bundles[i].Moments = append(s.bundles[i].Moments, m)
}

// Stored makes a site of the whole store, or of one cluster.
func Stored(d *cli.Deps, only string) *Site {
	return &Site{deps: d, only: only, turn: atOnce, read: map[string]*Answers{}}
}

func atOnce(_ context.Context, do func() error) error { return do() }

// Queue sets how figures for Prometheus wait for their turn.
func (s *Site) Queue(turn func(ctx context.Context, do func() error) error) { s.turn = turn }

// Clusters lists the clusters that the page can show now.
func (s *Site) Clusters(ctx context.Context) (list []Cluster, err error) {
	if s.bundles != nil {
		return s.bundles, nil
	}
	store, err := subject.OpenStore(s.deps)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	only := ""
	if s.only != "" {
		if only, err = subject.ClusterOf(ctx, store, s.only); err != nil {
			return nil, err
		}
	}
	err = store.EachInfo(ctx, func(i *sqlite.Info) {
		if only != "" && i.Cluster != only {
			return
		}
		if len(list) == 0 || list[len(list)-1].Name != i.Cluster {
			list = append(list, Cluster{Name: i.Cluster})
		}
		last := &list[len(list)-1]
		last.Moments = append(last.Moments, storedMoment(i))
	})
	return list, err
}

// find returns a cluster by its name, and one of its moments. An empty name means the first cluster, an empty
// id its last moment. It returns nil if there is none.
func find(list []Cluster, cluster, id string) (*Cluster, *Moment) {
	i := slices.IndexFunc(list, func(c Cluster) bool { return cluster == "" || c.Name == cluster })
	if i < 0 {
		return nil, nil
	}
	c := &list[i]
	if id == "" && len(c.Moments) > 0 {
		return c, &c.Moments[len(c.Moments)-1]
	}
	k := slices.IndexFunc(c.Moments, func(m Moment) bool { return m.ID == id })
	if k < 0 {
		return c, nil
	}
	return c, &c.Moments[k]
}

// answers returns the answers about a moment. The first call reads the moment.
func (s *Site) answers(ctx context.Context, cluster string, m Moment) (*Answers, error) {
	key := cluster + "/" + m.ID
	s.mu.Lock()
	defer s.mu.Unlock() // one is read at a time: memory is bounded
	if a := s.read[key]; a != nil {
		s.order = append(slices.DeleteFunc(s.order, func(k string) bool { return k == key }), key)
		return a, nil
	}
	s.makeRoom(m.Jobs)
	a, err := read(ctx, s.deps, m)
	if err != nil {
		return nil, err
	}
	s.keep(key, a)
	return a, nil
}

// makeRoom drops answers that were not used for the longest time, before a moment with so many jobs is read.
func (s *Site) makeRoom(jobs int) {
	for _, kept := range s.read {
		jobs += kept.jobs
	}
	for len(s.order) >= mostRead || jobs > mostJobs && len(s.order) > 0 {
		jobs -= s.read[s.order[0]].jobs
		delete(s.read, s.order[0])
		s.order = s.order[1:]
	}
}

// keep keeps answers.
func (s *Site) keep(key string, a *Answers) {
	s.read[key] = a
	s.order = append(s.order, key)
}

// unread reports whether nobody has asked about a moment.
func (s *Site) unread(c *Cluster, m *Moment) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.read[c.Name+"/"+m.ID] == nil
}

// drop forgets the answers of a moment.
func (s *Site) drop(c *Cluster, m *Moment) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := c.Name + "/" + m.ID
	delete(s.read, key)
	s.order = slices.DeleteFunc(s.order, func(k string) bool { return k == key })
}

// title names what the site shows, for people.
func (s *Site) title() string {
	var names []string
	for _, c := range s.bundles {
		names = append(names, c.Name)
	}
	if len(names) == 0 {
		return "the store " + s.deps.Store
	}
	return strings.Join(names, ", ")
}
