// The first view: how the cluster is, beside the queue.
import { answerOf } from "./answer.js"
import { address, ask, jobAddress, own, settled } from "./ask.js"
import { count, exact, number, percent, quantity, span } from "./format.js"
import { card, el, empty, later, meter, note, picture, table } from "./make.js"
import { likelyStarts } from "./plan.js"
import { placesOf } from "./columns.js"
import { queueCard } from "./queue.js"
import { sharesTable, usedTable } from "./usage.js"
import { useOverTime, waitsNow, waitsOverTime } from "./waits.js"
import { warnings } from "./policy.js"

export function clusterView() {
  const job = new URLSearchParams(location.search).get("job")
  const answer = job && el("section", { class: "card answer", id: "answer", "aria-live": "polite" }, later(answerOf(job), p => p))
  return [answer, ...(own ? ownParts() : parts())].filter(Boolean)
}

function ownParts() {
  return [el("div", { class: "two" }, queueCard(), card("Shares against usage", later(ask("shares"), sharesTable))),
    card("Likely starts", likelyStarts())]
}

function parts() {
  return [figures(),
    el("div", { class: "two" },
      el("div", { class: "stack first" }, queueCard(), card("What waits for what", waitsNow(), waitsOverTime())),
      el("div", { class: "stack" },
        card("Warnings", warnings()),
        card("Oldest waiting jobs", later(ask("queue"), oldest)),
        card("Wait by project", later(ask("queue"), waitByProject)),
        card("Usage by project", usedTable()))),
    card("Likely starts", picture("forecast.svg", "What is likely to start when and where"))]
}

/** figure is one number with its name, and a line below it. */
const figure = (name, value, ...below) => el("div", { class: "figure" }, el("h2", {}, name), el("p", { class: "big" }, value), below)

function figures() {
  const load = settled(ask("load"))
  return el("section", { class: "figures", "aria-label": "The cluster now" },
    later(load, utilization), later(load, backlog), later(ask("queue"), waiting), later(ask("agreement"), agreement))
}

function utilization({ value: l }) {
  if (!l?.slots) return figure("In use", "–", note("The bundle does not list slots."))
  const part = l.used / l.slots, unit = l.unit === "slot-hours" ? "slots" : "CPUs"
  return figure("In use", exact(Math.round(100 * part) + " %", percent(part)),
    meter(part, `${percent(part)} in use`), useOverTime(), note(`${number(l.used)} of ${number(l.slots)} ${unit}`))
}

function backlog({ value: l }) {
  const b = l?.backlog
  if (!b) return figure("Backlog", "–", note(l?.last === "" ? "No job waits for its turn." : "The bundle does not say."))
  const endless = b.tasks_without_limit
  return figure("Backlog", quantity(b.slot_hours, l.unit),
    note("before the last job, ", el("a", { href: jobAddress(l.last) }, l.last)),
    note(endless ? `and ${count(endless, "task")} without limit; ` : "", quantity(b.running_slot_hours), " more still run"))
}

function waiting(queue) {
  const waits = waitsOf(queue).map(w => w.wait)
  if (!waits.length) return figure("Waiting", number(queue.waiting), note("jobs"))
  return figure("Waiting", count(queue.waiting, "job"), note(`Half wait longer than ${span(quantile(waits, 0.5))},`),
    note(`one of ten longer than ${span(quantile(waits, 0.9))}`))
}

function agreement(a) {
  const sum = name => Object.values(a.fields).reduce((n, f) => n + f[name], 0)
  const compared = sum("compared"), bad = sum("unexplained")
  if (!compared) return figure("Audit", "–", note("The bundle has no numbers to compare."))
  return figure("Audit", el("span", { class: bad ? "bad" : "good" }, bad ? `✗ ${count(bad, "number")}` : "✓ agrees"),
    note(bad ? "not explained, " : "", `${number(sum("agree"))} of ${number(sum("reported"))} numbers`),
    note("equal those of the scheduler"))
}

/** waitsOf are jobs that wait, the longest first, with seconds since their submission. */
function waitsOf(queue) {
  const at = placesOf(queue), now = new Date(queue.taken_at), jobs = new Map()
  for (const row of queue.rows) {
    if (row[at.place] && row[at.submitted] && !jobs.has(row[at.job])) {
      jobs.set(row[at.job], { row, wait: Math.max(0, (now - new Date(row[at.submitted])) / 1000) })
    }
  }
  return [...jobs.values()].sort((a, b) => b.wait - a.wait)
}

/** quantile is of numbers that fall. */
const quantile = (falling, part) => falling[Math.min(falling.length - 1, Math.floor((1 - part) * falling.length))]

const mostOldest = 8

function oldest(queue) {
  const at = placesOf(queue), list = waitsOf(queue)
  if (!list.length) return empty(queue.waiting ? "The bundle does not say when jobs were submitted." : "No job waits.")
  return table(["job", "user", ">waits", "because"], list.slice(0, mostOldest).map(({ row, wait }) => [
    el("a", { href: jobAddress(row[at.job]) }, row[at.job]), row[at.user], span(wait),
    row[at.never] ? el("span", { class: "bad" }, "never: " + row[at.why]) : row[at.why] || "–"]))
}

function waitByProject(queue) {
  const at = placesOf(queue), list = waitsOf(queue), by = list.some(({ row }) => row[at.project]) ? "project" : "user"
  if (!list.length) return empty("No job waits.")
  const groups = Map.groupBy(list, ({ row }) => row[at[by]] || "none")
  const rows = [...groups].map(([name, jobs]) => [name, jobs.map(j => j.wait)])
    .sort(([, a], [, b]) => quantile(b, 0.5) - quantile(a, 0.5))
  return [table([by, ">jobs", ">median", ">nine of ten", ">longest"], rows.slice(0, 12).map(([name, waits]) =>
    [name, number(waits.length), span(quantile(waits, 0.5)), span(quantile(waits, 0.9)), span(waits[0])])),
  note("How long jobs have waited so far. ", el("a", { href: address("/queue") }, "All jobs"))]
}
