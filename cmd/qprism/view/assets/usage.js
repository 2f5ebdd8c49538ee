// Usage and target, as tables.
import { api, ask } from "./ask.js"
import { chart } from "./chart.js"
import { count, hours, percent, time } from "./format.js"
import { el, empty, later, meter, note, table } from "./make.js"

/** nodesOf makes one form of the nodes of Grid Engine and PBS, which name the same numbers differently. */
export function nodesOf(shares) {
  const root = shares.nodes[0]?.usage || 0
  return shares.nodes.map(n =>
    n.node_name !== undefined
      ? {
          path: n.node_name === "/" ? "" : n.node_name,
          target: n.long_target_share,
          actual: n.actual_share,
          due: n.short_target_share,
          total: n.total,
          usage: n.usage,
        }
      : {
          path: n.path
            .split("/")
            .slice(1)
            .map(part => "/" + part)
            .join(""),
          target: n.fairshare_perc,
          actual: root ? n.usage / root : null,
          due: null,
          total: n.fairshare_perc,
          usage: n.usage,
        },
  )
}

export const noTree = () => empty("There is no share tree, or it has no effect on the order.")

const mostNodes = 500

export function sharesTable(shares) {
  const nodes = nodesOf(shares).filter(n => n.path)
  if (!nodes.length) return noTree()
  const due = nodes.some(n => n.due !== null)
  const row = n => [
    n.path,
    n.usage ? against(n) : unused(),
    percent(n.actual),
    percent(n.target),
    ...(due ? [percent(n.due)] : []),
  ]
  return [
    el(
      "div",
      { class: "legend" },
      el("span", {}, el("i", { class: "key tickets" }), "part of all usage"),
      el("span", {}, "▏ target"),
    ),
    table(
      ["node", "usage against target", ">used", ">target", ...(due ? [">due now"] : [])],
      nodes.slice(0, mostNodes).map(row),
    ),
    note(
      "The table counts usage as the scheduler does: old usage counts less. ",
      shares.unit ? `Usage in ${shares.unit}. ` : "",
      due ? "The column “due now” shows the share that brings usage back to the target." : "",
    ),
  ]
}

const unused = () => el("span", { class: "soft" }, "no usage recorded yet")
const against = n => meter(n.actual, `used ${percent(n.actual)}, target ${percent(n.target)}`, n.target)

const periods = ["7d", "30d"],
  mostProjects = 200,
  numbers = [">7 days", ">30 days", ">target", ">balance"]

/** usedTable is who used how much in the last seven and thirty days. */
export const usedTable = () => later(Promise.all(periods.map(since => ask("used", { since }))), used)

/** balance is what a project is owed with +, what it used above its target with −. */
const balance = value => el("span", {}, value >= 0.1 ? "+" : "", hours(value))

function used([week, month]) {
  if (!month.rows.length) return empty("No job used the cluster in this period, and no job waits.")
  const got = name => percent((week.rows.find(r => r.name === name) ?? { got: 0 }).got)
  const owed = r => (r.owed_slot_hours === null ? "–" : balance(r.owed_slot_hours))
  const order = r => r.owed_slot_hours ?? -Infinity,
    rows = [...month.rows].sort((a, b) => order(b) - order(a) || 0)
  const row = r => [
    r.name || "none",
    r.got === null ? unused() : against({ actual: r.got, target: r.target }),
    got(r.name),
    percent(r.got),
    percent(r.target),
    owed(r),
  ]
  const known = month.known_since && new Date(month.known_since) > new Date(month.from)
  return [
    owedMost(month),
    table([month.by, "30 days against target", ...numbers], rows.slice(0, mostProjects).map(row)),
    note(
      month.policy ? `By ${month.policy}. ` : "",
      known ? ["Known since ", time(month.known_since), ". "] : "",
      rows[0].owed_slot_hours === null ? "" : "Balance: + hours still due, − hours used above the target.",
    ),
  ]
}

/** owedMost says who is owed most, and on how many days its usage was below its target. */
function owedMost({ rows }) {
  const most = rows.reduce(
    (a, b) => ((b.owed_slot_hours ?? 0) > (a?.owed_slot_hours ?? 0) ? b : a),
    undefined,
  )
  if (!(most?.owed_slot_hours > 0)) return ""
  const parts = most.got_by_step.filter(part => part !== null),
    below = parts.filter(part => part < most.target).length,
    row = parts.length - 1 - parts.findLastIndex(part => part >= most.target)
  const name = most.name || "none",
    lately = row ? `, and on the last ${count(row, "day")} in a row.` : ", but not on the last one."
  return el(
    "p",
    {},
    el("strong", {}, name),
    " should still get the most, ",
    hours(most.owed_slot_hours),
    most.waiting ? "." : `; no job of ${name} waits.`,
    parts.length > 1 && ` It was below its target on ${below} of ${parts.length} days${lately}`,
  )
}

const mostLines = 8
const named = r => (r.name || "none") + (r.target === null ? "" : ` (target ${percent(r.target)})`)

/** usedChart is usage by project and day beside the targets, all on one scale. */
export const usedChart = () =>
  later(ask("used", { since: "30d" }), month => {
    const rows = month.rows.filter(r => r.got_by_step.some(part => part)).slice(0, mostLines)
    if (!rows.length) return ""
    const times = month.steps.map(at => new Date(at).getTime() / 1000),
      percents = parts => parts.map(p => (p === null ? null : 100 * p))
    const lines = r =>
      [
        { name: named(r), values: percents(r.got_by_step) },
        r.target !== null && { target: true, values: times.map(() => 100 * r.target) },
      ].filter(Boolean)
    return [
      chart(`Percent of all usage by ${month.by} and day`, times, rows.flatMap(lines), { unit: " %" }),
      note("Save as ", el("a", { href: api("used.svg", { since: "30d" }), download: "used.svg" }, "SVG")),
    ]
  })
