package svg

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"qprism/engine/model"
)

var update = flag.Bool("update", false, "write the golden pictures anew")

var runAt = time.Date(2026, 11, 21, 9, 42, 10, 0, time.UTC)

// A plan in the making: each call books what a job uses.
type sketch struct{ model.Plan }

func newSketch() *sketch { return &sketch{model.Plan{RunAt: runAt}} }

func (s *sketch) has(level, object, resource string, total float64) {
	s.Utilization = append(s.Utilization, model.Utilization{Level: level, Object: object, Resource: resource,
		Total: total})
}

// book adds a line: from and length in minutes from the run.
func (s *sketch) book(job, task uint32, state string, from, length float64, level, object,
	resource string, amount float64) {
	minutes := func(v float64) time.Duration { return time.Duration(v * float64(time.Minute)) }
	s.Lines = append(s.Lines, model.ScheduleLine{Job: job, Task: task, State: state,
		Start:    runAt.Add(minutes(from)).Truncate(time.Second),
		Duration: minutes(length).Truncate(time.Second), Level: level, Object: object, Resource: resource, Amount: amount})
	verdict := map[string]model.Verdict{starting: model.Now, reserving: model.Later}[state]
	if verdict != "" && level == "Q" {
		s.Decisions = append(s.Decisions,
			model.Decision{Job: job, Tasks: []model.Range{{Min: task, Max: task, Step: 1}}, Verdict: verdict})
	}
}

// licences is the example of the 6.0 design: 4, 5 and 1 of 5 licences.
func licences() *model.Plan {
	s := newSketch()
	s.has("G", "global", "license", 5)
	for n := 1; n <= 3; n++ {
		s.has("Q", fmt.Sprintf("all.q@node0%d", n), slots, 1)
	}
	s.book(3127, 1, starting, 0, 0.5, "G", "global", "license", 4)
	s.book(3127, 1, starting, 0, 0.5, "Q", "all.q@node01", slots, 1)
	s.book(3128, 1, reserving, 0.5, 0.5, "G", "global", "license", 5)
	s.book(3128, 1, reserving, 0.5, 0.5, "Q", "all.q@node02", slots, 1)
	s.book(3129, 1, reserving, 1, 31./60, "G", "global", "license", 1)
	s.book(3129, 1, reserving, 1, 31./60, "Q", "all.q@node03", slots, 1)
	return &s.Plan
}

// random fills instances of a number of slots with jobs that run, start and are reserved for.
func random(rows, perHost int) *model.Plan {
	r := rand.New(rand.NewPCG(uint64(rows), 7))
	s := newSketch()
	s.has("G", "global", "matlab", 20)
	job := uint32(4000)
	for n := 1; n <= rows; n++ {
		instance := fmt.Sprintf("batch.q@cn%03d.cluster", n)
		s.has("Q", instance, slots, float64(perHost))
		for used := 0; used < perHost; {
			wide := min(1+r.IntN(perHost/2), perHost-used)
			used += wide
			if r.IntN(9) == 0 {
				continue
			}
			job++
			begin, end := -float64(r.IntN(600)), float64(5+r.IntN(500))
			state := []string{"RUNNING", starting, suspended}[max(r.IntN(20)-17, 0)]
			if state == starting {
				begin = 0
			}
			if r.IntN(40) == 0 {
				end = 60 * 24 * 30
			}
			s.book(job, uint32(1+r.IntN(2)*r.IntN(30)), state, begin, end-begin, "Q", instance, slots, float64(wide))
			if r.IntN(6) == 0 {
				s.book(job, 1, state, begin, end-begin, "G", "global", "matlab", 1)
			}
			if r.IntN(4) == 0 {
				s.book(job+5000, 1, reserving, end, float64(30+r.IntN(200)), "Q", instance, slots, float64(wide))
			}
		}
	}
	return &s.Plan
}

func draw(t *testing.T, p *model.Plan) string {
	t.Helper()
	var b bytes.Buffer
	if err := Draw(&b, p, time.UTC); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestPicturesForPeople writes pictures into the folder that QPRISM_PICTURES names, to be looked at;
// without it, it sees that they are well formed.
func TestPicturesForPeople(t *testing.T) {
	for name, p := range map[string]*model.Plan{"licences": licences(), "rows-30": random(29, 16),
		"rows-200": random(199, 8),
		"rows-500": random(499, 4), "empty": {}} {
		text := draw(t, p)
		wellFormed(t, text)
		if dir := os.Getenv("QPRISM_PICTURES"); dir != "" {
			if err := os.WriteFile(filepath.Join(dir, name+".svg"), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func wellFormed(t interface{ Fatalf(string, ...any) }, text string) (elements map[string]int) {
	elements = map[string]int{}
	for d := xml.NewDecoder(strings.NewReader(text)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return elements
		}
		if err != nil {
			t.Fatalf("not well formed: %v", err)
		}
		if e, ok := token.(xml.StartElement); ok {
			elements[e.Name.Local]++
		}
	}
}

func TestTheLicenceExampleIsDrawn(t *testing.T) {
	const golden = "testdata/licences.svg"
	got := draw(t, licences())
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the picture differs from %s; -update writes it anew", golden)
	}
}

// TestStrangersTextIsEscaped names objects after markup, control characters and broken UTF-8.
func TestStrangersTextIsEscaped(t *testing.T) {
	s := newSketch()
	evil := "</text><script>alert('1')</script>&\x00\x1b\xff\"%s"
	s.has("Q", evil, slots, 1)
	s.book(1, 1, evil, 0, 9, "Q", evil, slots, 1)
	s.book(1, 1, starting, 0, 9, "G", model.GlobalHost, evil, 1)
	text := draw(t, &s.Plan)
	if elements := wellFormed(t, text); elements["script"] > 0 || strings.ContainsAny(text, "\x00\x1b") {
		t.Errorf("not escaped: %s", text)
	}
}

func TestTooManyRowsAreLeftOutAndSaidSo(t *testing.T) {
	s := newSketch()
	for n := range mostRows + 7 {
		s.has("Q", fmt.Sprintf("q@n%d", n), slots, 1)
	}
	s.book(8, 1, reserving, 1, 1, "Q", fmt.Sprintf("q@n%d", mostRows+6), slots, 1)
	s.book(9, 1, "RUNNING", -1, 5, "Q", fmt.Sprintf("q@n%d", mostRows+5), slots, 1)
	text := draw(t, &s.Plan)
	for _, want := range []string{"Not drawn: 7 of 207 rows, 7 of them idle.", fmt.Sprintf(">q@n%d<", mostRows+6),
		">8<", ">9<"} {
		if !strings.Contains(text, want) {
			t.Errorf("the picture lacks %q", want)
		}
	}
}

func TestTooManyBlocksAreLeftOutAndSaidSo(t *testing.T) {
	s := newSketch()
	for n := range mostInRow + 5 {
		s.book(uint32(n+1), 1, "RUNNING", -1, 5, "G", model.GlobalHost, "lic", 1)
	}
	s.book(99999, 1, reserving, 5, 5, "G", model.GlobalHost, "lic", 100)
	if text := draw(t, &s.Plan); !strings.Contains(text, "Not drawn: 6 blocks in crowded rows.") ||
		!strings.Contains(text, ">99999<") {
		t.Error("the picture does not say what it leaves out")
	}
}

func TestWhatNoPictureCanShowIsTold(t *testing.T) {
	s := newSketch()
	s.book(2, 1, reserving, -float64(runAt.Unix())/60, 90, "Q", "q@a", slots, 1)
	s.book(3, 1, reserving, float64(1<<32-1-runAt.Unix())/60, 0, "Q", "q@a", slots, 1)
	s.book(4, 1, starting, 0, 10, "Q", "q@a", slots, 1)
	for n := range 5 {
		s.book(uint32(n+6), 1, "RUNNING", -5, 10, "Q", "q@b", slots, 1)
	}
	s.book(5, 7, reserving, 60*24*60, 10, "Q", "q@a", slots, 1)
	text := draw(t, &s.Plan)
	for _, want := range []string{
		"Not shown: job 2 is reserved for 1970-01-01 00:00:00, job 3 is reserved for 2106-02-07 06:28:15.",
		"Reserved after the end of the picture: job 5.7 for 2027-01-20 09:42:10.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the picture lacks %q", want)
		}
	}
}

func TestClosedTimesAreWhatNoLineBooks(t *testing.T) {
	s := newSketch()
	s.book(1, 1, "RUNNING", -5, 15, "Q", "q@a", slots, 1)
	s.has("Q", "q@a", slots, 4)
	u := &s.Utilization[0]
	at := func(minutes int) time.Time { return runAt.Add(time.Duration(minutes) * time.Minute) }
	u.Steps = []model.Step{{At: at(-5), Amount: 1}, {At: at(5), Amount: 4}, {At: at(60), Amount: 0}}
	rows, _ := rowsOf(&s.Plan, runAt)
	want := []block{
		{job: 1, task: 1, name: "1", class: "running", from: at(-5).Unix(), to: at(10).Unix(), amount: 1},
		{class: "other", from: at(5).Unix(), to: at(10).Unix(), amount: 3},
		{class: "other", from: at(10).Unix(), to: at(60).Unix(), amount: 4},
	}
	if len(rows) != 1 || !slices.Equal(rows[0].blocks, want) {
		t.Errorf("got %+v, want %+v", rows[0].blocks, want)
	}
}

func TestOfWhatIsHardlyInUseOnlyThePartInUseIsShown(t *testing.T) {
	s := newSketch()
	s.has("G", model.GlobalHost, "lic", 1000)
	s.has("P", "mpi", slots, 999)
	s.has("P", "smp", slots, 4)
	s.book(1, 1, starting, 0, 5, "G", model.GlobalHost, "lic", 3)
	s.book(1, 1, starting, 0, 5, "P", "mpi", slots, 2)
	s.book(2, 1, starting, 0, 5, "P", "smp", slots, 2)
	text := draw(t, &s.Plan)
	if !strings.Contains(text, ">lic<tspan class=\"cap\"> (1000, cut)<") ||
		!strings.Contains(text, "smp slots<tspan class=\"cap\"> (4)<") ||
		strings.Contains(text, "mpi") {
		t.Errorf("got %s", text)
	}
}

func TestAForecastIsDrawnAsOne(t *testing.T) {
	s := newSketch()
	s.has("Q", "q@a", slots, 2)
	s.book(1, 1, "RUNNING", -1, 9, "Q", "q@a", slots, 1)
	s.book(2, 1, Predicted, 8, 9, "Q", "q@a", slots, 1)
	text := draw(t, &s.Plan)
	for _, want := range []string{">Forecast from ", ">tasks predicted to start: 1<", ">predicted to start<",
		"<title>job 2.1 predicted to start: ", `class="predicted"`} {
		if !strings.Contains(text, want) {
			t.Errorf("the picture lacks %q", want)
		}
	}
	if strings.Contains(text, ">reserved<") || strings.Contains(text, ">starts now<") {
		t.Error("the legend names what a forecast has not")
	}
}

func TestLongNamesKeepWhatTellsRowsApart(t *testing.T) {
	for name, want := range map[string]string{
		"all.q@node01.example.org":                                                               "all.q@node01.example.org",
		"institute.long.q@compute-node-0007.physics.example.org":                                 "institute.long.q@compute-node-0007…",
		"a_queue_with_a_very_long_name_of_the_institute.q@compute-node-0007.physics.example.org": "a_queue_with…institute.q@compute-node-0007…",
		"q@a-host-without-domain-but-with-a-name-that-is-far-too-long-for-a-row":                 "q@a-host-without-doma…-too-long-for-a-row",
		"a-host-without-queue.but-with-a-domain-that-is-long.physics.example-university.org":     "a-host-without-queue…",
		strings.Repeat("ü", 60): strings.Repeat("ü", 22) + "…" +
			strings.Repeat("ü", 21),
	} {
		r := row{level: "Q", object: name, resource: slots}
		if got := r.label(); got != want || utf8.RuneCountInString(got) > mostLabel {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	r := row{level: "H", object: "compute-node-0007.physics.example-university.org", resource: strings.Repeat("memory", 9)}
	if got := r.label(); got != "compute-node-0007… memorymemor…morymemory" || utf8.RuneCountInString(got) > mostLabel {
		t.Errorf("got %q", got)
	}
}

func TestAxesHaveRoundMarks(t *testing.T) {
	for name, c := range map[string]struct {
		span int64
		want string
	}{
		"seconds": {10, "09:42:10 09:42:11 09:42:12 09:42:13 09:42:14 09:42:15 09:42:16 09:42:17 " +
			"09:42:18 09:42:19 09:42:20"},
		"an hour": {3600, "09:45 09:50 09:55 10:00 10:05 10:10 10:15 10:20 10:25 10:30 10:35 10:40"},
		"a day":   {86400, "10:00 12:00 14:00 16:00 18:00 20:00 22:00 00:00 02:00 04:00 06:00 08:00"},
		"three months": {90 * 86400, "26 Nov 3 Dec 10 Dec 17 Dec 24 Dec 31 Dec 7 Jan 14 Jan 21 Jan 28 " +
			"Jan 4 Feb 11 Feb 18 Feb"},
		"a century": {36500 * 86400, "2032 2041 2050 2059 2068 2077 2086 2095 2104 2113 2122"},
	} {
		var got []string
		for _, m := range (axis{runAt.Unix() - 1, runAt.Unix() + c.span, time.UTC}).marks() {
			got = append(got, m.text)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestTimesAreThoseOfTheZone: a day begins at the cluster's midnight, and every time says so.
func TestTimesAreThoseOfTheZone(t *testing.T) {
	india := time.FixedZone("+0530", 5*3600+1800)
	var got []string
	for _, m := range (axis{runAt.Unix() - 1, runAt.Unix() + 86400, india}).marks() {
		got = append(got, m.text+m.date)
	}
	if want :=
		"16:002026-11-21 18:00 20:00 22:00 00:002026-11-22 02:00 04:00 06:00 08:00 10:00 12:00 14:00"; strings.Join(got, " ") != want {
		t.Errorf("marks %q", got)
	}
	var b bytes.Buffer
	if err := Draw(&b, licences(), india); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"run at 2026-11-21 15:12:10 +0530", "Times are +0530.", "from 15:12:10 until"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in the picture", want)
		}
	}
	if strings.Contains(b.String(), "UTC") || strings.Contains(b.String(), ">09:4") {
		t.Error("a time in another zone")
	}
}

// TestNoTwoBlocksOfARowOverlap packs random bookings.
func TestNoTwoBlocksOfARowOverlap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := row{total: 8}
		for range rapid.IntRange(0, 30).Draw(t, "blocks") {
			from := rapid.Int64Range(0, 50).Draw(t, "from")
			r.blocks = append(r.blocks, block{from: from, to: from + rapid.Int64Range(0, 20).Draw(t, "length"),
				amount: float64(rapid.IntRange(1, 4).Draw(t, "amount"))})
		}
		r.pack()
		for i, a := range r.blocks {
			for _, b := range r.blocks[:i] {
				inTime, inPlace := a.from < b.to && b.from < a.to, a.low < b.low+b.amount && b.low < a.low+a.amount
				if inTime && inPlace || a.low+a.amount > r.top {
					t.Fatalf("%+v and %+v, up to %v", a, b, r.top)
				}
			}
		}
	})
}

// TestAnyPlanIsDrawnWellFormed draws plans of extreme values, twice the same.
func TestAnyPlanIsDrawnWellFormed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		amounts := rapid.SampledFrom([]float64{0, -1, 1, 3.5, 1e300, math.Inf(1), math.Inf(-1), math.NaN(), 1e-300})
		times := rapid.SampledFrom([]int64{0, -1, 1, runAt.Unix(), runAt.Unix() + 3600, 1<<32 - 1,
			1 << 40, math.MaxInt64, math.MinInt64})
		var p model.Plan
		if rapid.Bool().Draw(t, "known") {
			p.RunAt = runAt
		}
		for range rapid.IntRange(0, 5).Draw(t, "lines") {
			p.Lines = append(p.Lines, model.ScheduleLine{Job: rapid.Uint32Range(0, 3).Draw(t, "job"), Task: 1,
				State:    rapid.SampledFrom([]string{"RUNNING", starting, reserving, suspended, "?"}).Draw(t, "state"),
				Start:    time.Unix(times.Draw(t, "start"), 0),
				Duration: rapid.SampledFrom([]time.Duration{0, time.Second, -1, model.Forever}).Draw(t, "duration"),
				Level:    rapid.SampledFrom([]string{"Q", "G", "H", ""}).Draw(t, "level"),
				Object:   rapid.String().Draw(t, "object"), Resource: slots,
				Amount: amounts.Draw(t, "amount")})
		}
		for _, l := range p.Lines {
			p.Utilization = append(p.Utilization, model.Utilization{Level: l.Level, Object: l.Object, Resource: l.Resource,
				Total: amounts.Draw(t, "total"),
				Steps: []model.Step{{At: time.Unix(times.Draw(t, "at"), 0), Amount: amounts.Draw(t, "step")},
					{At: time.Unix(times.Draw(t, "until"), 0), Amount: amounts.Draw(t, "last")}}})
		}
		var a, b bytes.Buffer
		if Draw(&a, &p, time.UTC) != nil || Draw(&b, &p, time.UTC) != nil || a.String() != b.String() {
			t.Fatalf("twice not the same")
		}
		wellFormed(t, a.String())
		if strings.Contains(a.String(), "NaN") || strings.Contains(a.String(), "Inf") {
			t.Fatalf("no numbers: %s", a.String())
		}
	})
}
