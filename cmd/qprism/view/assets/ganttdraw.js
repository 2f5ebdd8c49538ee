// How a chart of hosts over time is drawn.
import { end, kinds, part } from "./bookings.js"
import { clockAt, dayAt } from "./format.js"
import { style } from "./plot.js"

function lineTo(c, x1, y1, x2, y2) {
  c.moveTo(x1, y1)
  c.lineTo(x2, y2)
}

export const axisHeight = 40

const steps = [60, 300, 600, 1800, 3600, 7200, 14400, 21600, 43200, 86400, 172800, 604800, 2592000]

/** drawAxis draws times above the rows, and a line at the moment of the run. */
export function drawAxis(c, view, width, height) {
  const start = view.start / 1000,
    zone = -60 * new Date(view.start).getTimezoneOffset(),
    span = view.to - view.from
  const step = steps.find(s => (span / s) * 88 < width - view.left) ?? steps.at(-1)
  let day = ""
  c.fillStyle = style("--soft")
  c.strokeStyle = style("--line")
  c.textAlign = "center"
  c.beginPath()
  const first = Math.ceil((start + view.from + zone) / step) * step - zone - start
  for (let at = first; at < view.to; at += step) {
    const x = Math.round(view.x(at)) + 0.5,
      when = new Date((start + at) * 1000)
    lineTo(c, x, axisHeight - 4, x, height)
    const low = axisHeight - 10
    if (step < 86400 && !isNear(view, x)) label(c, clockAt(when), x, low, width)
    if (dayAt(when) !== day) label(c, (day = dayAt(when)), x, step < 86400 ? 12 : low, width)
  }
  c.stroke()
}

/** label writes a time or a day, all of it within the chart. */
function label(c, text, x, y, width) {
  c.fillText(text, Math.min(x, width - c.measureText(text).width / 2), y)
}

/** isNear reports whether a label would lie under that of the moment of the run. */
const isNear = (view, x) => view.from <= 0 && view.to >= 0 && Math.abs(x - view.x(0)) < 56

/** drawNow draws a line at the moment of the run. */
export function drawNow(c, view, height) {
  if (view.from > 0 || view.to < 0) return
  const x = view.x(0),
    text = "now " + clockAt(new Date(view.start)),
    wide = c.measureText(text).width + 8
  c.strokeStyle = c.fillStyle = style("--bad")
  c.lineWidth = 2
  c.beginPath()
  lineTo(c, x, axisHeight - 4, x, height)
  c.stroke()
  c.fillRect(x - wide / 2, axisHeight - 22, wide, 18)
  c.fillStyle = style("--card")
  c.textAlign = "center"
  c.fillText(text, x, axisHeight - 9)
}

/** topOf is the height of a row in slots: those of the place, or more where more are in use. */
export const topOf = (row, pieces) =>
  [...pieces.values()].flat().reduce((top, [low, amount]) => Math.max(top, low + amount), row.total || 1)

/** drawBlocks draws the jobs of one place, each as high as the slots that it uses. */
export function drawBlocks(c, view, row, y, blocks, pieces, fills, on) {
  const scale = (row.height - 3) / topOf(row, pieces)
  for (const b of blocks) {
    if (end(b) < view.from || b[part.from] > view.to) continue
    const x = Math.max(view.left, view.x(b[part.from])),
      wide = Math.max(1.5, Math.min(view.x(end(b)), view.right) - x)
    for (const [low, amount] of pieces.get(b)) {
      const high = Math.max(1.5, amount * scale),
        top = y + row.height - 2 - low * scale - high
      c.fillStyle = fills[b[part.kind]]
      c.fillRect(x, top, wide, high)
      c.strokeStyle = b === on ? style("--ink") : style("--card")
      c.lineWidth = b === on ? 3 : 1
      if (wide > 3 && high >= 5) c.strokeRect(x, top, wide, high)
      name(c, view, b, x, top, wide, high)
    }
  }
}

/** beside is the middle of a label that the line of the present does not cross; undefined without room. */
function beside(now, x, wide, room) {
  const places = [x + wide / 2, now + room / 2, now - room / 2]
  return places.find(at => Math.abs(at - now) >= room / 2 && at - room / 2 >= x && at + room / 2 <= x + wide)
}

/** name writes the number of a job where there is room. */
function name(c, view, block, x, top, wide, high) {
  const text = view.jobs[block[part.job]][0],
    room = c.measureText(text).width + 8
  if (high < 13 || wide < room) return
  const at = beside(view.x(0), x, wide, room)
  if (at === undefined) return
  c.textAlign = "center"
  c.fillStyle = style("--card")
  if (block[part.kind] !== "running") c.fillRect(at - room / 2, top + high / 2 - 7, room, 14)
  c.fillStyle = block[part.kind] === "running" ? "#10151a" : style("--ink")
  c.fillText(text, at, top + high / 2 + 4)
}

/** drawDensity draws how full many places are together, one kind above the other. */
export function drawDensity(c, view, row, y, sums, fills) {
  const n = view.right - view.left,
    ground = new Float64Array(n),
    high = row.height - 4
  for (const kind of Object.keys(kinds)) {
    c.fillStyle = fills[kind]
    c.beginPath()
    for (let i = 0; i < n; i++) {
      const amount = Math.min(sums[kind][i], Math.max(0, row.total - ground[i]))
      if (amount <= 0) continue
      const top = (high * (ground[i] + amount)) / row.total
      c.rect(view.left + i, y + row.height - 2 - top, 1, (high * amount) / row.total)
      ground[i] += amount
    }
    c.fill()
  }
}

/** drawLabel names a row, and draws its ground. */
export function drawLabel(c, view, row) {
  c.fillStyle = style("--ground")
  c.fillRect(view.left, row.y + 1, view.right - view.left, row.height - 3)
  c.fillStyle = style(row.group === undefined ? "--soft" : "--ink")
  c.textAlign = "left"
  let text = row.name
  while (c.measureText(text).width > view.left - 8 && text.length > 4) text = text.slice(0, -2) + "…"
  c.fillText(text, 0, row.y + Math.min(row.height, 32) / 2 + 4)
}

/** drawSelection shows what a drag zooms to. */
export function drawSelection(c, [a, b], height) {
  c.globalAlpha = 0.2
  c.fillStyle = style("--accent")
  c.fillRect(Math.min(a, b), axisHeight, Math.abs(b - a), height)
  c.globalAlpha = 1
}
