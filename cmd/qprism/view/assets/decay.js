// How usage is forgotten.
import { percent, span } from "./format.js"
import { el, svg } from "./make.js"
import { noTree } from "./usage.js"

/** decays draw what is left of usage as time goes by. */
export function decays({ decay, nodes }) {
  if (!decay?.length || !nodes.length) return noTree()
  return decay.map(d => el("div", {}, el("p", {}, inWords(d)), d.half_life ? curve(d, inWords(d)) : ""))
}

function inWords(d) {
  if (d.half_life === null) return `${d.of}: never forgotten`
  if (!d.half_life) return `${d.of}: forgotten immediately`
  if (!d.step) return `${d.of}: half is left after ${span(d.half_life)}`
  return `${d.of}: ${percent(d.left)} is left after each ${span(d.step)}, half after ${span(d.half_life)}`
}

const most = 200 // steps that can be seen

/** pointsOf are times and what is left at them, over four half-lives. */
function pointsOf(d, end) {
  const steps = d.step && end / d.step <= most ? Math.floor(end / d.step) : 0
  if (!steps) return Array.from({ length: 81 }, (_, i) => [(end * i) / 80, 0.5 ** ((4 * i) / 80)])
  return Array.from({ length: steps + 1 }, (_, i) => {
    const left = d.left ** i
    return [
      [i * d.step, left],
      [Math.min(end, (i + 1) * d.step), left],
    ]
  }).flat()
}

/** curve draws four half-lives. */
function curve(d, says) {
  const end = 4 * d.half_life,
    x = t => 56 + (528 * t) / end,
    y = part => 128 - 112 * part
  const line = part => [
    svg("line", { class: "grid", x1: 56, x2: 584, y1: y(part), y2: y(part) }),
    svg("text", { x: 48, y: y(part) + 4, "text-anchor": "end" }, `${100 * part} %`),
  ]
  const mark = i =>
    svg(
      "text",
      { x: x(i * d.half_life), y: 148, "text-anchor": i === 4 ? "end" : i ? "middle" : "start" },
      i ? span(i * d.half_life) : "now",
    )
  const points = pointsOf(d, end).map(([t, part]) => `${x(t).toFixed(1)},${y(part).toFixed(1)}`)
  return svg(
    "svg",
    { class: "chart decay", viewBox: "-32 0 632 152", role: "img", "aria-label": says },
    [1, 0.5, 0.25, 0].map(line),
    [0, 1, 2, 3, 4].map(mark),
    svg("polyline", { class: "curve", points: points.join(" ") }),
  )
}
