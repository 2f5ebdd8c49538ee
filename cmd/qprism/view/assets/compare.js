// Two jobs side by side, and what would turn their order round.
import { address, ask, jobAddress } from "./ask.js"
import { around, moment, prose } from "./format.js"
import { el, empty, later, note, svg, table, tables } from "./make.js"

export function compareView() {
  const given = new URLSearchParams(location.search),
    a = given.get("a"),
    b = given.get("b")
  const choose = () => empty("Choose two jobs in the ", el("a", { href: address("/queue") }, "queue"), ".")
  return [
    el("section", { class: "card answer" }, a && b ? later(ask("compare", { a, b }), compared) : choose()),
  ]
}

function compared(c) {
  const head = side => el("a", { href: jobAddress(c[side].id) }, `${c[side].id} of ${c[side].owner}`)
  const verdict = c.first
    ? `Job ${c.first} comes first: ${c.decided_by} decides`
    : "These jobs do not both wait"
  const row = t => ["\u2003".repeat(t.depth) + t.name, prose(t.a), prose(t.b), t.gains]
  return [
    el("h1", {}, "Jobs ", head("a"), " and ", head("b")),
    el("p", {}, el("strong", {}, verdict)),
    changes(c),
    table(["term", ">" + c.a.id, ">" + c.b.id, "gains"], c.terms.map(row)),
    [...c.rates, ...c.notes].map(text => note(prose(text))),
    tables([["compare", { a: c.a.id, b: c.b.id }]]),
  ]
}

const kinds = {
  time: "the passing of time",
  priority: "-p",
  tickets: "-ot",
  waiting: "an earlier submission",
  eligible: "eligible time",
  starts: "starts of other jobs",
  usage: "more usage of the other job's entity",
  shares: "shares of the job's user",
  project: "shares of the job's project",
  department: "shares of the job's department",
  group: "shares of the job's entity",
  queue: "priority of the job's queue",
}

/** changes say what would turn the order round, and what would not. */
function changes(c) {
  const list = (items, kind) =>
    el(
      "ul",
      { class: kind },
      items.map(text => el("li", {}, text)),
    )
  return [
    c.flips.length && c.first
      ? el("p", {}, "Each of these changes would reverse the order of the two jobs:")
      : "",
    flips(c),
    c.flips.length ? list(c.flips.map(f => f.text)) : "",
    c.never.length
      ? [
          note("These changes would not reverse the order of the two jobs:"),
          list(
            c.never.map(n => `${kinds[n.kind] ?? n.kind}: ${n.why}`),
            "soft",
          ),
        ]
      : "",
  ]
}

/** flips are the moments on which the order turns round, on a line of time. */
function flips(c) {
  const points = c.flips.filter(f => f.at)
  if (!points.length || !c.flips_from) return ""
  const ms = text => new Date(text).getTime(),
    from = ms(c.flips_from),
    to = Math.max(...points.map(f => ms(f.at)))
  const x = text => 20 + (560 * (ms(text) - from)) / Math.max(1, to - from)
  const point = f => [
    svg("circle", { class: "dot", cx: x(f.at), cy: 24, r: 6 }),
    svg("text", { x: Math.min(540, x(f.at)), y: 12, "text-anchor": "end" }, moment(f.at)),
  ]
  return svg(
    "svg",
    { class: "chart", viewBox: "0 0 600 56", role: "img", "aria-label": points.map(f => f.text).join("; ") },
    svg("line", { class: "axis", x1: 20, x2: 580, y1: 24, y2: 24 }),
    svg("text", { x: 20, y: 50 }, around(c.flips_from, c.flips_from)),
    points.map(point),
  )
}
