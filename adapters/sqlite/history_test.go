package sqlite

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"qprism/engine/model"
)

func TestHistoryIsWhatAllSnapshotsShowOfAJob(t *testing.T) {
	s, c, ctx := openTemp(t), newFakeCluster(1, 300, 10), context.Background()
	for i := range 12 {
		snap := c.snapshot()
		for k := range snap.Jobs {
			if snap.Jobs[k].Number == 1200 && i%3 > 0 { // qalter
				snap.Jobs[k].PosixPriority, snap.Jobs[k].Name = i, fmt.Sprint("renamed", i/6)
			}
		}
		if i == 7 { // a number that is given twice
			again := snap.Jobs[100]
			again.Number, again.Submitted, again.Name = 1200, again.Submitted.Add(time.Hour), "another"
			snap.Jobs = append([]model.Job{again}, snap.Jobs...)
		}
		mustImport(t, s, c.bundle(), snap)
		c.step(5*time.Minute, 12)
	}
	infos, err := s.Snapshots(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, number := range []uint32{1001, 1100, 1200, 1299, 1350, 7} {
		got, err := s.History(ctx, "master/default", number)
		if err != nil {
			t.Fatal(err)
		}
		want := naiveHistory(t, s, infos, number)
		if diff := cmp.Diff(want, got, cmpopts.EquateNaNs(), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("job %d (-snapshots +history):\n%s", number, diff)
		}
		if number != 7 && len(want) == 0 {
			t.Errorf("job %d is in no snapshot", number)
		}
	}
}

// naiveHistory loads every snapshot and looks through all of its jobs.
func naiveHistory(t *testing.T, s *Store, infos []Info, number uint32) (moments []Moment) {
	t.Helper()
	for _, info := range infos {
		snap, err := s.Snapshot(context.Background(), info.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, j := range snap.Jobs {
			if j.Number == number {
				moments = append(moments, Moment{Snapshot: info.ID, TakenAt: info.TakenAt, Jobs: len(snap.Jobs), Job: j})
			}
		}
	}
	return moments
}

func TestHistoryIsThatOfOneCluster(t *testing.T) {
	s, ctx := openTemp(t), context.Background()
	for _, cluster := range []string{"a", "b"} {
		mustImport(t, s, fstest.MapFS{"qstat.xml": {Data: []byte(cluster)}},
			&model.Snapshot{Cluster: cluster, TakenAt: time.Unix(5, 0), Jobs: []model.Job{{Number: 1, Owner: cluster}}})
	}
	got, err := s.History(ctx, "b", 1)
	if err != nil || len(got) != 1 || got[0].Job.Owner != "b" {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := s.History(ctx, "c", 1); err != nil || len(got) != 0 {
		t.Errorf("of an unknown cluster: %+v, %v", got, err)
	}
}

func TestHistoryHasAnArrayAndItsSubjobs(t *testing.T) {
	s, ctx := openTemp(t), context.Background()
	snap := &model.Snapshot{Cluster: "pbs", System: model.PBSSystem, TakenAt: time.Unix(1_700_000_000, 0),
		PBS: &model.PBS{}}
	for _, id := range []string{"7[].pbs", "7[1].pbs", "7[2].pbs"} {
		snap.Jobs = append(snap.Jobs, model.Job{Number: 7, Name: "array", PBS: &model.PBSJob{ID: id, State: "Q"}})
	}
	mustImport(t, s, fstest.MapFS{"qstat": &fstest.MapFile{Data: []byte("x")}}, snap)
	got, err := s.History(ctx, "pbs", 7)
	if err != nil || len(got) != 3 {
		t.Fatalf("%d moments, %v", len(got), err)
	}
	for i, m := range got {
		if m.Job.PBS.ID != snap.Jobs[i].PBS.ID {
			t.Errorf("%d: %s", i, m.Job.PBS.ID)
		}
	}
}

func TestNumbersOfJobsAreFoundInRanges(t *testing.T) {
	jobs := []model.Job{{Number: 7}, {Number: 0}, {Number: 5}, {Number: 6}, {Number: 5}, {Number: 4294967295}, {Number: 20}}
	ranges := numbersOf(jobs)
	for number, want := range map[uint32]bool{0: true, 1: false, 4: false, 5: true, 6: true, 7: true, 8: false, 19: false, 20: true,
		21: false, 4294967294: false, 4294967295: true} {
		if got := hasNumber(ranges, number); got != want {
			t.Errorf("%d: %t", number, got)
		}
	}
	if len(ranges) > 14 {
		t.Errorf("%d bytes for four ranges", len(ranges))
	}
	if hasNumber(numbersOf(nil), 0) {
		t.Error("no jobs have a number")
	}
}

// TestAFlatRecordReadsBack has a value in every field of the record of a snapshot.
func TestAFlatRecordReadsBack(t *testing.T) {
	var row, back snapshotRow
	fill(reflect.ValueOf(&row).Elem(), 1)
	if err := readFlat(appendFlat(nil, reflect.ValueOf(&row).Elem()), reflect.ValueOf(&back).Elem(), texts{}); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(row, back) {
		t.Errorf("%+v\n%+v", row, back)
	}
	if err := readFlat([]byte{200}, reflect.ValueOf(&back).Elem(), texts{}); !errors.Is(err, ErrDamaged) {
		t.Errorf("of a record that ends early: %v", err)
	}
}

// fill gives each field another value.
func fill(v reflect.Value, n int) int {
	switch {
	case v.Type() == timeType:
		v.Set(reflect.ValueOf(time.Unix(int64(n), int64(n)).UTC()))
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			n = fill(v.Field(i), n)
		}
		return n
	case v.Kind() == reflect.String:
		v.SetString(strings.Repeat("x", n))
	case v.CanUint():
		v.SetUint(uint64(n))
	default:
		v.SetInt(int64(-n))
	}
	return n + 1
}

// TestHistoryTellsOfADamagedAnalysis: a history that finds few analyses by their keys also checks them.
func TestHistoryTellsOfADamagedAnalysis(t *testing.T) {
	s, ctx := openTemp(t), context.Background()
	for i := range 9 {
		snap := newFakeCluster(uint64(i), 3, 1).snapshot()
		snap.Jobs[0].Number = uint32(9000 + i)
		done := mustImport(t, s, newFakeCluster(uint64(i), 3, 1).bundle(), snap)
		if err := s.SetAnalysis(ctx, done.ID, &Analysis{Rules: "R"}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.History(ctx, "master/default", 9008); err != nil {
		t.Fatal(err)
	}
	if _, err := s.db.ExecContext(ctx, `UPDATE record SET sum = sum + 1 WHERE kind = 'analysis' AND id = 9`); err != nil {
		t.Fatal(err)
	}
	if moments, err := s.History(ctx, "master/default", 9008); !errors.Is(err, ErrDamaged) || moments != nil {
		t.Errorf("%d moments, %v", len(moments), err)
	}
}

// TestHistoryTellsOfADamagedStanding damages only the blocks that the analysis of a snapshot added.
func TestHistoryTellsOfADamagedStanding(t *testing.T) {
	s, ctx := openTemp(t), context.Background()
	snap := newFakeCluster(1, 3, 1).snapshot()
	done := mustImport(t, s, newFakeCluster(1, 3, 1).bundle(), snap)
	last := int64(0)
	if err := s.db.QueryRowContext(ctx, `SELECT max(id) FROM block`).Scan(&last); err != nil {
		t.Fatal(err)
	}
	job := snap.Jobs[0].Number
	analysis := &Analysis{Rules: "R", Standings: []model.Standing{{Job: job, Rank: 1}}}
	if err := s.SetAnalysis(ctx, done.ID, analysis); err != nil {
		t.Fatal(err)
	}
	if moments, err := s.History(ctx, "master/default", job); err != nil || len(moments) != 1 {
		t.Fatalf("%d moments, %v", len(moments), err)
	}
	if _, err := s.db.ExecContext(ctx, `UPDATE block SET data = x'00' WHERE id > ?`, last); err != nil {
		t.Fatal(err)
	}
	moments, err := s.History(ctx, "master/default", job)
	if !errors.Is(err, ErrDamaged) || moments != nil || !strings.Contains(err.Error(), "snapshot 1") {
		t.Errorf("%d moments, %v", len(moments), err)
	}
}
