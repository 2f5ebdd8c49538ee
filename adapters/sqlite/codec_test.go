package sqlite

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"qprism/engine/model"
)

func TestPackedSlicesReadBackAsTheyWere(t *testing.T) {
	for _, typ := range []reflect.Type{reflect.TypeFor[[]storedJob](), reflect.TypeFor[[]model.Snapshot](),
		reflect.TypeFor[[]string](),
		reflect.TypeFor[[]model.RunRecord](),
		reflect.TypeFor[[]model.ShareReport](), reflect.TypeFor[[]model.User](), reflect.TypeFor[[]model.Host]()} {
		t.Run(typ.Elem().Name(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				v := randomValue(t, typ, 0)
				packed, err := pack(v)
				if err != nil {
					t.Fatal(err)
				}
				back := reflect.New(typ).Elem()
				if err := unpack(packed, back); err != nil {
					t.Fatal(err)
				}
				if !sameBits(v.Interface(), back.Interface()) {
					t.Fatalf("%+v\nis read back as\n%+v", v, back)
				}
			})
		})
	}
}

func TestPackOfAnotherReleaseIsReadAsFarAsItIsKnown(t *testing.T) {
	type older struct {
		Name string
		Gone []struct{ X int }
	}
	type newer struct {
		Name  string
		Fresh float64
	}
	packed, err := pack(reflect.ValueOf([]older{{"a", []struct{ X int }{{7}}}, {"b", nil}}))
	if err != nil {
		t.Fatal(err)
	}
	var got []newer
	if err := unpack(packed, reflect.ValueOf(&got).Elem()); err != nil || !slices.Equal(got, []newer{{"a", 0}, {"b", 0}}) {
		t.Errorf("%v, %v", got, err)
	}
}

func TestPrintedNumbersTakeLittleRoom(t *testing.T) {
	type row struct{ Prio float64 }
	rows := make([]row, 1000)
	for i := range rows {
		rows[i].Prio = printed(0.55167-float64(i)/1e5, 5)
	}
	packed, err := pack(reflect.ValueOf(rows))
	if err != nil || len(packed) > 1200 {
		t.Errorf("%d bytes, %v", len(packed), err)
	}
}

func FuzzUnpackNeverPanics(f *testing.F) {
	packed, err := pack(reflect.ValueOf([]storedJob{{Number: 7, Job: model.Job{Reported: &model.JobReport{Urg: math.NaN()},
		Tasks: []model.Task{{State: "qw", Started: time.Unix(0, 0)}}}}}))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(packed)
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, n, err := openPack(data); err != nil || n > 1000 {
			return
		}
		var jobs []storedJob
		if err := unpack(data, reflect.ValueOf(&jobs).Elem()); err != nil && !errors.Is(err, errPack) {
			t.Fatal(err)
		}
	})
}

func randomBytes(seed uint64, n int) []byte {
	data := make([]byte, n)
	rand.NewChaCha8([32]byte{byte(seed), 1}).Read(data)
	return data
}

// TestAnEndlessShareTreeIsRefused: it contains itself.
func TestAnEndlessShareTreeIsRefused(t *testing.T) {
	n := &model.ShareNode{Name: "snake"}
	n.Children = []*model.ShareNode{n}
	if _, err := packOne(&model.Snapshot{ShareTree: n}); err == nil {
		t.Error("no error")
	}
}

func TestTasksAreCountedOneByOne(t *testing.T) {
	for name, c := range map[string]struct {
		task             model.Task
		running, pending int64
	}{
		"a waiting task":             {model.Task{State: "qw", IDs: []model.Range{{Min: 1, Max: 1, Step: 1}}}, 0, 1},
		"a group of waiting tasks":   {model.Task{State: "hqw", IDs: []model.Range{{Min: 2, Max: 10, Step: 2}, {Min: 12, Max: 12}}}, 0, 6},
		"a restarted running task":   {model.Task{State: "Rr", IDs: []model.Range{{Min: 3, Max: 3, Step: 1}}}, 1, 0},
		"a task in error":            {model.Task{State: "Eqw"}, 0, 1},
		"a task that is being ended": {model.Task{State: "dr"}, 1, 0},
		"a range that is none":       {model.Task{State: "r", IDs: []model.Range{{Min: 9, Max: 1}}}, 1, 0},
		"all numbers there are": {model.Task{State: "qw", IDs: []model.Range{{Min: 0, Max: math.MaxUint32}}},
			0, 1 << 32},
	} {
		running, pending := model.CountTasks([]model.Job{{Tasks: []model.Task{c.task}}})
		if running != c.running || pending != c.pending {
			t.Errorf("%s: %d running, %d pending", name, running, pending)
		}
	}
}

func TestErrorOfAnotherFormatSaysWhatToDo(t *testing.T) {
	want := "written by release v2.0.0: its format is 3, and this release reads format 9 only; use that " +
		"release, or another store"
	if got := (&FormatError{Format: 3, Release: "v2.0.0"}).Error(); got != want {
		t.Errorf("got %q", got)
	}
}
