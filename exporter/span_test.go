package exporter

import (
	"testing"
	"time"
)

func TestSpansAreTold(t *testing.T) {
	for span, want := range map[time.Duration]string{0: "0 s", 12 * time.Second: "12 s",
		90 * time.Second: "1 min 30 s", time.Hour: "1 h",
		24*time.Hour + 24*time.Minute: "24 h 24 min", 100 * time.Hour: "4 d 4 h", 59*time.Minute +
			59*time.Second + 600*time.Millisecond: "1 h"} {
		if got := Span(span); got != want {
			t.Errorf("%v: %q, want %q", span, got, want)
		}
	}
}
