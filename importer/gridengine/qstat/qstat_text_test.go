package qstat_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"qprism/importer/gridengine"
	"qprism/importer/gridengine/expect"
	"qprism/importer/gridengine/sample"
)

func TestUrgIsTakenFromTheTextWhereTheXMLLacksIt(t *testing.T) {
	rep := func(nurg string) string {
		return sample.Job("<JB_nurg>" + nurg +
			"</JB_nurg><JB_rrcontr>6000</JB_rrcontr><JB_wtcontr>7</JB_wtcontr><JB_dlcontr>0</JB_dlcontr>")
	}
	const text = "job-ID  prior   nurg    urg      rrcontr  wtcontr  dlcontr  name       user         state\n-----\n" +
		"      1 0.12500 0.23333     6007     6000        7        0 a job    al           qw\n"
	for name, c := range map[string]struct {
		xml, text string
		want      float64
	}{
		"of the same run":     {rep("0.23333"), text, 6007},
		"of another run":      {rep("0.23334"), text, math.NaN()},
		"of no known columns": {rep("0.23333"), strings.Replace(text, "urg ", "new ", 1), math.NaN()},
		"with a name before": {rep("0.23333"), strings.Replace(strings.Replace(text, "name ", "more ", 1),
			"prior ", "name  ", 1), math.NaN()},
		"of another job":        {rep("0.23333"), strings.Replace(text, "      1 ", "      2 ", 1), math.NaN()},
		"where the XML has it":  {strings.Replace(rep("0.23333"), "<JB_rr", "<JB_urg>5</JB_urg><JB_rr", 1), text, 5},
		"of no number":          {rep("0.23333"), strings.Replace(text, "6007", "many", 1), math.NaN()},
		"beside no number":      {rep("0.23333"), strings.Replace(text, "0.23333", "many", 1), math.NaN()},
		"in a line cut off":     {rep("0.23333"), text[:len(text)-50], math.NaN()},
		"in a text of no table": {rep("0.23333"), "error: failed\n", math.NaN()},
	} {
		t.Run(name, func(t *testing.T) {
			j := sample.Read(t, expect.Bundle(
				map[string]string{"qstat.xml": sample.Qstat(c.xml), "qstat-urg.txt": c.text})).Jobs[0]
			expect.Same(t, "urg", fmt.Sprint(j.Reported.Urg), fmt.Sprint(c.want))
		})
	}
}

// TestAFaultInAnUnneededTextDoesNotMatter: the reader needs qstat-urg.txt only if the XML lacks urg.
func TestAFaultInAnUnneededTextDoesNotMatter(t *testing.T) {
	const report = "<JB_rrcontr>6000</JB_rrcontr>"
	tooLong := strings.Repeat("x", 2<<20)
	for xml, fails := range map[string]bool{report: true, report + "<JB_urg>5</JB_urg>": false} {
		_, err := gridengine.Read(expect.Bundle(map[string]string{"qstat.xml": sample.Qstat(sample.Job(xml)), "qstat-urg.txt": tooLong}),
			gridengine.Options{})
		if (err != nil) != fails {
			t.Errorf("%s: %v", xml, err)
		}
	}
}
