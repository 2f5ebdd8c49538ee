package sqlite

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"qprism/engine/model"
)

func TestEscapedTextIsUTF8WithoutNULAndReversible(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := randomString(t)
		e := escape(s)
		if !utf8.ValidString(e) || strings.ContainsRune(e, 0) {
			t.Fatalf("escape(%q) = %q", s, e)
		}
		if back := unescape(e); back != s {
			t.Fatalf("unescape(escape(%q)) = %q", s, back)
		}
	})
}

func TestOrdinaryTextIsNotEscaped(t *testing.T) {
	for _, s := range []string{"", "node01", "Größe", "日本", "a\tb\n"} {
		if e := escape(s); e != s {
			t.Errorf("escape(%q) = %q", s, e)
		}
	}
}

func TestBodiesReadBackAsTheyWere(t *testing.T) {
	for _, typ := range []reflect.Type{reflect.TypeFor[model.Job](), reflect.TypeFor[model.QueueInstance](),
		reflect.TypeFor[model.Policy](), reflect.TypeFor[model.AdvanceReservation](), reflect.TypeFor[model.Calendar](),
		reflect.TypeFor[string](), reflect.TypeFor[model.QuotaSet]()} {
		t.Run(typ.Name(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				v := randomValue(t, typ, 2)
				body, err := appendBody(nil, v, nil)
				if err != nil {
					t.Fatal(err)
				}
				back := reflect.New(typ).Elem()
				if err := readBody(body, back); err != nil {
					t.Fatalf("%s: %v", body, err)
				}
				if !sameBits(v.Interface(), back.Interface()) {
					t.Fatalf("%+v\nis read back as\n%+v\nfrom %s", v, back, body)
				}
			})
		})
	}
}

func TestBodyHoldsWhatIsNotZero(t *testing.T) {
	for name, c := range map[string]struct {
		value any
		skip  []string
		want  string
	}{
		"zero fields and empty slices are left out": {model.Userset{Name: "staff", Entries: []string{}}, nil, `{"Name":"staff"}`},
		"a skipped field is left out":               {model.Host{Name: "a", Reports: []string{"x"}}, []string{"Reports"}, `{"Name":"a"}`},
		"no number is null": {model.Request{Resource: "h_rt", Contribution: math.NaN()}, nil,
			`{"Resource":"h_rt","Contribution":null}`},
		"an infinite number is one that SQLite takes for infinite": {model.Amount{Value: math.Inf(-1)}, nil, `{"Value":-9e999}`},
		"a time is readable": {model.TraceLine{At: time.Unix(0, 1000).In(time.FixedZone("", 7200))}, nil,
			`{"At":"1970-01-01T00:00:00.000001Z"}`},
		"a nested struct that is empty is left out": {model.User{Name: "u", Usage: model.Usage{Decayed: []model.Amount{}}}, nil, `{"Name":"u"}`},
		"bytes that are no text are kept":           {"\xff\x01\"", nil, "\"\U0010ffff\\u0001\\\"\""},
	} {
		body, err := appendBody(nil, reflect.ValueOf(c.value), c.skip)
		if err != nil || string(body) != c.want {
			t.Errorf("%s: %s, %v; want %s", name, body, err, c.want)
		}
	}
}

func TestBodyOfAnotherReleaseIsReadAsFarAsItIsKnown(t *testing.T) {
	var h model.Host
	if err := readBody([]byte(`{"Name":"a","Temperature":{"cpu":[1,2]}}`), reflect.ValueOf(&h).Elem()); err != nil || h.Name != "a" {
		t.Errorf("%+v, %v", h, err)
	}
}

func FuzzBodyNeverPanics(f *testing.F) {
	f.Add([]byte(`{"Name":"a","Load":[{"Name":"x"}],"Capacity":null}`))
	f.Add([]byte(`{"PERange":[{"Min":1e99}],"Submitted":"@1.x","Reported":{},"Hard":[[]]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		readBody(body, reflect.ValueOf(&model.Host{}).Elem())
		readBody(body, reflect.ValueOf(&model.Job{}).Elem())
	})
}

func TestPackedSlicesReadBackAsTheyWere(t *testing.T) {
	for _, typ := range []reflect.Type{reflect.TypeFor[[]jobState](), reflect.TypeFor[[]model.RunRecord](),
		reflect.TypeFor[[]model.ShareReport](), reflect.TypeFor[[]model.User](), reflect.TypeFor[[]model.Host]()} {
		t.Run(typ.Elem().Name(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				v := randomValue(t, typ, 0)
				packed, err := pack(v, nil)
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
	packed, err := pack(reflect.ValueOf([]older{{"a", []struct{ X int }{{7}}}, {"b", nil}}), nil)
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
	packed, err := pack(reflect.ValueOf(rows), nil)
	if err != nil || len(packed) > 1200 {
		t.Errorf("%d bytes, %v", len(packed), err)
	}
}

func FuzzUnpackNeverPanics(f *testing.F) {
	packed, err := pack(reflect.ValueOf([]jobState{{Number: 7, Reported: &model.JobReport{Urg: math.NaN()},
		Tasks: []model.Task{{State: "qw", Started: time.Unix(0, 0)}}}}), nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(packed)
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, n, err := newUnpacker(data); err != nil || n > 1000 {
			return
		}
		var states []jobState
		if err := unpack(data, reflect.ValueOf(&states).Elem()); err != nil && !errors.Is(err, errPack) {
			t.Fatal(err)
		}
	})
}

func TestLinesFormIsReversible(t *testing.T) {
	digits := rapid.StringMatching(`[0-9]{0,22}`)
	word := rapid.OneOf(rapid.SampledFrom([]string{"<JB_wtcontr>", ".", "-", "2026-11-21T08:12:16", "2026-13-41T08:12:16",
		"2026-02-29T00:00:00", "2024-02-29T24:00:00", "T", "", "é", "\xff", "\x05", "\x00", "\r"}), digits,
		rapid.Custom(func(t *rapid.T) string { return digits.Draw(t, "whole") + "." + digits.Draw(t, "fraction") }))
	line := rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(word, 0, 6).Draw(t, "words"), "") })
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(strings.Join(rapid.SliceOfN(line, 0, 12).Draw(t, "lines"), "\n"))
		lines, _ := toLines(nil, text)
		back, err := fromLines(nil, lines, len(text))
		if err != nil || !bytes.Equal(text, back) {
			t.Fatalf("%q is read back as %q, %v", text, back, err)
		}
	})
}

func TestTextWithMarksHasNoLinesForm(t *testing.T) {
	for _, c := range []byte{markNumber, markPadded, markDecimal, markTime} {
		if _, ok := toLines(nil, bytes.Repeat([]byte{'a', c, '\n'}, 100)); ok {
			t.Errorf("byte %d was taken for a number's place", c)
		}
	}
}

func TestOutputOfQstatTakesFarLessRoomAsLines(t *testing.T) {
	text := []byte(newFakeCluster(1, 1000, 50).qstat())
	codec, err := newCodec()
	if err != nil {
		t.Fatal(err)
	}
	defer codec.close()
	form, lines := new(former).formOf(text)
	plain, err1 := codec.encode(text, nil)
	packed, err2 := codec.encode(lines, nil)
	if form != linesForm || errors.Join(err1, err2) != nil || 2*len(packed) > len(plain) {
		t.Errorf("form %d: %d bytes instead of %d, %v %v", form, len(packed), len(plain), err1, err2)
	}
	t.Logf("%d bytes: %d with Zstandard alone, %d as lines", len(text), len(plain), len(packed))
}

func FuzzLines(f *testing.F) {
	for _, text := range []string{"<a>25</a>\n<a>26</a>\n", "0.00532 007 2026-11-21T08:12:16", "\x03\x21\n", "9999999999999999999.9"} {
		lines, _ := toLines(nil, []byte(text))
		f.Add([]byte(text))
		f.Add(lines)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		fromLines(nil, data, 10*len(data)) // whatever it is, no panic
		if lines, ok := toLines(nil, data); ok {
			if back, err := fromLines(nil, lines, len(data)); err != nil || !bytes.Equal(back, data) {
				t.Fatalf("%q is read back as %q, %v", data, back, err)
			}
		}
	})
}

func TestBlocksAreTheFileAgainAndBounded(t *testing.T) {
	s := newSplitter()
	for _, size := range []int{0, 1, minBlock, minBlock + 1, maxBlock, maxBlock + 1, 3*maxBlock + 7} {
		for _, data := range [][]byte{randomBytes(uint64(size), size), make([]byte, size)} {
			s.reset(bytes.NewReader(data))
			blocks := allBlocks(t, s)
			if !bytes.Equal(bytes.Join(blocks, nil), data) {
				t.Fatalf("the blocks of %d bytes are not the file", size)
			}
			for i, b := range blocks {
				if len(b) > maxBlock || i < len(blocks)-1 && len(b) < minBlock {
					t.Errorf("a block of %d bytes", len(b))
				}
			}
		}
	}
}

func TestBlocksAfterAChangeAreTheSame(t *testing.T) {
	before := randomBytes(1, 20<<20)
	after := slices.Concat(before[:100], []byte("put in"), before[100:])
	s := newSplitter()
	s.reset(bytes.NewReader(before))
	known := map[string]bool{}
	for _, b := range allBlocks(t, s) {
		known[string(b)] = true
	}
	s.reset(bytes.NewReader(after))
	fresh := 0
	for _, b := range allBlocks(t, s) {
		if !known[string(b)] {
			fresh++
		}
	}
	if fresh != 1 {
		t.Errorf("%d blocks differ", fresh)
	}
}

func allBlocks(t *testing.T, s *splitter) (blocks [][]byte) {
	t.Helper()
	for {
		b, _, err := s.next()
		if err != nil {
			if err.Error() != "EOF" {
				t.Fatal(err)
			}
			return blocks
		}
		blocks = append(blocks, bytes.Clone(b))
	}
}

func randomBytes(seed uint64, n int) []byte {
	data := make([]byte, n)
	rand.NewChaCha8([32]byte{byte(seed), 1}).Read(data)
	return data
}

func TestShareTreeIsTheSameAfterFlattening(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree, _ := randomValue(t, reflect.TypeFor[*model.ShareNode](), 0).Interface().(*model.ShareNode)
		nodes, err := flatten(nil, tree, 0)
		if err != nil || !sameBits(tree, unflatten(nodes)) {
			t.Fatalf("%v, %v", nodes, err)
		}
	})
}

func TestEndlessShareTreeIsRefused(t *testing.T) {
	n := &model.ShareNode{Name: "snake"}
	n.Children = []*model.ShareNode{n}
	if _, err := flatten(nil, n, 0); err == nil {
		t.Error("no error")
	}
	if _, err := flatten(nil, &model.ShareNode{Children: []*model.ShareNode{nil}}, 0); err == nil {
		t.Error("no error for a nil node")
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
		"all numbers there are":      {model.Task{State: "qw", IDs: []model.Range{{Min: 0, Max: math.MaxUint32}}}, 0, 1 << 32},
	} {
		running, pending := model.CountTasks([]model.Job{{Tasks: []model.Task{c.task}}})
		if running != c.running || pending != c.pending {
			t.Errorf("%s: %d running, %d pending", name, running, pending)
		}
	}
}

func TestErrorOfANewerStoreSaysWhatToDo(t *testing.T) {
	want := "written by release v2.0.0: its schema is version 3, and this release reads up to version 1; " +
		"use that release or a newer one, or another store"
	if got := (&NewerError{Version: 3, Supported: 1, Release: "v2.0.0"}).Error(); got != want {
		t.Errorf("got %q", got)
	}
}
