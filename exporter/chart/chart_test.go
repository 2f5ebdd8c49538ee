package chart

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
	"time"
)

func some(n int) *Chart {
	c := &Chart{Title: `job 4 "<x>"` + "\x00\xff", Lines: []Line{{Name: "priority"}, {Name: "rank", Down: true}},
		Legend: []string{"a", "b"}}
	for i := range n {
		c.Times = append(c.Times, time.Unix(int64(60*i), 0))
		c.Lines[0].Values = append(c.Lines[0].Values, float64(i%7))
		c.Lines[1].Values = append(c.Lines[1].Values, map[bool]float64{true: math.NaN(), false: float64(i)}[i%5 == 0])
		c.Band = append(c.Band, []string{"a", "a", "b", "", "other"}[i%5])
	}
	return c
}

func TestAChartIsWellFormedWhateverItShows(t *testing.T) {
	for _, n := range []int{0, 1, 2, 50, 5000} {
		var text strings.Builder
		if err := Draw(&text, some(n)); err != nil {
			t.Fatal(err)
		}
		for d := xml.NewDecoder(strings.NewReader(text.String())); ; {
			_, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%d times: %v", n, err)
			}
		}
		if n > 5 && strings.Count(text.String(), "<path") != 3 { // two lines and the axis
			t.Errorf("%d times: %d paths", n, strings.Count(text.String(), "<path"))
		}
		if strings.Contains(text.String(), "NaN") {
			t.Errorf("%d times: NaN is drawn", n)
		}
	}
}

func TestASparklineIsHighWhereTheValueIsBetter(t *testing.T) {
	for name, test := range map[string]struct {
		line Line
		most int
		want string
	}{
		"a value grows":               {Line{Values: []float64{0, 1, 2, 7}}, 10, "▁▂▃█"},
		"a rank falls to the first":   {Line{Values: []float64{8, 4, 1}, Down: true}, 10, "▁▅█"},
		"nothing is known in between": {Line{Values: []float64{1, math.NaN(), 2}}, 10, "▁ █"},
		"many values are sampled":     {Line{Values: []float64{0, 9, 9, 9, 7}}, 2, "▁█"},
		"a constant":                  {Line{Values: []float64{3, 3}}, 10, "▁▁"},
		"no value":                    {Line{}, 10, ""},
	} {
		if got := Spark(&test.line, test.most); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func TestAValueAloneIsADot(t *testing.T) {
	c := &Chart{Times: []time.Time{time.Unix(0, 0), time.Unix(60, 0), time.Unix(120, 0)},
		Lines: []Line{{Name: "x", Values: []float64{math.NaN(), 1, math.NaN()}}}}
	var text strings.Builder
	if err := Draw(&text, c); err != nil || !strings.Contains(text.String(), `<path d="M395.0 55.0h0" fill="none"`) ||
		!strings.Contains(text.String(), `stroke-linecap="round"`) {
		t.Errorf("%v %s", err, text.String())
	}
}
