// What uPlot needs to draw a chart of the page: data, colors, axes.
import uPlot from "./vendor/uplot.js"
import { given } from "./ask.js"
import { number } from "./format.js"

export const colorNames = [
  "--tickets",
  "--urgency",
  "--posix",
  "--rose",
  "--sky",
  "--brick",
  "--sand",
  "--other",
]
export const style = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

/** stack adds each series to those before it. */
function stack(series) {
  const sums = series[0].values.map(() => 0)
  return series.map(s => s.values.map((v, i) => (sums[i] += v ?? 0)))
}

/** draw draws a chart as wide as its place. */
export function draw(drawn) {
  const { canvas, options } = drawn,
    width = canvas.clientWidth,
    height = options.small ? 128 : options.stacked ? 272 : 208
  if (!width) return
  if (drawn.plot) drawn.plot.setSize({ width, height })
  else
    drawn.plot = new uPlot({ width, height, ...settings(drawn, range(ends(drawn))) }, dataOf(drawn), canvas)
}

/** range is the span of time that is shown at first: what the address says, else all.
    @returns {[number, number]} */
function range(times) {
  const [from, to] = given("zoom").split("_").map(Number)
  return to > from && from < times.at(-1) && to > times[0] ? [from, to] : [times[0], times.at(-1)]
}

/** alone are the samples that no line meets: each is a dot. */
function alone(u, series) {
  const values = u.data[series],
    known = i => values[i] !== null && values[i] !== undefined
  return values.map((_, i) => i).filter(i => known(i) && !known(i - 1) && !known(i + 1))
}

/** toSample moves the cursor to the nearest sample, whose values are told.
    @type {(u: any, left: number, top: number) => [number, number]} */
const toSample = (u, left, top) =>
  left < 0 ? [left, top] : [u.valToPos(u.data[0][u.posToIdx(left)], "x"), top]

/** ends are the times of samples; where each is a step, also when the last one ends. */
const ends = ({ times, options }) =>
  options.steps ? [...times, 2 * times.at(-1) - (times.at(-2) ?? times.at(-1))] : times

/** dataOf are times and values; the highest area is drawn first, behind the others. */
function dataOf(drawn) {
  const { series, options } = drawn,
    values = options.stacked ? stack(series).reverse() : series.map(s => s.values)
  return [ends(drawn), ...(options.steps ? values.map(list => [...list, list.at(-1)]) : values)]
}

function settings({ series, options, colors, tell, zoomed }, [min, max]) {
  const lines = series.map((s, i) => ({
    stroke: style(colorNames[colors[i]]),
    width: options.stacked ? 0 : s.target ? 1 : 2,
    dash: s.target ? [4, 4] : undefined,
    points: { show: !options.stacked, filter: alone, size: 7, fill: style(colorNames[colors[i]]) },
    paths: options.steps ? uPlot.paths.stepped({ align: 1 }) : undefined,
    fill: options.stacked ? style(colorNames[colors[i]]) : undefined,
  }))
  if (options.stacked) lines.reverse()
  /** @type {(u: any, low: number, high: number) => [number, number]} */
  const range = (_u, _low, high) =>
    options.down ? [0, Math.max(high ?? 1, 2) + 1] : [0, options.top ?? (high || 1) * 1.05]
  return {
    series: [{}, ...lines],
    legend: { show: false },
    axes: axes(options),
    scales: { x: { time: true, min, max }, y: { range, dir: /** @type {1 | -1} */ (options.down ? -1 : 1) } },
    padding: /** @type {uPlot.Padding} */ ([8, 28, 0, 0]),
    cursor: {
      y: false,
      move: toSample,
      drag: { x: true, y: false, setScale: true },
      points: { show: !options.stacked },
    },
    hooks: {
      setCursor: [u => tell(u.cursor.idx)],
      setScale: [(u, key) => key === "x" && u.status && zoomed(u.scales.x)],
    },
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
      ...(options.down && { splits: (_u, _i, _low, high) => [1, ~~(high / 2), ~~(high - 1)] }),
      values: (_, ticks) => ticks.map(t => (options.down && t < 1 ? "" : number(t) + (options.unit ?? ""))),
    },
  ]
}
