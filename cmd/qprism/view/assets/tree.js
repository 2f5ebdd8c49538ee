// The share tree as rectangles: by target from the root down, and by usage.
import { number, percent } from "./format.js"
import { el, empty, note } from "./make.js"
import { nodesOf, noTree } from "./usage.js"

const parentOf = path => path.slice(0, Math.max(0, path.lastIndexOf("/")))

/** isFlat reports whether all nodes are below the root, or there is no tree. */
export const isFlat = shares => nodesOf(shares).every(n => n.path.lastIndexOf("/") <= 0)

/** icicle is the tree from the root down. Width is the share, color says how much of it was used. */
export function icicle(shares) {
  const nodes = nodesOf(shares),
    levels = [],
    ends = new Map([["", 0]])
  if (nodes.length < 2) return noTree()
  for (const n of nodes) {
    const parent = parentOf(n.path),
      depth = n.path.split("/").length - 1
    const left = n.path ? (ends.get(parent) ?? 0) : 0,
      width = n.path ? Math.max(0, n.total ?? 0) : 1
    if (n.path) ends.set(parent, left + width)
    ends.set(n.path, left)
    ;(levels[depth] ??= []).push(block(n, { x: left, w: width }))
  }
  return [
    ratios(),
    el(
      "div",
      { class: "icicle" },
      levels.map(level => el("div", { class: "level" }, level)),
    ),
  ]
}

const ratios = () =>
  el(
    "div",
    { class: "legend" },
    [
      ["under", "↓ below target"],
      ["even", "on target"],
      ["over", "↑ above target"],
    ].map(([kind, says]) => el("span", {}, el("i", { class: "key " + kind }), says)),
  )

/** block is a node as a rectangle, in parts of one; without a height it has that of its level.
    @param {any} room */
function block(n, room) {
  const { x, y, w, h } = room
  const name = n.path.slice(n.path.lastIndexOf("/") + 1) || "all"
  const ratio = n.target ? (n.actual ?? 0) / n.target : 1
  const kind = !n.path || !n.usage || Math.abs(ratio - 1) <= 0.1 ? "even" : ratio < 1 ? "under" : "over"
  const sign = { under: "↓", even: "", over: "↑" }[kind]
  const part = n.usage ? percent(n.actual) : "no usage recorded yet"
  const title =
    `${n.path || "/"}: share ${percent(n.total)}, target ${percent(n.target)}, ` +
    `used ${percent(n.actual)}, usage ${number(n.usage)}`
  const node = el("div", { class: "node " + kind, title }, `${name} ${sign}`, el("br"), part)
  for (const [side, size] of [
    ["left", x],
    ["width", w],
    ["top", y],
    ["height", h],
  ]) {
    if (size !== undefined) node.style[side] = 100 * size + "%"
  }
  return node
}

const mostLeaves = 300

/** treeMap shows the leaves of the tree, each as large as its part of all usage, beside its neighbors. */
export function treeMap(shares) {
  const nodes = nodesOf(shares),
    inner = new Set(nodes.map(n => parentOf(n.path)))
  const leaves = nodes.filter(n => n.path && !inner.has(n.path) && n.usage > 0)
  if (nodes.length < 2) return noTree()
  if (!leaves.length) return empty("No node of the share tree has usage yet.")
  const items = leaves.slice(0, mostLeaves).map(n => [n.usage, n])
  const more = leaves.length - items.length
  return [
    ratios(),
    el(
      "div",
      { class: "treemap" },
      squares(items, { x: 0, y: 0, w: 1, h: 1 }).map(([n, room]) => block(n, room)),
    ),
    more > 0 ? note(`and ${more} more; the table has all`) : "",
  ]
}

/** wide is how many times as wide as high a tree map is. */
const wide = 3

/** squares divide a rectangle among sizes, in their order, as close to squares as rows of them can be
    (Bruls, Huizing, van Wijk: Squarified treemaps). */
function squares(items, room) {
  const placed = []
  let left = items.reduce((sum, [size]) => sum + size, 0)
  while (items.length) {
    const beside = room.w * wide >= room.h,
      side = beside ? room.h : room.w,
      area = room.w * room.h
    const { n, sum } = rowOf(items, side, area / left, beside)
    const thick = sum === left ? (beside ? room.w : room.h) : (area * sum) / left / side
    let at = beside ? room.y : room.x
    for (const [size, item] of items.slice(0, n)) {
      const long = (side * size) / sum
      placed.push([
        item,
        beside ? { x: room.x, y: at, w: thick, h: long } : { x: at, y: room.y, w: long, h: thick },
      ])
      at += long
    }
    room = beside
      ? { x: room.x + thick, y: room.y, w: room.w - thick, h: room.h }
      : { x: room.x, y: room.y + thick, w: room.w, h: room.h - thick }
    items = items.slice(n)
    left -= sum
  }
  return placed
}

/** rowOf is how many items stand in a row: as many as make it better. */
function rowOf(items, side, scale, beside) {
  let n = 0,
    sum = 0,
    worst = Infinity
  for (; n < items.length; n++) {
    const all = sum + items[n][0],
      thick = (scale * all) / side
    const next = Math.max(
      ...items.slice(0, n + 1).map(([size]) => {
        const long = (side * size) / all,
          ratio = beside ? (thick * wide) / long : (long * wide) / thick
        return Math.max(ratio, 1 / ratio)
      }),
    )
    if (next > worst) break
    worst = next
    sum = all
  }
  return { n, sum }
}
