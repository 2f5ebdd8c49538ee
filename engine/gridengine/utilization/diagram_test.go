package utilization

import (
	"slices"
	"testing"
)

type booking struct {
	start, duration seconds
	amount          float64
}

func booked(list ...booking) Diagram {
	var d Diagram
	for _, b := range list {
		d.Add(b.start, b.duration, b.amount)
	}
	return d
}

// The first two diagrams are those of the master's own test of its resource utilization.
func TestDiagramHoldsWhatIsBooked(t *testing.T) {
	for name, c := range map[string]struct {
		bookings []booking
		want     Diagram
	}{
		"bookings overlap": {[]booking{{800, 200, 8}, {1000, 100, 4}, {1100, 100, 8}},
			Diagram{{800, 8}, {1000, 4}, {1100, 8}, {1200, 0}}},
		"bookings without end": {[]booking{{800, 200, 8}, {1000, 100, 4}, {1100, Forever, 4}, {2000, Forever, 4}},
			Diagram{{800, 8}, {1000, 4}, {2000, 8}, {Forever, 0}}},
		"bookings are taken back": {[]booking{{800, 200, 8}, {1000, 100, 4}, {1100, Forever, 4},
			{2000, Forever, 4}, {1000, 100, -4},
			{1100, Forever, -4}}, Diagram{{800, 8}, {1000, 0}, {2000, 4}, {Forever, 0}}},
		"nothing remains": {[]booking{{800, 200, 8}, {2000, Forever, 4}, {800, 200, -8},
			{2000, Forever, -4}}, Diagram{}},
		"a booking without duration":  {[]booking{{800, 200, 8}, {900, 0, 4}}, Diagram{{800, 8}, {1000, 0}}},
		"a booking joins another one": {[]booking{{800, 200, 8}, {1000, 100, 8}}, Diagram{{800, 8}, {1100, 0}}},
	} {
		if got := booked(c.bookings...); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}

func TestDiagramSaysHowMuchIsInUse(t *testing.T) {
	short := booked(booking{800, 200, 8}, booking{1000, 100, 4}, booking{1100, 100, 8})
	long := booked(booking{800, 200, 8}, booking{1000, 100, 4}, booking{1100, Forever, 4}, booking{2000, Forever, 4})
	for _, c := range []struct {
		d               Diagram
		start, duration seconds
		want            float64
	}{
		{short, 1000, 100, 4}, {short, 1200, 150, 0}, {short, 700, 150, 8},
		{long, 1000, 100, 4}, {long, 1200, Forever, 8}, {long, 200, Forever, 8}, {long, 700, 150, 8}, {long, 700, 100, 0},
		{long, 3600, 150, 8}, {long, 1000, 1000, 4},
	} {
		if got := c.d.Max(c.start, c.duration); got != c.want {
			t.Errorf("%v from %d for %d: got %v, want %v", c.d, c.start, c.duration, got, c.want)
		}
	}
	if short.AtLast() != 0 || long.AtLast() != 8 {
		t.Errorf("for ever: got %v and %v, want 0 and 8", short.AtLast(), long.AtLast())
	}
}

func TestDiagramFindsTheLastCrossingAndTheFirstGap(t *testing.T) {
	d := Diagram{{0, 5}, {90, 0}, {100, 4}, {190, 0}}
	for limit, want := range map[float64]seconds{4: 90, 0: 190, 5: 0} {
		if got := d.Below(limit); got != want {
			t.Errorf("no more than %v: got %d, want %d", limit, got, want)
		}
	}
	for _, c := range []struct {
		from, duration seconds
		limit          float64
		want           seconds
	}{
		{10, 10, 0, 90}, {10, 11, 0, 190}, {10, 11, 4, 90}, {10, 5, 5, 10}, {200, Forever, 0, 200},
		{95, 5, 0, 95}, {95, 6, 0, 190},
		{10, 0, 4, 90},
	} {
		if got := d.Gap(c.from, c.duration, c.limit); got != c.want {
			t.Errorf("%d s of no more than %v from %d: got %d, want %d", c.duration, c.limit, c.from, got, c.want)
		}
	}
	if got := (Diagram{{5, 1}}).Gap(0, 10, 0); got != Forever {
		t.Errorf("in use for ever: got %d", got)
	}
}
