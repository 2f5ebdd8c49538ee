// Shares: what is due, and what was used.
import { ask, card, el, later, moment, number, own, percent, picture, table } from "./make.js"

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
  return [own ? "" : card("What everybody got", usedTable(), picture("used.svg", "What was used day by day, and the targets", { since: "30d" })), card("The tree: as wide as what is due", later(ask("shares"), icicle)), card("Usage against target", later(ask("shares"), sharesTable))].filter(Boolean)
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
  return [el("div", { class: "legend" }, el("span", {}, el("i", { class: "key under" }), "used less than its target"), el("span", {}, el("i", { class: "key even" }), "as much"),
    el("span", {}, el("i", { class: "key over" }), "more")), el("div", { class: "icicle" }, levels.map(level => el("div", { class: "level" }, level)))]
}

function block(n, left, width) {
  const name = n.path.slice(n.path.lastIndexOf("/") + 1) || "all"
  const ratio = n.target ? (n.actual ?? 0) / n.target : 1
  const kind = !n.path || Math.abs(ratio - 1) <= 0.1 ? "even" : ratio < 1 ? "under" : "over"
  const sign = { under: "↓", even: "", over: "↑" }[kind]
  const node = el("div", { class: "node " + kind, title: `${n.path || "/"}: share ${percent(n.total)}, target ${percent(n.target)}, used ${percent(n.actual)}, usage ${number(n.usage)}` },
    `${name} ${sign}`, el("br"), percent(n.actual))
  node.style.left = 100 * left + "%"
  node.style.width = 100 * width + "%"
  return node
}
