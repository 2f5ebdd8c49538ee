// Charts over time: values on hover, zoom by drag, arrows and + - 0 on the keyboard.
import uPlot from "./vendor/uplot.js"
import { moment, number } from "./format.js"
import { el } from "./make.js"

/** over are the times of moments, in seconds. */
export const over = moments => moments.map(m => new Date(m.taken_at).getTime() / 1000)

const colorNames = ["--tickets", "--urgency", "--posix", "--rose", "--sky", "--brick", "--sand", "--other"]
const style = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim()
const dark = matchMedia("(prefers-color-scheme: dark)")

/** stack adds each series to those before it. */
function stack(series) {
  const sums = series[0].values.map(() => 0)
  return series.map(s => s.values.map((v, i) => (sums[i] += v ?? 0)))
}

/** chart draws series over times. Options: stacked, small, down (1 on top), top (end of the scale), unit. */
export function chart(title, times, series, options = {}) {
  const colors = series.map((_, i) => colorNames[i % colorNames.length])
  const keys = series.map((s, i) =>
    el("span", {}, el("i", { class: "key c" + (i % colorNames.length) }), s.name),
  )
  const canvas = el("div", { class: "plot" + (options.small ? " small" : options.stacked ? " tall" : "") })
  const said = el("p", { class: "soft readout", "aria-live": "polite" })
  const place = el(
    "div",
    {
      class: "graph",
      tabindex: 0,
      role: "group",
      "aria-label": `${title}. Left and right arrow: values. Plus and minus: zoom. 0: all.`,
    },
    el("h3", {}, title),
    series.length > 1 ? el("div", { class: "legend" }, keys) : "",
    canvas,
    said,
  )
  const tell = at => {
    const i = at ?? times.length - 1
    const values = series.map(s => `${s.name} ${number(s.values[i])}${options.unit ?? ""}`).join(" · ")
    said.textContent = `${moment(times[i] * 1000)}: ${values}`
  }
  const drawn = { times, series, options, colors, canvas, tell, plot: undefined }
  new ResizeObserver(() => draw(drawn)).observe(canvas)
  dark.addEventListener("change", () => {
    drawn.plot?.destroy()
    drawn.plot = undefined
    draw(drawn)
  })
  tell(times.length - 1)
  place.addEventListener("keydown", e => key(e, drawn))
  return place
}

function draw(drawn) {
  const { canvas, options } = drawn,
    width = canvas.clientWidth,
    height = options.small ? 128 : options.stacked ? 272 : 208
  if (!width) return
  if (drawn.plot) drawn.plot.setSize({ width, height })
  else drawn.plot = new uPlot({ width, height, ...settings(drawn) }, dataOf(drawn), canvas)
}

/** dataOf are times and values; the highest area is drawn first, behind the others. */
function dataOf({ times, series, options }) {
  const values = options.stacked ? stack(series).reverse() : series.map(s => s.values)
  return [times, ...values]
}

function settings({ series, options, colors, tell }) {
  const order = options.stacked ? [...colors].reverse() : colors
  const lines = order.map(color => ({
    stroke: style(color),
    width: options.stacked ? 0 : 2,
    points: { show: false },
    fill: options.stacked ? style(color) : undefined,
    spanGaps: false,
  }))
  const range = (_, low, high) =>
    options.down ? [0, Math.max(high ?? 1, 2) + 1] : [0, options.top ?? (high || 1) * 1.05]
  return {
    series: [{}, ...lines],
    legend: { show: false },
    axes: axes(options),
    scales: { x: { time: true }, y: { range, dir: options.down ? -1 : 1 } },
    cursor: {
      y: false,
      drag: { x: true, y: false, setScale: true },
      points: { show: !options.stacked && series.length > 0 },
    },
    hooks: { setCursor: [u => tell(u.cursor.idx)] },
  }
}

const hour = 3600,
  day = 24 * hour
const dayForm = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" })
const clockForm = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" })

function axes(options) {
  const font = "13px " + getComputedStyle(document.body).fontFamily
  const common = {
    stroke: style("--soft"),
    font,
    grid: { stroke: style("--line"), width: 1 },
    ticks: { show: false },
  }
  const labels = (_u, ticks, _axis, _space, step) =>
    ticks.map(t => (step >= day ? dayForm : clockForm).format(new Date(t * 1000)))
  return [
    { ...common, values: labels, space: 72, size: 28 },
    {
      ...common,
      size: 56,
      space: 28,
      values: (_, ticks) => ticks.map(t => number(t) + (options.unit ?? "")),
    },
  ]
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
