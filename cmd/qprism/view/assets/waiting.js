// Jobs that wait: the oldest, and how long those of a project have waited.
import { address, jobAddress } from "./ask.js"
import { placesOf } from "./columns.js"
import { number, span } from "./format.js"
import { el, empty, note, table } from "./make.js"

/** waitsOf are jobs that wait, the longest first, with seconds since their submission. */
export function waitsOf(queue) {
  const at = placesOf(queue),
    now = new Date(queue.taken_at),
    jobs = new Map()
  for (const row of queue.rows) {
    if (row[at.place] && row[at.submitted] && !jobs.has(row[at.job])) {
      jobs.set(row[at.job], { row, wait: Math.max(0, (now - new Date(row[at.submitted])) / 1000) })
    }
  }
  return [...jobs.values()].sort((a, b) => b.wait - a.wait)
}

/** quantile is of numbers that fall. */
export const quantile = (falling, part) =>
  falling[Math.min(falling.length - 1, Math.floor((1 - part) * falling.length))]

const mostOldest = 8

/** oldest are the jobs that wait longest, with one reason each. */
export function oldest(queue) {
  const at = placesOf(queue),
    list = waitsOf(queue)
  if (!list.length)
    return empty(queue.waiting ? "The bundle does not say when jobs were submitted." : "No job waits.")
  return table(
    ["job", "user", ">waits", "because"],
    list
      .slice(0, mostOldest)
      .map(({ row, wait }) => [
        el("a", { href: jobAddress(row[at.job]) }, row[at.job]),
        row[at.user],
        span(wait),
        row[at.never] ? el("span", { class: "bad" }, "never: " + row[at.why]) : row[at.why] || "–",
      ]),
  )
}

/** waitByProject says how long the jobs of each project have waited. */
export function waitByProject(queue) {
  const at = placesOf(queue),
    list = waitsOf(queue),
    by = list.some(({ row }) => row[at.project]) ? "project" : "user"
  if (!list.length) return empty("No job waits.")
  const groups = Map.groupBy(list, ({ row }) => row[at[by]] || "none")
  const rows = [...groups]
    .map(([name, jobs]) => [name, jobs.map(j => j.wait)])
    .sort(([, a], [, b]) => quantile(b, 0.5) - quantile(a, 0.5))
  return [
    table(
      [by, ">jobs", ">median", ">nine of ten", ">longest"],
      rows
        .slice(0, 12)
        .map(([name, waits]) => [
          name,
          number(waits.length),
          span(quantile(waits, 0.5)),
          span(quantile(waits, 0.9)),
          span(waits[0]),
        ]),
    ),
    note("How long jobs have waited so far. ", el("a", { href: address("/queue") }, "All jobs")),
  ]
}
