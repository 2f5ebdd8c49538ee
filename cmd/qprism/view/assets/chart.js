// Charts over time: values on hover, zoom by drag, arrows and + - 0 on the keyboard.
import { given, remember } from "./ask.js"
import { moment, number, percent, span } from "./format.js"
import { el } from "./make.js"
import { colorNames, draw } from "./plot.js"

/** over are the times of moments, in seconds. */
export const over = moments => moments.map(m => new Date(m.taken_at).getTime() / 1000)

/** apart says how far samples are apart, so that nobody takes what lies between for known. */
export function apart(times) {
  const gaps = times.slice(1).map((t, i) => t - times[i])
  return `a sample every ${span(gaps.sort((a, b) => a - b)[Math.floor(gaps.length / 2)])}`
}

/** length says how long the samples are: 30 days, or what is known of them. */
export const length = times => span(times.at(-1) - times[0])

/** chart draws series over times. Options: stacked, small, down (1 on top), top (end of the scale), unit.
    A series that is a target is dashed, in the color of the one before it. */
export function chart(title, times, series, options = {}) {
  const canvas = el("div", { class: "plot" + (options.small ? " small" : options.stacked ? " tall" : "") })
  const said = el("p", { class: "soft readout", "aria-live": "polite" })
  const drawn = {
    times,
    series,
    options,
    colors: colorsOf(series),
    canvas,
    plot: undefined,
    tell: undefined,
    zoomed: undefined,
  }
  drawn.tell = at => {
    said.textContent = inWords(drawn, at ?? times.length - 1)
  }
  const place = el(
    "div",
    {
      class: "graph",
      tabindex: 0,
      role: "group",
      "aria-label": `${title}. Left and right arrow: values. Plus and minus: zoom. 0: all.`,
    },
    el("h3", {}, title),
    legend(drawn),
    canvas,
    said,
  )
  drawn.zoomed = scale => zoomed(drawn, scale)
  together.push(drawn)
  new ResizeObserver(() => draw(drawn)).observe(canvas)
  redrawn(drawn)
  place.addEventListener("keydown", e => key(e, drawn))
  drawn.tell()
  return place
}

/** together are charts that zoom together, where they have the same times; those that are gone leave it. */
let together = []

/** zoomed keeps the zoom of a chart in the address, and has the others follow. */
function zoomed(drawn, { min, max }) {
  const { times } = drawn,
    whole = min <= times[0] && max >= times.at(-1),
    zoom = whole ? "" : `${Math.round(min)}_${Math.round(max)}`
  if (zoom === given("zoom")) return
  remember("zoom", zoom)
  together = together.filter(other => other.canvas.isConnected)
  for (const other of together) {
    if (other !== drawn && other.times[0] < max && other.times.at(-1) > min)
      other.plot?.setScale("x", { min, max })
  }
}

const dark = matchMedia("(prefers-color-scheme: dark)")

/** redrawn has a chart drawn anew in the colors of the other theme. */
function redrawn(drawn) {
  const renew = () => {
    if (!drawn.canvas.isConnected) return dark.removeEventListener("change", renew)
    drawn.plot?.destroy()
    drawn.plot = undefined
    draw(drawn)
  }
  dark.addEventListener("change", renew)
}

/** colorsOf are places in colorNames. */
function colorsOf(series) {
  let used = -1
  return series.map(s => (s.target ? used : ++used) % colorNames.length)
}

function legend({ series, colors, options }) {
  const keys = series.map(
    (s, i) => !s.target && el("span", {}, el("i", { class: "key c" + colors[i] }), s.name),
  )
  const dashed = series.some(s => s.target) && el("span", {}, "- - target")
  const rest = options.rest && el("span", {}, el("i", { class: "key rest" }), options.rest)
  return series.length > 1 ? el("div", { class: "legend" }, keys, dashed, rest) : ""
}

/** part is a value in percent. */
const part = value => percent(typeof value === "number" ? value / 100 : null)

/** inWords are the values of a moment. */
function inWords({ times, series, options }, at) {
  const i = Math.min(at, times.length - 1) // a step ends after the last sample
  const values = series
    .filter(s => !s.target)
    .map(s => `${s.name} ${options.unit === " %" ? part(s.values[i]) : number(s.values[i])}`)
  return `${moment(times[i] * 1000)}: ${values.join(" · ")}`
}

function key(event, { plot, times, tell }) {
  if (!plot || event.ctrlKey || event.metaKey || event.altKey) return
  const { min, max } = plot.scales.x,
    at = plot.cursor.idx ?? times.length - 1
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key],
    zoom = { "+": 0.5, "-": 2 }[event.key]
  if (step) {
    const next = Math.max(0, Math.min(times.length - 1, at + step))
    plot.setCursor({ left: plot.valToPos(times[next], "x"), top: 0 })
    tell(next)
  } else if (zoom) {
    const middle = Math.min(max, Math.max(min, times[at])),
      half = (zoom * (max - min)) / 2
    plot.setScale("x", { min: Math.max(times[0], middle - half), max: Math.min(times.at(-1), middle + half) })
  } else if (event.key === "0") plot.setScale("x", { min: times[0], max: times.at(-1) })
  else return
  event.preventDefault()
}
