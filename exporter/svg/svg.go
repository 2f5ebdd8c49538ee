package svg

import (
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"qprism/engine/model"
)

// Draw writes the diagram of a plan's schedule lines as an SVG document. A resource in Utilization has a row
// even if no job uses it, so the picture shows idle places. Utilization also has its capacity. The picture has
// at most mostRows rows and mostBlocks blocks, and says what it omits. Lines in the state Predicted make the
// picture a forecast. The picture prints times in the zone, and names the zone.
func Draw(w io.Writer, p *model.Plan, zone *time.Location) error {
	d := &drawing{plan: p, now: now(p).In(zone), predicted: predictions(p)}
	d.rows, d.leftOut = rowsOf(p, d.now)
	d.axis = newAxis(d.now, d.rows)
	d.leftOut = append(d.leftOut, beyond(d.axis, d.rows)...)
	for _, r := range d.rows {
		r.pack()
	}
	d.layOut()
	d.open()
	d.heading()
	d.background()
	d.ticks()
	for _, r := range d.rows {
		d.row(r)
	}
	d.present()
	d.footer()
	d.close()
	_, err := io.WriteString(w, d.text.String())
	return err
}

// Limits of a picture.
const (
	mostRows   = 200
	mostBlocks = 20_000
)

// Measures in pixels.
const (
	width     = 1200
	margin    = 16
	headRoom  = 84 // title, legend and the axis above
	axisRoom  = 34
	lineRoom  = 16 // a line of the footer
	gap       = 3  // between rows
	labelFont = 11
)

// A drawing is a picture while it is drawn.
type drawing struct {
	plan      *model.Plan
	now       time.Time // in the zone of the picture
	predicted int       // number of predicted tasks
	rows      []*row
	leftOut   []string // what the picture does not show, line by line
	axis      axis
	left      float64 // where the time axis begins, after the labels
	bottom    float64 // lower end of the rows
	height    float64
	text      strings.Builder
}

// now returns the moment of the run. If the plan does not have it, now returns the last start of a task.
func now(p *model.Plan) time.Time {
	last := p.RunAt
	if !last.IsZero() {
		return last
	}
	for _, l := range p.Lines {
		if l.State != reserving && l.Start.After(last) {
			last = l.Start
		}
	}
	if last.IsZero() {
		return time.Unix(0, 0)
	}
	return last
}

// predictions counts the tasks that are predicted to start.
func predictions(p *model.Plan) int {
	tasks := map[[2]uint32]bool{}
	for _, l := range p.Lines {
		if l.State == Predicted {
			tasks[[2]uint32{l.Job, l.Task}] = true
		}
	}
	return len(tasks)
}

// layOut gives every row its place. A row with more jobs at the same time is higher, if there is room for all
// rows.
func (d *drawing) layOut() {
	longest, lanes := 0, 0
	for _, r := range d.rows {
		longest = max(longest, utf8.RuneCountInString(r.label())+len(r.bounds()))
		lanes += r.lanes
	}
	d.left = margin + min(max(float64(longest)*0.56*labelFont, 60), 320) + 8
	lane := min(max(1200/float64(max(lanes, 1)), 1), 22)
	least := 14.0
	if len(d.rows) <= 12 {
		least = 30
	} else if len(d.rows) <= 60 {
		least = 20
	}
	y := float64(headRoom)
	for _, r := range d.rows {
		r.y, r.height = y, min(max(float64(r.lanes)*lane, least), 160)
		if r.level != "Q" && r.level != "H" { // resources of the whole cluster
			r.height = max(r.height, 40)
		}
		y += r.height + gap
	}
	d.bottom = max(y, headRoom+least)
	d.height = d.bottom + axisRoom + float64(len(d.leftOut)+2)*lineRoom + margin/2
}

// x returns the horizontal place of a moment, within the ends of the axis.
func (d *drawing) x(t int64) float64 {
	share := float64(t-d.axis.from) / float64(d.axis.to-d.axis.from)
	return d.left + min(max(share, 0), 1)*(width-margin-d.left)
}

// Colours and patterns: light, dark and hatched, so that they differ without colour too. Readers who prefer
// a dark screen get one, where the viewer tells.
//
//go:embed style.css
var style string

func (d *drawing) open() {
	d.printf(`<svg xmlns="http://www.w3.org/2000/svg" role="img" width="%d" height="%s" viewBox="0 0 %d %s">`+
		"\n", width, px(d.height), width,
		px(d.height))
	d.printf("<title>%s</title>\n<style>\n%s</style>\n", d.title(), style)
	d.printf(
		`<defs><pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">` +
			`<rect width="7" height="7" class="hatch"/><rect width="2.4" height="7" class="stripe"/></pattern>` +
			`<pattern id="dots" width="5" height="5" patternUnits="userSpaceOnUse"><rect width="5" height="5" class="dots"/><circle cx="2.5" cy="2.5" r="1.1" class="dot"/></pattern>` + "\n")
	d.printf(`<clipPath id="labels"><rect x="0" y="0" width="%s" height="%s"/></clipPath></defs>`+"\n",
		px(d.left-4), px(d.height))
	d.printf(`<rect width="%d" height="%s" class="page"/>`+"\n", width, px(d.height))
}

func (d *drawing) close() { d.printf("</svg>\n") }

func (d *drawing) title() string {
	what := "Scheduler run at "
	switch {
	case d.plan.RunAt.IsZero():
		return "Resource diagram"
	case d.predicted > 0:
		what = "Forecast from "
	}
	return what + d.now.Format("2006-01-02 15:04:05 MST")
}

// heading writes the title, the counts and the legend.
func (d *drawing) heading() {
	d.printf(`<text x="%d" y="26" class="title">%s</text>`+"\n", margin, d.title())
	d.printf(`<text x="%d" y="44" class="small">%s</text>`+"\n", margin, d.counts())
	seen := map[string]bool{}
	for _, r := range d.rows {
		for _, b := range r.blocks {
			seen[b.class] = true
		}
	}
	x := float64(width - margin)
	for i := len(classes) - 1; i >= 0; i-- {
		c := classes[i]
		if !seen[c.name] && (!c.always || d.predicted > 0) {
			continue
		}
		x -= float64(len(c.words))*6.2 + 34
		d.printf(
			`<rect x="%s" y="15" width="20" height="13" class="%s"/><text x="%s" y="26" class="small">%s</text>`+
				"\n", px(x), c.name,
			px(x+26), c.words)
	}
}

// counts says how many tasks start, get a reservation, and wait.
func (d *drawing) counts() string {
	if d.predicted > 0 {
		return fmt.Sprintf("tasks predicted to start: %d", d.predicted)
	}
	starts, reserved, waiting := 0, 0, map[uint32]bool{}
	for i := range d.plan.Decisions {
		switch j := &d.plan.Decisions[i]; j.Verdict {
		case model.Now:
			starts++
		case model.Later:
			reserved++
		case model.Never:
			waiting[j.Job] = true
		}
	}
	return fmt.Sprintf("tasks that start: %d · with a reservation: %d · jobs that wait without reservation: %d",
		starts, reserved, len(waiting))
}

// background draws the area behind the blocks of every row, and the label of the row.
func (d *drawing) background() {
	for _, r := range d.rows {
		d.printf(`<rect x="%s" y="%s" width="%s" height="%s" class="track"/>`+"\n", px(d.left),
			px(r.y), px(width-margin-d.left), px(r.height))
	}
	d.printf(`<g clip-path="url(#labels)" font-size="%d" text-anchor="end">`+"\n", labelFont)
	for _, r := range d.rows {
		d.printf(`<text x="%s" y="%s">%s%s<title>%s</title></text>`+"\n",
			px(d.left-8), px(r.y+r.height/2+labelFont*0.35), escape(r.label()), r.capacity(), escape(r.full()))
	}
	d.printf("</g>\n")
}

// ticks draws the time axis above and below the rows.
func (d *drawing) ticks() {
	marks := d.axis.marks()
	for _, m := range marks {
		x := px(d.x(m.at))
		d.printf(`<path d="M%s %d V%s" class="grid"/>`+"\n", x, headRoom-4, px(d.bottom+4))
		for _, y := range []float64{headRoom - 8, d.bottom + 16} {
			d.printf(`<text x="%s" y="%s" class="small" text-anchor="middle">%s</text>`+"\n", x, px(y), m.text)
		}
		if m.date != "" {
			d.printf(`<text x="%s" y="%s" class="date" text-anchor="middle">%s</text>`+"\n", x, px(d.bottom+30), m.date)
		}
	}
}

// present draws the line at the moment of the run.
func (d *drawing) present() {
	x := px(d.x(second(d.now)))
	d.printf(
		`<path d="M%s %d V%s" class="now"/><text x="%s" y="%d" class="nowtext" text-anchor="middle">now</text>`+
			"\n", x, headRoom-4,
		px(d.bottom+2), x, headRoom-20)
}

// row draws the blocks of a row. If they need more than the capacity, it also draws the capacity.
func (d *drawing) row(r *row) {
	scale := r.height / r.scale()
	for i := range r.blocks {
		d.block(r, &r.blocks[i], scale)
	}
	if r.total > 0 && r.top > r.total*(1+1e-9) {
		y := px(r.y + r.height - r.total*scale)
		d.printf(
			`<path d="M%s %s H%d" class="limit"><title>capacity %s: more is booked than the capacity</title></path>`+
				"\n", px(d.left), y,
			width-margin, amount(r.total))
	}
}

// block draws one block, from below: the first job of a row is at its bottom.
func (d *drawing) block(r *row, b *block, scale float64) {
	if b.to < d.axis.from || b.from > d.axis.to {
		return
	}
	x, end := d.x(b.from), d.x(b.to)
	wide, high := max(end-x, 1.5), max(b.amount*scale, 1)
	y := r.y + r.height - b.low*scale - high
	d.printf(`<g><title>%s</title><rect x="%s" y="%s" width="%s" height="%s" class="%s" stroke-width="%s"/>`,
		escape(b.tooltip(r)), px(x), px(y), px(wide), px(high), b.class, px(min(1, high/6)))
	if size := min(high-2, labelFont); size >= 8 && float64(len(b.name))*0.6*size+4 <= wide {
		d.printf(`<text x="%s" y="%s" font-size="%s" text-anchor="middle" class="on-%s">%s</text>`,
			px(x+wide/2), px(y+high/2+size*0.36),
			px(size), b.class, b.name)
	}
	if b.to > d.axis.to && high >= 5 {
		middle := y + high/2
		d.printf(`<path d="M%s %s l5 3 l-5 3 z" class="more"/>`, px(end-8), px(middle-3))
	}
	d.printf("</g>\n")
}

// footer explains the picture, and says what it does not show.
func (d *drawing) footer() {
	y := d.bottom + axisRoom + lineRoom*0.75
	lines := append([]string{"Block height = amount used; gaps = free; ▸ = continues. Times are " +
		d.now.Format("MST") + "."}, d.leftOut...)
	if slices.ContainsFunc(d.rows, (*row).cut) {
		lines = append(lines, "cut: only the lower part of the capacity is drawn; the rest is never used.")
	}
	for _, text := range lines {
		d.printf(`<text x="%d" y="%s" class="small">%s</text>`+"\n", margin, px(y), escape(text))
		y += lineRoom
	}
}
