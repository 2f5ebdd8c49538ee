package report

import (
	"fmt"
	"math"
	"strings"
)

// A chart is the picture of tau-b over the snapshots: one step to the right for each, 1 at the top.
type chart struct {
	Wide, High  int
	Left, Right float64 // of the lines
	Path        string
	Points      []point
	Levels      []level
	First, Last string  // moments
	HeldFrom    float64 // where the part that was held out begins; 0 for nowhere
	HeldWide    float64
	Top, Bottom float64
	Deep        float64 // from top to bottom
	Label       string  // for those who cannot see it
}

type point struct {
	X, Y    float64
	HeldOut bool
	Text    string
}

type level struct {
	Y    float64
	Text string
}

// Measures in pixels, and the most points that are marked one by one.
const (
	chartWide  = 760
	chartHigh  = 190
	chartLeft  = 44
	chartRight = 14
	chartTop   = 14
	chartBase  = 26
	mostPoints = 200
	mostSteps  = 2000
)

func newChart(runs []Run) *chart {
	var list []Run
	least := 1.0
	for _, r := range runs {
		if r.TauB.known() {
			list, least = append(list, r), min(least, float64(r.TauB))
		}
	}
	if len(list) < 2 {
		return nil
	}
	c := &chart{Wide: chartWide, High: chartHigh, Left: chartLeft, Right: chartWide - chartRight, Top: chartTop, Bottom: chartHigh - chartBase, Deep: chartHigh - chartBase - chartTop,
		First: moment(list[0].At), Last: moment(list[len(list)-1].At)}
	bottom := floorOf(least)
	c.levels(bottom)
	var path strings.Builder
	every := (len(list) + mostSteps - 1) / mostSteps
	for i := 0; i < len(list); i += every {
		x, y := c.x(i, len(list)), c.y(float64(list[i].TauB), bottom)
		fmt.Fprintf(&path, "%c%.1f %.1f", "ML"[min(i, 1)], x, y)
		if len(list) <= mostPoints {
			c.Points = append(c.Points, point{x, y, list[i].HeldOut, fmt.Sprintf("%s, %s: tau-b %s, %s waiting", list[i].Snapshot, moment(list[i].At), tau(list[i].TauB), plural(list[i].Jobs, "job"))})
		}
	}
	c.Path = path.String()
	c.heldOut(list)
	c.Label = fmt.Sprintf("tau-b of %s, the least is %s", plural(len(list), "snapshot"), tau(Number(least)))
	return c
}

// floorOf is the lower end of the scale: tau-b is mostly near 1, and there the eye has to see something.
func floorOf(least float64) float64 {
	for _, floor := range []float64{0.9, 0.5, 0} {
		if least >= floor {
			return floor
		}
	}
	return -1
}

func (c *chart) x(i, n int) float64 {
	return c.Left + (c.Right-c.Left)*float64(i)/float64(n-1)
}

func (c *chart) y(v, bottom float64) float64 {
	return c.Bottom - (c.Bottom-c.Top)*(v-bottom)/(1-bottom)
}

func (c *chart) levels(bottom float64) {
	steps := 5
	if bottom == -1 {
		steps = 4
	}
	for i := range steps + 1 {
		v := bottom + (1-bottom)*float64(i)/float64(steps)
		c.Levels = append(c.Levels, level{c.y(v, bottom), fmt.Sprintf("%.3g", math.Round(v*1000)/1000)})
	}
}

// heldOut shades the snapshots at the end that were held out.
func (c *chart) heldOut(list []Run) {
	n := len(list)
	first := n
	for first > 0 && list[first-1].HeldOut {
		first--
	}
	if first == n {
		return
	}
	c.HeldFrom = c.Left
	if first > 0 {
		c.HeldFrom = (c.x(first-1, n) + c.x(first, n)) / 2
	}
	c.HeldWide = c.Right - c.HeldFrom
}
