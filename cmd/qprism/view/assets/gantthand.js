// What pointers and keys do in the chart of hosts over time.
import { jobAddress } from "./ask.js"
import { density, end, kinds, part } from "./bookings.js"
import { count, moment, number, span } from "./format.js"
import { axisHeight, topOf } from "./ganttdraw.js"
import { el } from "./make.js"

/** advice says what the chart shows, and what one can do. */
export function advice({ data, rows }) {
  const places = count(data.places.length, data.unit === "slots" ? "queue instance" : "vnode")
  const groups = rows.some(row => row.group !== undefined) ? " Click a group to see its hosts." : ""
  const hand = "Point at a job to see it, click to open it, drag to zoom."
  return `${places}. The height shows ${data.unit} in use. ${hand}${groups}`
}

/** head has the legend, and buttons for those who do not drag. */
export function head(chart) {
  const used = new Set(chart.data.blocks.map(b => b[part.kind])),
    named = Object.keys(kinds).filter(kind => used.has(kind))
  const sign = kind => el("span", {}, el("i", { class: "key kind-" + kind }), kinds[kind])
  const button = (text, says, act) =>
    el("button", { type: "button", title: says, "aria-label": says, onclick: act }, text)
  return el(
    "div",
    { class: "gantt-head" },
    el("div", { class: "legend" }, named.map(sign)),
    el(
      "div",
      {},
      button("←", "Earlier", () => move(chart, -0.5)),
      button("→", "Later", () => move(chart, 0.5)),
      button("−", "Zoom out", () => zoom(chart, 2)),
      button("+", "Zoom in", () => zoom(chart, 0.5)),
      button("All", "Show all", () => chart.show(chart.all)),
    ),
  )
}

/** pointer has the chart follow a pointer: a job under it, a drag that zooms, a click that opens. */
export function pointer(chart) {
  const { canvas } = chart
  let grip
  const spot = e => [e.offsetX, e.offsetY - axisHeight + chart.box.scrollTop]
  canvas.addEventListener("pointerdown", e => (grip = e.offsetX))
  canvas.addEventListener("pointermove", e => {
    const [x, y] = spot(e),
      row = chart.rows.find(r => y >= r.y && y < r.y + r.height)
    chart.drawn = e.buttons && Math.abs(x - grip) > 4 ? [grip, x] : undefined
    chart.on = row?.group === undefined && row ? blockAt(chart, row, x, y) : undefined
    canvas.style.cursor = chart.on || row?.group !== undefined ? "pointer" : "crosshair"
    if (row) tell(chart, row, x)
    chart.later()
  })
  canvas.addEventListener("pointerup", e => {
    const [x, y] = spot(e),
      drawn = chart.drawn,
      row = chart.rows.find(r => y >= r.y && y < r.y + r.height)
    chart.drawn = undefined
    if (drawn) return chart.show(between(chart, ...drawn))
    if (row?.group !== undefined) return chart.turn(row.group)
    if (row && (chart.on = blockAt(chart, row, x, y))) openJob(chart)
  })
  canvas.addEventListener("dblclick", () => chart.show(chart.all))
}

function between({ view }, a, b) {
  return { from: view.time(Math.max(view.left, Math.min(a, b))), to: view.time(Math.max(a, b)) }
}

/** blockAt is the job at a point of a row, else one at that time. */
function blockAt(chart, row, x, y) {
  const [place] = row.places,
    t = chart.view.time(x)
  const pieces = chart.low(place),
    level = ((row.y + row.height - y) * topOf(row, pieces)) / row.height
  const here = chart.byPlace[place].filter(b => b[part.from] <= t && end(b) > t)
  const isAt = ([low, amount]) => level >= low && level < low + amount
  return here.find(b => pieces.get(b).some(isAt)) ?? here[0]
}

function openJob({ said }) {
  said.querySelector("a")?.click()
}

/** tell says what is at a point: whose job, why it waits, until when; or how full a group is. */
function tell(chart, row, x) {
  const { data, view, on, said } = chart
  const when = t => moment(view.start + 1000 * t)
  if (on) return said.replaceChildren(...jobWords(data, on, when))
  if (row.group === undefined) return said.replaceChildren(`${row.name}: free at ${when(view.time(x))}.`)
  const t = view.time(x),
    blocks = row.places.flatMap(p => chart.byPlace[p]),
    sums = density(blocks, t, t + 1, 1)
  const parts = Object.keys(kinds).filter(kind => sums[kind][0] > 0)
  const words = parts.map(kind => `${number(sums[kind][0])} ${kinds[kind]}`).join(", ")
  said.replaceChildren(
    `${when(t)}, ${row.name.slice(2)}: of ${number(row.total)} ${data.unit} ${words || "none in use"}.`,
  )
}

function jobWords(data, block, when) {
  const [id, owner, why] = data.jobs[block[part.job]],
    ends = block[part.to] === null ? "no limit" : `at most until ${when(block[part.to])}`
  const long = block[part.to] === null ? "" : ` (${span(block[part.to] - block[part.from])})`
  const slots = `${number(block[part.amount])} ${data.unit} on ${data.places[block[part.place]].name}`
  return [
    el("a", { href: jobAddress(id) }, "Job " + id),
    ` of ${owner}, ${kinds[block[part.kind]]}: ${slots}, from ${when(block[part.from])}, ${ends}${long}`,
    why ? `; waits because: ${why}` : "",
  ]
}

/** key zooms, moves, and goes from job to job in the order of their starts. */
export function key(chart, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const acts = {
    "+": () => zoom(chart, 0.5),
    "-": () => zoom(chart, 2),
    0: () => chart.show(chart.all),
    ArrowRight: () => step(chart, 1),
    ArrowLeft: () => step(chart, -1),
    Enter: () => event.target === chart.box && openJob(chart),
  }
  if (!acts[event.key]) return
  event.preventDefault()
  acts[event.key]()
}

function step(chart, by) {
  const list = (chart.order ??= [...chart.data.blocks].sort((a, b) => a[part.from] - b[part.from]))
  const next = chart.on ? list.indexOf(chart.on) + by : 0
  chart.on = list[Math.max(0, Math.min(list.length - 1, next))]
  if (chart.on) tell(chart, {}, 0)
  chart.later()
}

/** zoom shows more or less time around the middle, move an earlier or later time. */
export function zoom(chart, by) {
  const { from, to } = chart.span,
    half = (by * (to - from)) / 2,
    middle = (from + to) / 2
  chart.show({ from: middle - half, to: middle + half })
}

export function move(chart, by) {
  const { from, to } = chart.span,
    far = by * (to - from)
  chart.show({ from: from + far, to: to + far })
}
