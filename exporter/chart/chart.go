// Package chart draws values over time as small pictures for the page (chart.go). A picture has one line for
// each series of values, the lines one below the other. It can also have a band of colors, which shows states
// over time.
package chart

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strings"
	"time"
)

// fonts are the fonts of the page and of other pictures.
const fonts = "Helvetica,Arial,'DejaVu Sans',sans-serif"

// A Chart has a line for each series, and a band below the lines.
type Chart struct {
	Title  string
	Times  []time.Time    // ascending
	Zone   *time.Location // time zone for printed times; nil for UTC
	Lines  []Line
	Band   []string // the state that begins at each time; empty for no band
	Legend []string // the texts of the band in the order of their colors; other texts are gray
}

// A Line has one value for each time. The value is NaN if there is none.
type Line struct {
	Name   string
	Values []float64
	Down   bool    // less is better, as for a rank: the least value is on top
	Part   bool    // the value is a fraction: the axis begins at 0, and Target counts
	Target float64 // a dashed line; NaN for none
}

// bounds returns the ends of a line's axis, and its last value. If the line has no value, low is above high.
func (l *Line) bounds() (low, high, last float64) {
	low, high, last = math.Inf(1), math.Inf(-1), math.NaN()
	for _, v := range l.Values {
		if v == v {
			low, high, last = min(low, v), max(high, v), v
		}
	}
	if l.Part && low <= high {
		low = 0
		if l.Target == l.Target {
			high = max(high, l.Target)
		}
	}
	return low, high, last
}

// height returns how high to draw a value, from 0 to 1. It is flat if all values are the same.
func (l *Line) height(v, low, high, flat float64) float64 {
	if high > low {
		flat = (v - low) / (high - low)
	}
	if l.Down {
		return 1 - flat
	}
	return flat
}

// Measures in pixels.
const (
	width     = 760
	left      = 120
	right     = 90
	lineRoom  = 44
	headRoom  = 34
	bandRoom  = 16
	axisRoom  = 22
	legendRow = 16
)

// mostPoints is the most points of a line. If there are more values, neighbors share a point.
const mostPoints = 2000

// colours can be distinguished even by people who cannot tell red from green (Okabe and Ito).
var colours = []string{"#0072b2", "#e69f00", "#56b4e9", "#cc79a7", "#d55e00", "#f0e442", "#009e73", "#000000"}

const grey = "#999999"

// Draw writes a chart as an SVG document.
func Draw(w io.Writer, c *Chart) error {
	d := &drawing{Chart: c}
	d.begin()
	for i := range c.Lines {
		d.line(&c.Lines[i])
	}
	d.band()
	d.axis()
	d.legend()
	d.text.WriteString("</svg>\n")
	_, err := io.WriteString(w, d.text.String())
	return err
}

type drawing struct {
	*Chart
	text strings.Builder
	y    float64
}

func (d *drawing) begin() {
	height := headRoom + lineRoom*len(d.Lines) + axisRoom + legendRow*((len(d.Legend)+2)/3)
	if len(d.Band) > 0 {
		height += bandRoom + 8
	}
	fmt.Fprintf(&d.text,
		`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="%s" font-size="11">
<rect width="100%%" height="100%%" fill="white"/>
<text x="12" y="20" font-size="13" font-weight="bold">%s</text>
`, width, height, width, height, fonts, escaped(d.Title))
	d.y = headRoom
}

// x returns the horizontal place of a moment.
func (d *drawing) x(at time.Time) float64 {
	first, last := d.Times[0], d.Times[len(d.Times)-1]
	span := last.Sub(first)
	if span <= 0 {
		return left
	}
	return left + (width-left-right)*float64(at.Sub(first))/float64(span)
}

func (d *drawing) line(l *Line) {
	low, high, lastValue := l.bounds()
	fmt.Fprintf(&d.text, "<text x=\"12\" y=\"%.1f\">%s</text>\n", d.y+lineRoom/2, escaped(l.Name))
	if len(d.Times) > 0 && low <= high {
		fmt.Fprintf(&d.text,
			"<path d=\"%s\" fill=\"none\" stroke=\"#0072b2\" stroke-width=\"1.5\" "+
				"stroke-linejoin=\"round\" stroke-linecap=\"round\"><title>%s: %s to %s, last %s</title></path>\n",
			d.path(l, low, high), escaped(l.Name), number(low), number(high), number(lastValue))
		if l.Part && l.Target == l.Target {
			target := Line{Values: []float64{l.Target}}
			fmt.Fprintf(&d.text, "<path d=\"%sH%d\" fill=\"none\" stroke=\"#d55e00\" "+
				"stroke-dasharray=\"4 3\"><title>target %s</title></path>\n",
				strings.TrimSuffix(d.path(&target, low, high), "h0"), width-right, number(l.Target))
		}
		top, bottom := high, low
		if l.Down {
			top, bottom = low, high
		}
		fmt.Fprintf(&d.text, "<text x=\"%d\" y=\"%.1f\" fill=\"#555\">%s</text>\n", width-right+6, d.y+12, number(top))
		if low < high {
			fmt.Fprintf(&d.text, "<text x=\"%d\" y=\"%.1f\" fill=\"#555\">%s</text>\n", width-right+6,
				d.y+lineRoom-8, number(bottom))
		}
	}
	d.y += lineRoom
}

// path draws a line, with a gap where there is no value.
func (d *drawing) path(l *Line, low, high float64) string {
	var b strings.Builder
	every := (len(d.Times) + mostPoints - 1) / mostPoints
	pen := "M"
	for i := 0; i < len(d.Times) && i < len(l.Values); i += max(every, 1) {
		v := l.Values[i]
		if v != v {
			pen = "M"
			continue
		}
		part, point := l.height(v, low, high, 0.5), ""
		if pen == "M" {
			point = "h0" // a value between two gaps is a dot
		}
		fmt.Fprintf(&b, "%s%.1f %.1f%s", pen, d.x(d.Times[i]), d.y+lineRoom-10-(lineRoom-18)*part, point)
		pen = "L"
	}
	return b.String()
}

// band draws the states over time. Each period with one state is one box.
func (d *drawing) band() {
	if len(d.Band) == 0 || len(d.Times) == 0 {
		return
	}
	fmt.Fprintf(&d.text, "<text x=\"12\" y=\"%.1f\">waits for</text>\n", d.y+12)
	for i := 0; i < len(d.Band); {
		end := i + 1
		for end < len(d.Band) && d.Band[end] == d.Band[i] {
			end++
		}
		if d.Band[i] != "" {
			from, to := d.x(d.Times[i]), d.x(d.Times[min(end, len(d.Times)-1)])
			fmt.Fprintf(&d.text, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" "+
				"fill=\"%s\"><title>%s</title></rect>\n",
				from, d.y, max(to-from, 1), bandRoom, d.colour(d.Band[i]), escaped(d.Band[i]))
		}
		i = end
	}
	d.y += bandRoom + 8
}

func (d *drawing) colour(text string) string {
	for i, t := range d.Legend {
		if t == text && i < len(colours) {
			return colours[i]
		}
	}
	return grey
}

func (d *drawing) axis() {
	if len(d.Times) == 0 {
		return
	}
	zone := cmp.Or(d.Zone, time.UTC)
	first, last := d.Times[0], d.Times[len(d.Times)-1]
	fmt.Fprintf(&d.text, "<path d=\"M%d %.1fH%d\" stroke=\"#999\"/>\n", left, d.y, width-right)
	fmt.Fprintf(&d.text, "<text x=\"%d\" y=\"%.1f\">%s</text>\n", left, d.y+14, first.In(zone).Format("2006-01-02 15:04"))
	fmt.Fprintf(&d.text, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n", width-right, d.y+14,
		last.In(zone).Format("2006-01-02 15:04 MST"))
	d.y += axisRoom
}

func (d *drawing) legend() {
	for i, t := range d.Legend {
		x, y := left+(i%3)*200, d.y+float64(i/3*legendRow)
		fmt.Fprintf(&d.text, "<rect x=\"%d\" y=\"%.1f\" width=\"10\" height=\"10\" fill=\"%s\"/><text "+
			"x=\"%d\" y=\"%.1f\">%s</text>\n",
			x, y, d.colour(t), x+14, y+9, escaped(t))
	}
}

// number prints a value in few digits.
func number(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.5g", v)
}

func escaped(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(strings.ToValidUTF8(text, "\uFFFD"))) // a builder in memory accepts everything
	return b.String()
}

// Spark prints a line with at most most block characters. A missing value is a blank.
func Spark(l *Line, most int) string {
	const blocks = "▁▂▃▄▅▆▇█"
	some := Line{Values: sampled(l.Values, most), Down: l.Down}
	low, high, _ := some.bounds()
	var b strings.Builder
	for _, v := range some.Values {
		if v != v {
			b.WriteByte(' ')
			continue
		}
		b.WriteString(string([]rune(blocks)[int(math.Round(some.height(v, low, high, 0)*7))]))
	}
	return b.String()
}

// sampled chooses at most most values, evenly spread. The first and the last value are among them.
func sampled(values []float64, most int) []float64 {
	if len(values) <= most || most < 2 {
		return values
	}
	out := make([]float64, most)
	for i := range out {
		out[i] = values[i*(len(values)-1)/(most-1)]
	}
	return out
}
