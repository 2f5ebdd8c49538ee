package object

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// What is JSON reads as encoding/json reads it, however it is cut into pieces.
func TestTheScannerReadsJSONAsEncodingJSONDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, err := json.Marshal(anyJSON(3).Draw(t, "value"))
		if err != nil {
			t.Fatal(err)
		}
		var want any
		d := json.NewDecoder(strings.NewReader(string(text)))
		d.UseNumber()
		if err := d.Decode(&want); err != nil {
			t.Fatal(err)
		}
		s := newScanner(&slowReader{string(text), rapid.IntRange(1, 9).Draw(t, "piece")}, "f",
			func(int, []byte, string) { t.Fatalf("%s was repaired", text) })
		s.buf = make([]byte, 3)
		if got := treeOf(s); s.err != nil || !cmp.Equal(got, flat(want), cmpopts.EquateEmpty()) {
			t.Fatalf("%s is read as %v, %v", text, got, s.err)
		}
	})
}

func anyJSON(depth int) *rapid.Generator[any] {
	leaf := rapid.OneOf(rapid.Map(rapid.String(), func(s string) any {
		return s
	}), rapid.Map(rapid.Int(), func(n int) any { return n }),
		rapid.Map(rapid.Float64Range(-1e9, 1e9), func(f float64) any { return f }),
		rapid.SampledFrom([]any{true, false, nil, "a\"b\\c\n", "\U0001F600", ""}))
	if depth == 0 {
		return leaf
	}
	return rapid.OneOf(leaf,
		rapid.Map(rapid.SliceOfN(anyJSON(depth-1), 0, 3), func(l []any) any { return l }),
		rapid.Map(rapid.MapOfN(rapid.String(), anyJSON(depth-1), 0, 3), func(m map[string]any) any { return m }))
}

// treeOf reads a value with all texts of it, keys with them, in order of keys.
func treeOf(s *scanner) any {
	switch s.peek() {
	case '{':
		m := map[string]any{}
		s.object(func(key []byte) { k := string(key); m[k] = treeOf(s) })
		return m
	case '[':
		var l []any
		s.array(func() { l = append(l, treeOf(s)) })
		return l
	}
	return string(s.scalar())
}

// flat makes texts of the numbers and words of a decoded value.
func flat(v any) any {
	switch v := v.(type) {
	case map[string]any:
		m := map[string]any{}
		for k, x := range v {
			m[k] = flat(x)
		}
		return m
	case []any:
		var l []any
		for _, x := range v {
			l = append(l, flat(x))
		}
		return l
	case nil:
		return "null"
	}
	return fmt.Sprint(v)
}

// A slowReader gives a few bytes at a time.
type slowReader struct {
	text  string
	piece int
}

func (r *slowReader) Read(p []byte) (int, error) {
	if r.text == "" {
		return 0, io.EOF
	}
	n := copy(p, r.text[:min(len(r.text), r.piece)])
	r.text = r.text[n:]
	return n, nil
}
