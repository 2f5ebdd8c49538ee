package sqlite

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"qprism/engine/model"
)

// someStandings are those of all waiting jobs, by number.
func someStandings(snap *model.Snapshot) (all []model.Standing) {
	for _, s := range storedJobs(snap.Jobs) {
		if j := s.job(); !isRunning(j) {
			all = append(all, model.Standing{Job: j.Number, Rank: len(snap.Jobs) - s.Place,
				Tasks: 1, Cause: model.CausePriority, Rival: j.Number - 1})
		}
	}
	return all
}

func TestAnAnalysisIsReadBackAndReplaced(t *testing.T) {
	s, c, ctx := openTemp(t), newFakeCluster(1, 3000, 10), context.Background()
	snap := c.snapshot()
	id := mustImport(t, s, c.bundle(), snap).ID
	if a, err := s.Analysis(ctx, id); err != nil || a != nil {
		t.Errorf("before: %v, %v", a, err)
	}
	if missing, err := s.Unanalyzed(ctx, "one"); err != nil || len(missing) != 1 {
		t.Errorf("%d are missing, %v", len(missing), err)
	}
	for _, made := range []string{"one", "two"} {
		want := &Analysis{Rules: "8.1.9, " + made, Standings: someStandings(snap),
			Load: model.Load{Slots: 40, Used: int64(len(made)),
				Waiting: []model.CauseCount{{Cause: model.CausePriority, Jobs: 7, Tasks: 9},
					{Cause: model.CauseHold, Jobs: 1, Tasks: 1}}}}
		if err := s.SetAnalysis(ctx, id, want); err != nil {
			t.Fatal(err)
		}
		got, err := s.Analysis(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		loads, err := s.Loads(ctx, []Info{{ID: id}})
		if err != nil || !cmp.Equal(loads, map[int64]model.Load{id: want.Load}) {
			t.Errorf("loads: %v, %v", loads, err)
		}
		if missing, err := s.Unanalyzed(ctx, made); err != nil || len(missing) != 0 {
			t.Errorf("%d are missing, %v", len(missing), err)
		}
	}
	if err := s.SetAnalysis(ctx, id+1, &Analysis{}); !errors.Is(err, ErrNoSnapshot) {
		t.Errorf("no such snapshot: %v", err)
	}
	checkIntegrity(t, s)
	if err := s.Delete(ctx, id); err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{"record", "block"} {
		var n int
		if err := s.db.QueryRow(`SELECT count(*) FROM ` + table).Scan(&n); err != nil || n > 0 {
			t.Errorf("%s has %d rows left, %v", table, n, err)
		}
	}
}

// TestFewLoadsAreReadByTheirKeys asks for few of many snapshots, then for all.
func TestFewLoadsAreReadByTheirKeys(t *testing.T) {
	s, c, ctx := openTemp(t), newFakeCluster(1, 10, 2), context.Background()
	var infos []Info
	want := map[int64]model.Load{}
	for n := range 20 {
		c.step(time.Minute, 1)
		info := Info{ID: mustImport(t, s, c.bundle(), c.snapshot()).ID}
		infos = append(infos, info)
		if n == 4 {
			continue // no analysis
		}
		want[info.ID] = model.Load{Slots: int64(n + 1)}
		if err := s.SetAnalysis(ctx, info.ID, &Analysis{Load: want[info.ID]}); err != nil {
			t.Fatal(err)
		}
	}
	for name, asked := range map[string][]Info{"none": nil, "one": infos[7:8], "two": infos[18:], "one of two": infos[4:6],
		"one without an analysis": infos[4:5], "all": infos} {
		loads := map[int64]model.Load{}
		for _, i := range asked {
			if l, analysed := want[i.ID]; analysed {
				loads[i.ID] = l
			}
		}
		if got, err := s.Loads(ctx, asked); err != nil || !cmp.Equal(got, loads) {
			t.Errorf("%s: %v, %v; want %v", name, got, err, loads)
		}
	}
	if _, err := s.db.Exec(`UPDATE record SET body = x'00' WHERE kind = 'analysis' AND id = ?`, infos[19].ID); err != nil {
		t.Fatal(err)
	}
	for name, asked := range map[string][]Info{"alone": infos[19:], "last": infos[18:], "all": infos} {
		if got, err := s.Loads(ctx, asked); !errors.Is(err, ErrDamaged) {
			t.Errorf("damaged, %s: %v, %v", name, got, err)
		}
	}
	if got, err := s.Loads(ctx, infos[7:9]); err != nil || len(got) != 2 {
		t.Errorf("beside a damaged one: %v, %v", got, err)
	}
}

func TestHistoryTellsWhereAWaitingJobStands(t *testing.T) {
	s, c, ctx := openTemp(t), newFakeCluster(1, 1500, 10), context.Background()
	want := map[int64]model.Standing{}
	const number = 1400
	for i := range 6 {
		snap := c.snapshot()
		id := mustImport(t, s, c.bundle(), snap).ID
		if i != 2 { // one without
			a := &Analysis{Standings: someStandings(snap)}
			if err := s.SetAnalysis(ctx, id, a); err != nil {
				t.Fatal(err)
			}
			for _, st := range a.Standings {
				if st.Job == number {
					want[id] = st
				}
			}
		}
		c.step(5*time.Minute, 20)
	}
	moments, err := s.History(ctx, "master/default", number)
	if err != nil {
		t.Fatal(err)
	}
	got := map[int64]model.Standing{}
	for _, m := range moments {
		if m.Standing != nil {
			got[m.Snapshot] = *m.Standing
		}
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" || len(moments) != 6 || len(want) == 0 {
		t.Errorf("%d moments (-want +got):\n%s", len(moments), diff)
	}
}
