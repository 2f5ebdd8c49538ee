// Diff: what was expected, and what started since the moment before.
import { ask } from "./ask.js"
import { count, number, time } from "./format.js"
import { card, el, later, meter, note, svg, table } from "./make.js"

export function diffView() {
  return [card("Expected order and actual starts since the previous snapshot", later(ask("diff"), diffed))]
}

function diffed(d) {
  const most = Math.max(1, ...d.causes.map(c => c.inversions))
  const row = c => [
    c.cause + (c.detail ? ": " + c.detail : ""),
    meter(c.inversions / most, String(c.inversions)),
    number(c.inversions),
  ]
  const sums = [
    count(d.runs.length, "run"),
    count(d.inversions, "inversion"),
    `${number(d.unknown)} of unknown cause`,
  ]
  return [
    el("p", {}, sums.join(", ")),
    d.causes.length ? table(["cause", "", ">inversions"], d.causes.map(row)) : "",
    d.runs.map((r, i) => run(r, i === 0)),
  ]
}

const mostPairs = 50

/** run is one that opens to what happened in it; the first is open. */
function run(r, open) {
  const shown = el("div", {})
  const pairs = () =>
    r.pairs.slice(0, mostPairs).map(p => el("li", {}, `${p.early} started before ${p.late}: ${p.text}`))
  const fill = () => {
    const parts = [bump(r), r.pairs.length ? el("ul", {}, pairs()) : ""]
    if (!shown.hasChildNodes()) shown.append(...parts.flat().filter(Boolean))
  }
  return el(
    "details",
    { class: "top trap", open, ontoggle: e => e.target.open && fill() },
    el(
      "summary",
      {},
      el("strong", {}, "Run of ", time(r.run_at), ": "),
      `${number(r.started)} of ${number(r.tasks)} started, ${count(r.inversions, "inversion")}`,
      r.tau_b === null ? "" : `; rank correlation ${r.tau_b.toFixed(2)} (1 = same order)`,
    ),
    shown,
  )
}

const mostDrawn = 20

/** drawnOf are the tasks that are drawn: those that rose, and those that come first. */
function drawnOf(all) {
  const placed = [...all].sort((a, b) => a.actual - b.actual)
  const rose = new Set(all.filter((item, i) => placed.indexOf(item) < i).slice(0, mostDrawn / 2))
  return all.filter((item, i) => rose.has(item) || i < mostDrawn - rose.size)
}

/** bump draws the expected order on the left and the real one on the right. Lines that moved cross others. */
function bump(r) {
  const all = r.order.filter(i => i.actual >= 0) // 0 is the first that started
  if (all.length < 2) return ""
  const items = drawnOf(all),
    left = all.length - items.length
  const real = [...items].sort((a, b) => a.actual - b.actual),
    y = i => 14 + 18 * i
  const line = (item, i) => {
    const k = real.indexOf(item),
      curve = `M150 ${y(i)}C300 ${y(i)} 300 ${y(k)} 450 ${y(k)}`
    return [
      svg("path", { class: i === k ? "straight" : "crossed", d: curve }),
      svg("text", { x: 140, y: y(i) + 4, "text-anchor": "end" }, item.task),
      svg("text", { x: 460, y: y(k) + 4 }, item.task),
    ]
  }
  return [
    left ? note(`Left: expected order. Right: order of starts. ${count(left, "more task")} not drawn.`) : "",
    svg(
      "svg",
      {
        class: "chart bump",
        viewBox: `0 0 600 ${y(items.length)}`,
        role: "img",
        "aria-label": "expected order on the left, order of starts on the right",
      },
      items.map(line),
    ),
  ]
}
