// The chart of hosts over time: groups that open, zoom, and a job under the pointer.
import { ask, given, remember } from "./ask.js"
import { blocksByPlace, density, rowsOf, stacked, whole } from "./bookings.js"
import {
  axisHeight,
  drawAxis,
  drawBlocks,
  drawDensity,
  drawLabel,
  drawNow,
  drawSelection,
} from "./ganttdraw.js"
import { advice, head, key, pointer } from "./gantthand.js"
import { fillsOf } from "./patterns.js"
import { el, empty, later } from "./make.js"

/** gantt asks when the chart is about to be seen: a forecast of a large cluster takes long. */
export function gantt(question) {
  const place = el("div", { class: "gantt-place" })
  const seen = entries => {
    if (!entries.some(e => e.isIntersecting)) return
    watch.disconnect()
    place.replaceChildren(later(ask(question), data => new Gantt(data, question).shown()))
  }
  const watch = new IntersectionObserver(seen, { rootMargin: "200px" })
  watch.observe(place)
  return place
}

const help = "Hosts over time. Arrow keys go from job to job, Enter opens a job; + and - zoom, 0 shows all."

export class Gantt {
  constructor(data, question) {
    this.data = data
    this.question = question
    this.open = new Set() // groups
    this.lows = new Map()
    this.on = this.fills = undefined // the job under the pointer
    this.drawn = undefined // the ends of a drag
    this.byPlace = blocksByPlace(data)
    this.all = whole(data)
    const [from, to] = given(question).split("_").map(Number)
    this.span = to > from ? { from, to } : this.all
    this.rows = rowsOf(data, this.open)
  }

  shown() {
    if (!this.data.places.length) return empty("The bundle does not list hosts.")
    this.canvas = el("canvas", { "aria-hidden": "true" })
    this.rest = el("div", {})
    this.box = el(
      "div",
      { class: "gantt", tabindex: 0, role: "group", "aria-label": help, onscroll: () => this.later() },
      this.canvas,
      this.rest,
    )
    this.said = el("p", { class: "soft readout", "aria-live": "polite" }, advice(this))
    pointer(this)
    this.box.addEventListener("keydown", e => key(this, e))
    new ResizeObserver(() => this.later()).observe(this.box)
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      this.fills = undefined
      this.later()
    })
    return [head(this), this.box, this.said]
  }

  /** show shows a span of time, and keeps it in the address. */
  show(span) {
    if (span.to - span.from < 60) return
    this.span = span
    remember(this.question, span === this.all ? "" : `${Math.round(span.from)}_${Math.round(span.to)}`)
    this.later()
  }

  /** turn opens a group, or closes it. */
  turn(group) {
    if (!this.open.delete(group)) this.open.add(group)
    this.rows = rowsOf(this.data, this.open)
    this.later()
  }

  low(place) {
    if (!this.lows.has(place)) this.lows.set(place, stacked(this.byPlace[place], this.data.places[place]))
    return this.lows.get(place)
  }

  later() {
    this.waits ??= requestAnimationFrame(() => {
      this.waits = undefined
      if (this.box.isConnected) this.draw()
    })
  }

  /** measure gives each row its place, and times theirs. */
  measure(width) {
    let y = 0
    for (const row of this.rows) {
      row.y = y
      y += row.height
    }
    const left = Math.min(176, Math.round(width * 0.3)),
      { from, to } = this.span
    const x = t => left + ((width - left) * (t - from)) / (to - from)
    const time = at => from + ((to - from) * (at - left)) / (width - left)
    const start = new Date(this.data.from).getTime()
    this.view = { left, right: width, from, to, x, time, start, jobs: this.data.jobs }
    return y
  }

  draw() {
    const width = this.box.clientWidth,
      whole = this.measure(width),
      high = Math.min(480, whole + axisHeight)
    this.rest.style.height = whole + axisHeight - high + "px"
    const ratio = devicePixelRatio || 1,
      c = this.canvas.getContext("2d")
    this.canvas.width = width * ratio
    this.canvas.height = high * ratio
    this.canvas.style.height = high + "px"
    c.scale(ratio, ratio)
    c.font = "12px " + getComputedStyle(document.body).fontFamily
    drawAxis(c, this.view, width, high)
    this.fills ??= fillsOf(c)
    c.save()
    c.beginPath()
    c.rect(0, axisHeight, width, high - axisHeight)
    c.clip()
    c.translate(0, axisHeight - this.box.scrollTop)
    for (const row of this.rows) if (this.isSeen(row, high)) this.drawRow(c, row)
    c.restore()
    drawNow(c, this.view, high)
    if (this.drawn) drawSelection(c, this.drawn, high)
  }

  isSeen(row, high) {
    return row.y + row.height > this.box.scrollTop && row.y < this.box.scrollTop + high
  }

  drawRow(c, row) {
    const { view, fills } = this
    drawLabel(c, view, row)
    if (row.group === undefined) {
      const [p] = row.places
      return drawBlocks(c, view, row, row.y, this.byPlace[p], this.low(p), fills, this.on)
    }
    const blocks = row.places.flatMap(p => this.byPlace[p])
    drawDensity(c, view, row, row.y, density(blocks, view.from, view.to, view.right - view.left), fills)
  }
}
