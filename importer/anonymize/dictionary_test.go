package anonymize

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// bitsOf prints a number so that it reads back to the same bits.
func bitsOf(f float64) ([]byte, error) {
	if f != f || f > 1e308 || f < -1e308 {
		return []byte("beyond"), nil
	}
	return json.Marshal(f)
}

var anyName = rapid.StringMatching(`[a-cA-C0-2._@-]{0,6}`)

// TestPseudonymsSortAsTheNamesDo is a law: of names with letters of ASCII, in both ways of comparing.
func TestPseudonymsSortAsTheNamesDo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := NewDictionary([]byte(rapid.String().Draw(t, "key")))
		names := rapid.SliceOfN(anyName, 2, 12).Draw(t, "names")
		for _, n := range names {
			d.Name(n)
		}
		for _, a := range names {
			for _, b := range names {
				x, y := d.Name(a), d.Name(b)
				if strings.Compare(a, b) != strings.Compare(x, y) {
					t.Fatalf("%q and %q compare otherwise than %q and %q", a, b, x, y)
				}
				if strings.HasPrefix(b, a) && !strings.HasPrefix(y, x) {
					t.Fatalf("%q begins with %q, but %q not with %q", b, a, y, x)
				}
				if strings.EqualFold(a, b) != strings.EqualFold(x, y) {
					t.Fatalf("%q and %q are equal in another way than %q and %q", a, b, x, y)
				}
			}
		}
	})
}

func TestEveryLetterFindsItsPlaceWhateverTheOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := NewDictionary([]byte("key"))
		letters := rapid.Permutation(strings.Split("abcdefghijklmnopqrstuvwxyz0123456789", "")).Draw(t, "letters")
		for _, l := range letters {
			d.Word(l)
		}
		for _, a := range letters {
			for _, b := range letters {
				if strings.Compare(a, b) != strings.Compare(d.Word(a), d.Word(b)) {
					t.Fatalf("%s and %s: %s and %s", a, b, d.Word(a), d.Word(b))
				}
			}
		}
	})
}

func TestADictionaryIsReadAsItWasWritten(t *testing.T) {
	d := NewDictionary(bytes.Repeat([]byte{7}, KeySize))
	words := []string{"zoe", "alice", "Bob", "ali", "node01", "Müller", "bo", "\xff"}
	var want []string
	for _, w := range words {
		want = append(want, d.Name(w))
	}
	var file bytes.Buffer
	if err := d.Write(&file); err != nil {
		t.Fatal(err)
	}
	read, err := ReadDictionary(&file)
	if err != nil {
		t.Fatal(err)
	}
	read.Name("aaa")
	for i, w := range words {
		if got := read.Name(w); got != want[i] {
			t.Errorf("%q is %q, not %q", w, got, want[i])
		}
	}
}

func TestAKeyFileThatIsNoneIsRefusedWithItsLine(t *testing.T) {
	good := header + strings.Repeat("07", KeySize) + "\n"
	for text, want := range map[string]string{"": "line 1: empty", "hello\n": "line 1: not",
		good + "a b\n":   `line 2: "a b"`,
		good + "Alice\n": `line 2: "Alice"`, good + "a\na\n": `line 3: "a"`} {
		if _, err := ReadDictionary(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, not %s", text, err, want)
		}
	}
}
