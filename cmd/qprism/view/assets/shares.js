// Shares: what is due, and what was used.
import { ask, card, el, later, moment, number, own, percent, picture, span, svg, table } from "./make.js"

/** nodeOf makes one form of the nodes of both systems. Grid Engine says what a node shall have and has had, PBS the same by other names. */
function nodesOf(shares) {
  const root = shares.nodes[0]?.usage || 0
  return shares.nodes.map(n => n.node_name !== undefined
    ? { path: n.node_name === "/" ? "" : n.node_name, target: n.long_target_share, actual: n.actual_share, due: n.short_target_share, total: n.total, usage: n.usage }
    : { path: n.path.split("/").slice(1).map(part => "/" + part).join(""), target: n.fairshare_perc, actual: root ? n.usage / root : null, due: null,
      total: n.fairshare_perc, usage: n.usage })
}

export function sharesTable(shares) {
  const nodes = nodesOf(shares).filter(n => n.path)
  if (!nodes.length) return [el("p", { class: "soft" }, "There is no share tree, or it orders nothing.")]
  const due = nodes.some(n => n.due !== null)
  return [el("div", { class: "legend" }, el("span", {}, el("i", { class: "key tickets" }), "used of all usage"), el("span", {}, "▏ target")),
    table(["node", "usage against target", ">used", ">target", ...(due ? [">due now"] : [])],
      nodes.slice(0, 500).map(n => [n.path, against(n), percent(n.actual), percent(n.target), ...(due ? [percent(n.due)] : [])])),
    shares.unit ? el("p", { class: "soft" }, "Usage in " + shares.unit) : ""].filter(Boolean)
}

function against(n) {
  const used = el("i"), target = el("b")
  used.style.width = 100 * Math.min(1, n.actual ?? 0) + "%"
  target.style.left = 100 * Math.min(1, n.target ?? 0) + "%"
  return el("div", { class: "against", role: "img", "aria-label": `used ${percent(n.actual)}, target ${percent(n.target)}` }, used, target)
}

const periods = ["7d", "30d"]

/** usedTable is what everybody got of what was used in the last seven and thirty days. */
export function usedTable() {
  return later(Promise.all(periods.map(since => ask("used", { since }))), answers => {
    const [week, month] = answers, names = month.rows.map(r => r.name)
    if (!names.length) return [el("p", { class: "soft" }, "Nothing is known of what was used.")]
    const got = (answer, name) => percent((answer.rows.find(r => r.name === name) ?? { got: 0 }).got)
    const known = month.known_since && new Date(month.known_since) > new Date(month.from)
    return [table([month.by, "30 days against target", ">7 days", ">30 days", ">target", ">owed hours"], month.rows.slice(0, 200).map(r =>
      [r.name || "none", against({ actual: r.got, target: r.target }), got(week, r.name), percent(r.got), percent(r.target), r.owed_slot_hours === null ? "–" : number(Math.round(r.owed_slot_hours))])),
    el("p", { class: "soft" }, `By ${month.policy}` + (known ? `; known since ${moment(month.known_since)}` : "") + ". Owed: the hours of the target less those that were got.")]
  })
}

export function sharesView() {
  return [own ? "" : card("Usage by project", usedTable(), picture("used.svg", "Usage by day, and the targets", { since: "30d" })), card("Share tree (width = target share)", later(ask("shares"), icicle)),
    card("Share tree (area = usage)", later(ask("shares"), treeMap)), card("Decay of usage", later(ask("shares"), decays)), card("Usage against target", later(ask("shares"), sharesTable))].filter(Boolean)
}

/** icicle is the tree from the root down, each node as wide as its share of the whole; coloured by what it used of that. */
function icicle(shares) {
  const nodes = nodesOf(shares), levels = [], ends = new Map([["", 0]])
  if (nodes.length < 2) return [el("p", { class: "soft" }, "There is no share tree, or it orders nothing.")]
  for (const n of nodes) {
    const parent = n.path.slice(0, Math.max(0, n.path.lastIndexOf("/"))), depth = n.path.split("/").length - 1
    const left = n.path ? ends.get(parent) ?? 0 : 0, width = n.path ? Math.max(0, n.total ?? 0) : 1
    if (n.path) ends.set(parent, left + width)
    ends.set(n.path, left)
    ;(levels[depth] ??= []).push(block(n, left, width))
  }
  return [ratios(), el("div", { class: "icicle" }, levels.map(level => el("div", { class: "level" }, level)))]
}

const ratios = () => el("div", { class: "legend" }, el("span", {}, el("i", { class: "key under" }), "below target"), el("span", {}, el("i", { class: "key even" }), "on target"),
  el("span", {}, el("i", { class: "key over" }), "above target"))

/** block is a node as a rectangle; width and height are parts of one, height of none is that of its level. */
function block(n, left, width, top, height) {
  const name = n.path.slice(n.path.lastIndexOf("/") + 1) || "all"
  const ratio = n.target ? (n.actual ?? 0) / n.target : 1
  const kind = !n.path || Math.abs(ratio - 1) <= 0.1 ? "even" : ratio < 1 ? "under" : "over"
  const sign = { under: "↓", even: "", over: "↑" }[kind]
  const node = el("div", { class: "node " + kind, title: `${n.path || "/"}: share ${percent(n.total)}, target ${percent(n.target)}, used ${percent(n.actual)}, usage ${number(n.usage)}` },
    `${name} ${sign}`, el("br"), percent(n.actual))
  node.style.left = 100 * left + "%"
  node.style.width = 100 * width + "%"
  if (height !== undefined) {
    node.style.top = 100 * top + "%"
    node.style.height = 100 * height + "%"
  }
  return node
}

/** treeMap shows the leaves of the tree, each as large as its part of all usage, side by side with its neighbours in the tree. */
function treeMap(shares) {
  const nodes = nodesOf(shares), inner = new Set(nodes.map(n => n.path.slice(0, Math.max(0, n.path.lastIndexOf("/")))))
  const leaves = nodes.filter(n => n.path && !inner.has(n.path) && n.usage > 0)
  if (!leaves.length) return [el("p", { class: "soft" }, nodes.length < 2 ? "There is no share tree, or it orders nothing." : "Nobody in the tree has used anything.")]
  const most = 300, shown = leaves.slice(0, most)
  const place = el("div", { class: "treemap" }, squares(shown.map(n => [n.usage, n]), { x: 0, y: 0, w: 1, h: 1 }).map(([n, r]) => block(n, r.x, r.w, r.y, r.h)))
  return [ratios(), place, leaves.length > most ? el("p", { class: "soft" }, `and ${leaves.length - most} more; the table has all`) : ""].filter(Boolean)
}

/** wide is how many times as wide as high a tree map is. */
const wide = 3

/** squares divide a rectangle among sizes, in their order, as close to squares as rows of them can be (Bruls, Huizing, van Wijk: Squarified treemaps). */
function squares(items, room) {
  const placed = []
  let left = items.reduce((sum, [size]) => sum + size, 0)
  while (items.length) {
    const beside = room.w * wide >= room.h, side = beside ? room.h : room.w, area = room.w * room.h
    let n = 0, sum = 0, worst = Infinity
    for (; n < items.length; n++) { // as many in a row as make it better
      const all = sum + items[n][0], thick = area * all / left / side
      const next = Math.max(...items.slice(0, n + 1).map(([size]) => {
        const long = side * size / all, ratio = beside ? thick * wide / long : long * wide / thick
        return Math.max(ratio, 1 / ratio)
      }))
      if (next > worst) break
      worst = next
      sum = all
    }
    const thick = sum === left ? (beside ? room.w : room.h) : area * sum / left / side
    let at = beside ? room.y : room.x
    for (const [size, item] of items.slice(0, n)) {
      const long = side * size / sum
      placed.push([item, beside ? { x: room.x, y: at, w: thick, h: long } : { x: at, y: room.y, w: long, h: thick }])
      at += long
    }
    room = beside ? { x: room.x + thick, y: room.y, w: room.w - thick, h: room.h } : { x: room.x, y: room.y + thick, w: room.w, h: room.h - thick }
    items = items.slice(n)
    left -= sum
  }
  return placed
}

/** decays draw what is left of usage as time goes by. */
function decays({ decay, nodes }) {
  if (!decay?.length || !nodes.length) return [el("p", { class: "soft" }, "There is no share tree, or it orders nothing.")]
  return decay.map(d => {
    const says = d.half_life === null ? `${d.of}: never forgotten` : !d.half_life ? `${d.of}: forgotten at once`
      : d.step ? `${d.of}: ${percent(d.left)} is left after each ${span(d.step)}, half after ${span(d.half_life)}` : `${d.of}: half is left after ${span(d.half_life)}`
    return el("div", {}, el("p", {}, says), d.half_life ? curve(d, says) : "")
  })
}

/** curve draws four half-lives. */
function curve(d, says) {
  const end = 4 * d.half_life, x = t => 44 + 540 * t / end, y = part => 128 - 112 * part
  const left = t => (d.step ? d.left ** Math.floor(t / d.step) : 0.5 ** (t / d.half_life))
  const many = d.step && end / d.step <= 200 ? Math.floor(end / d.step) : 0 // steps that can be seen
  const points = many ? Array.from({ length: many + 1 }, (_, i) => [[i * d.step, left(i * d.step)], [Math.min(end, (i + 1) * d.step), left(i * d.step)]]).flat()
    : Array.from({ length: 81 }, (_, i) => [end * i / 80, 0.5 ** (4 * i / 80)])
  return svg("svg", { class: "chart decay", viewBox: "0 0 600 152", role: "img", "aria-label": says },
    [1, 0.5, 0.25, 0].map(part => [svg("line", { class: "grid", x1: 44, x2: 584, y1: y(part), y2: y(part) }), svg("text", { x: 38, y: y(part) + 4, "text-anchor": "end" }, `${100 * part} %`)]),
    [0, 1, 2, 3, 4].map(i => svg("text", { x: x(i * d.half_life), y: 148, "text-anchor": i === 4 ? "end" : i ? "middle" : "start" }, i ? span(i * d.half_life) : "now")),
    svg("polyline", { class: "curve", points: points.map(([t, part]) => `${x(t).toFixed(1)},${y(part).toFixed(1)}`).join(" ") }))
}
