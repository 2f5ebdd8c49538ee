package view

import (
	"fmt"
	"net/http/httptest"
	"testing"

	"qprism/cmd/qprism/cli"
)

// BenchmarkSlider asks as the page does while somebody moves a slider: what another weight would do, each
// time another one. The first question, which finds out what today's policy does, does not count.
func BenchmarkSlider(b *testing.B) {
	for _, size := range []struct{ jobs, hosts int }{{10_000, 200}, {50_000, 1000}} {
		b.Run(fmt.Sprint(size.jobs), func(b *testing.B) {
			site, err := Bundles(b.Context(), &cli.Deps{}, []string{largeBundle(b, size.jobs, size.hosts)})
			if err != nil {
				b.Fatal(err)
			}
			n, handler := 0, site.Handler()
			ask := func() {
				n++
				w := httptest.NewRecorder()
				r := httptest.NewRequest("GET", fmt.Sprintf("/api/v1/what-if?set=weight_urgency=0.%d", n), nil)
				r.Header.Set("Accept-Encoding", "gzip")
				handler.ServeHTTP(w, r)
				if w.Code != 200 {
					b.Fatal(w.Body.String())
				}
			}
			ask()
			for b.Loop() {
				ask()
			}
		})
	}
}
