package model

import (
	"testing"

	"pgregory.net/rapid"
)

func TestTaskNumbersAreReadAsTheyAreWritten(t *testing.T) {
	for text, want := range map[string]string{"": "1", "7": "7", "1-9:2": "1,3,5,7,9", "1-3,5,4": "1-5", " 2-3 , 9": "2-3,9"} {
		if s, err := ParseTasks(text); err != nil || s.String() != want {
			t.Errorf("%q: %v, %v, want %s", text, s, err, want)
		}
	}
	for _, text := range []string{"x", "0", "3-1", "1-2:0", "1-4000000000", "1,", "-3", "1-2-3"} {
		if s, err := ParseTasks(text); err == nil {
			t.Errorf("%q: %v", text, s)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := TaskSet{}, TaskSet{}
		for _, n := range rapid.SliceOfN(rapid.Uint32Range(1, 40), 1, 30).Draw(t, "numbers") {
			a[n] = true
		}
		for _, n := range rapid.SliceOf(rapid.Uint32Range(1, 40)).Draw(t, "others") {
			b[n] = true
		}
		again, err := ParseTasks(a.String())
		if err != nil || again.String() != a.String() || len(a.And(b))+len(a.Without(b)) != len(a) || len(a.With(b)) != len(a)+len(b.Without(a)) {
			t.Fatalf("%v %v: %v, %v", a, b, again, err)
		}
	})
}
