package when

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestDurationsAreRead(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"90s": 90 * time.Second, "5m": 5 * time.Minute, "1h30m": 90 * time.Minute, "36h": 36 * time.Hour, "1.5h": 90 * time.Minute,
		".5m": 30 * time.Second,
		"2d":  48 * time.Hour, "1.5d": 36 * time.Hour, "2w": 336 * time.Hour, "1d12h": 36 * time.Hour, "100ms": 100 * time.Millisecond,
		"1m30s": 90 * time.Second,
		"0":     0, "0s": 0, "1:30:00": 90 * time.Minute, "0:10:00": 10 * time.Minute, "100:00:00": 100 * time.Hour, "::30": 30 * time.Second,
	} {
		if got, err := Span(text); err != nil || got != want {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{
		"30":  `"30" has no unit: 30s, 30m, 30h or 30d`,
		"1.5": `"1.5" has no unit: 1.5s, 1.5m, 1.5h or 1.5d`,
	} {
		if _, err := Span(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, text := range []string{"", "d", "-1d", "-5h", "NaNd", "1e9d", "200000d", "soon", "5 m", "1:x:0", "-1:00:00", "Inf", "0x10",
		"INFINITY"} {
		if got, err := Span(text); err == nil {
			t.Errorf("%q: %v, want an error", text, got)
		}
	}
}

func TestMomentsAreRead(t *testing.T) {
	now := time.Date(2026, 11, 21, 10, 20, 30, 0, time.UTC)
	for text, want := range map[string]string{
		"1795248000":                "2026-11-21T08:00:00Z",
		"-1":                        "1969-12-31T23:59:59Z",
		"2026-11-21T08:16:20+01:00": "2026-11-21T07:16:20Z",
		"2026-11-21 08:16":          "2026-11-21T08:16:00Z",
		"2026-11-21":                "2026-11-21T00:00:00Z",
		"now":                       "2026-11-21T10:20:30Z",
		"today":                     "2026-11-21T00:00:00Z",
		"yesterday":                 "2026-11-20T00:00:00Z",
		"yesterday 22:30":           "2026-11-20T22:30:00Z",
		"today 22:30":               "2026-11-21T22:30:00Z",
		"10:20":                     "2026-11-21T10:20:00Z",
		"22:30":                     "2026-11-20T22:30:00Z",
		"22:30:05":                  "2026-11-20T22:30:05Z",
		"1d":                        "2026-11-20T10:20:30Z",
		"90s":                       "2026-11-21T10:19:00Z",
		"2h30m ago":                 "2026-11-21T07:50:30Z",
	} {
		if got, err := Moment(text, now); err != nil || got.Format(time.RFC3339) != want {
			t.Errorf("%q: %v, %v; want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"", "soon", "noon", "25:00", "yesterday noon", "-1d", "tomorrow", "2026-13-01", "0s"} {
		if got, err := Moment(text, now); err == nil {
			t.Errorf("%q: %v, want an error", text, got)
		}
	}
	if at, err := Moment("22:30", now.In(time.FixedZone("", 3600))); err != nil || at.Format(time.RFC3339) != "2026-11-20T22:30:00Z" {
		t.Error("a moment is told in UTC wherever one is:", at, err)
	}
}

func TestWhatIsWrittenShortReadsBack(t *testing.T) {
	for d, want := range map[time.Duration]string{5 * time.Minute: "5m", 90 * time.Minute: "1h30m", 720 * time.Hour: "30d",
		300 * time.Millisecond: "300ms", 0: "0s"} {
		if got := Short(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		d := time.Duration(rapid.Int64Range(0, int64(90*day)).Draw(t, "duration"))
		if rapid.Bool().Draw(t, "whole") {
			d = d.Truncate(time.Second)
		}
		if got, err := Span(Short(d)); err != nil || got != d {
			t.Fatalf("%v as %q is %v, %v", d, Short(d), got, err)
		}
	})
}

func TestTimesOfTheCommandLineNeverPanic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[-0-9.:dhmsw a-z]{0,12}`).Draw(t, "text")
		if d, err := Span(text); err == nil && d < 0 {
			t.Fatalf("%q is %v", text, d)
		}
		_, _ = Moment(text, time.Unix(1795250400, 0))
	})
}
