// Then and now: two moments side by side, with what became better or worse.
import { address, ask, given, here } from "./ask.js"
import { count, moment, ms, number, percent, span } from "./format.js"
import { card, el, empty, later, table } from "./make.js"

const day = 24 * 3600 * 1000

export function momentsView() {
  return [card("Two snapshots compared", later(moments(), compared))]
}

/** moments are those of the cluster, and the two that are compared: the last, and the one a day before. */
async function moments() {
  const list = await fetch("/api/v1/clusters").then(answer => answer.json())
  const { moments: all } = list.find(c => c.cluster === here().get("cluster")) ?? list[0]
  const now = all.find(m => m.id === (given("b") || given("at"))) ?? all.at(-1)
  const before = all.filter(m => ms(now.taken_at) - ms(m.taken_at) >= day * 0.98)
  const then = all.find(m => m.id === given("a")) ?? before.at(-1) ?? all[0]
  const [a, b] = await Promise.all([then, now].map(figuresOf))
  return { all, then, now, a, b }
}

async function figuresOf({ id: at }) {
  const [load, queue] = await Promise.all([ask("load", { at }), ask("summary", { at })])
  return { load, queue }
}

function compared({ all, then, now, a, b }) {
  if (all.length < 2)
    return empty(
      "This page compares two snapshots, but there is only one. qprism serve stores more snapshots.",
    )
  const rows = figures.map(([name, of, shown, good]) => row(name, of(a), of(b), shown, good))
  const worse = rows.filter(r => r.worse > 0),
    better = rows.filter(r => r.worse < 0)
  const list = found => found.map(r => r.name).join(", ")
  return [
    choice(all, then, now),
    el("p", {}, el("strong", {}, verdict(worse.length, better.length))),
    worse.length ? el("p", {}, "Worse: ", list(worse), ".") : "",
    better.length ? el("p", {}, "Better: ", list(better), ".") : "",
    table(
      ["figure", ...[then, now].map(m => ">" + moment(m.taken_at)), ">change"],
      rows.map(r => r.cells),
    ),
    el("h3", {}, "Waiting jobs and median wait by " + b.queue.waits.by),
    table([b.queue.waits.by, ">jobs then", ">now", ">median wait then", ">now"], groups(a, b)),
  ]
}

/** verdict is plain only if no figure says the opposite. */
function verdict(worse, better) {
  if (!worse && !better) return "The values in both snapshots are nearly equal"
  if (worse && better) return `Mixed: ${count(better, "figure")} better, ${number(worse)} worse`
  return `The figures are ${worse ? "worse" : "better"} now than in the earlier snapshot`
}

const tasks = f => f.load.waiting.reduce((sum, w) => sum + w.tasks, 0)

/** figures have a name, a value, how it is written, and whether more is good (1), bad (-1) or neither (0).
    @type {[string, (f: any) => number, (v: number) => any, number][]} */
const figures = [
  ["slots in use", f => f.load.slots && f.load.used / f.load.slots, v => percent(v), 1],
  ["waiting jobs", f => f.queue.waiting, number, -1],
  ["waiting tasks", tasks, number, 0],
  ["backlog (hours)", f => f.load.backlog?.slot_hours ?? null, number, -1],
  ["median wait", f => f.queue.waits.all?.median ?? null, span, -1],
  ["nine of ten wait at most", f => f.queue.waits.all?.nine_of_ten ?? null, span, -1],
  ["longest wait", f => f.queue.waits.all?.longest ?? null, span, -1],
  ["running tasks", f => f.queue.running, number, 0],
]

/** row is one figure at both moments; less than a twentieth is no change. */
function row(name, a, b, shown, good) {
  const write = v => (v === null || v === undefined ? "–" : shown(v))
  if (a === null || b === null || a === undefined || b === undefined)
    return { name, worse: 0, cells: [name, write(a), write(b), ""] }
  const apart = b - a,
    same = Math.abs(apart) <= 0.05 * Math.max(Math.abs(a), Math.abs(b))
  const worse = same ? 0 : -good * Math.sign(apart)
  const words = same ? "same" : (apart > 0 ? "▲ " : "▼ ") + write(Math.abs(apart))
  const kind = worse > 0 ? "bad" : worse < 0 ? "good" : undefined
  const judged = worse > 0 ? " worse" : worse < 0 ? " better" : ""
  return { name, worse, cells: [name, write(a), write(b), el("span", { class: kind }, words + judged)] }
}

function groups(a, b) {
  const at = f => new Map(f.queue.waits.groups.map(g => [g.name, g])),
    then = at(a),
    now = at(b)
  const cell = (g, of) => (g ? of(g) : "–")
  return [...new Set([...now.keys(), ...then.keys()])].map(name => [
    name,
    cell(then.get(name), g => count(g.jobs, "job")),
    cell(now.get(name), g => count(g.jobs, "job")),
    cell(then.get(name), g => span(g.median)),
    cell(now.get(name), g => span(g.median)),
  ])
}

/** choice is of the two moments. */
function choice(all, then, now) {
  const one = (name, label, chosen) =>
    el(
      "label",
      {},
      label,
      el(
        "select",
        { name, onchange: e => e.target.form.requestSubmit() },
        all.map(m => el("option", { value: m.id, selected: m === chosen }, moment(m.taken_at))),
      ),
    )
  return el("form", { class: "filters", action: "/moments" }, one("a", "Then", then), one("b", "Now", now))
}

/** momentsLink leads here. */
export const momentsLink = () => el("a", { href: address("/moments") }, "compare with an earlier snapshot")
