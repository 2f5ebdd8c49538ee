// The answer about one job in a few lines.
import { address, ask, jobAddress, own, settled } from "./ask.js"
import { basisOf, byLimits } from "./basis.js"
import { end, part } from "./bookings.js"
import { around, count, ms, number, span, time } from "./format.js"
import { el, failed, later } from "./make.js"

/** answerOf says why a job does not run, its place, and when it is likely to start. */
export async function answerOf(job) {
  const [why, explained] = await Promise.all([ask("why", { job }), ask("explain", { job })].map(settled))
  if (why.error && explained.error) {
    const queue = el("p", {}, el("a", { href: address("/queue") }, "All jobs"))
    return [el("h1", {}, "Job " + job), failed(why.error), own ? "" : queue]
  }
  const e = explained.value,
    w = why.value,
    id = w?.job ?? e.id
  return [
    el(
      "h1",
      {},
      el("a", { href: jobAddress(job) }, "Job " + id),
      ` ${w?.name ?? e.name} of ${w?.owner ?? e.owner}`,
    ),
    el("p", {}, el("strong", { id: "verdict" }, ...verdict(w, why.error))),
    w?.running && !own ? later(settled(ask("booked")), b => runs(String(id), b.value)) : "",
    e?.place ? place(e) : "",
    w?.likely_start?.start ? likely(w) : "",
    w?.helps ? el("p", { id: "helps" }, "What helps: ", w.helps) : "",
  ]
}

/** runs says where and until when the tasks of a job run. */
function runs(id, booked) {
  const tasks = (booked?.blocks ?? []).filter(
    b => booked.jobs[b[part.job]][0] === id && ["running", "suspended"].includes(b[part.kind]),
  )
  if (!tasks.length) return ""
  const at = seconds => time(new Date(ms(booked.from) + 1000 * seconds).toISOString()),
    places = [...new Set(tasks.map(b => booked.places[b[part.place]].name))],
    last = Math.max(...tasks.map(end))
  const more = places.length > 3 ? ` and ${places.length - 3} more` : ""
  return el(
    "p",
    { id: "runs" },
    `Runs on ${places.slice(0, 3).join(", ")}${more} since `,
    at(Math.min(...tasks.map(b => b[part.from]))),
    last < Infinity ? [", until ", at(last), " at most."] : ". The job has no time limit.",
  )
}

function place(e) {
  const before = e.next_before
    ? [
        ". Job ",
        el("a", { href: jobAddress(e.next_before.id) }, e.next_before.id),
        " is directly before this job",
      ]
    : ""
  const place = `Place ${number(e.place)} of ${number(e.waiting)} in the run of `
  return el("p", { id: "place" }, place, time(e.run_at), before)
}

function verdict(why, error) {
  if (!why) return [error.message]
  const d = why.decision
  if (why.never) return never(why)
  if (d?.verdict === "reserve")
    return ["Not running yet: ", time(d.start, around(d.start, why.run_at)), " is reserved for it"]
  if (d && d.verdict !== "start")
    return ["Not running because " + (d.why.map(r => r.text)[0] ?? "the run ended before it tried this job")]
  if (why.starts.length) return [el("span", { class: "good" }, "This job starts in the next run")]
  if (why.running) return [el("span", { class: "good" }, "Runs"), ` (${count(why.running, "task")})`]
  return ["The next run does not try this job"]
}

function never(why) {
  const because = (why.never_because ?? []).map(b => b.text).join(why.never_needs_all ? " and " : "; or ")
  return [
    el("span", { class: "bad" }, "Never"),
    because ? ", because " + because : ": with the current configuration, no host can run it",
  ]
}

/** likely is when it is likely to start. */
function likely({ likely_start: l, run_at }) {
  const fine = ms(l.start) - ms(run_at) < 900_000,
    at = (text, beside) => time(text, around(text, beside, fine)),
    ahead = (ms(l.start) - ms(run_at)) / 1000
  const [first, last] = [l.earliest, l.latest ?? l.earliest].map(text => at(text, l.start))
  const range = first.textContent !== last.textContent
  return el(
    "p",
    { id: "likely" },
    "Likely to start ",
    fine ? at(l.start, run_at) : time(l.start),
    ahead > 0 ? `, in ${span(ahead)}` : "",
    range ? [" (between ", first, " and ", last, ")"] : "",
    `, ${basisOf(l)} and nobody submits new jobs. `,
    l.cadence ? l.cadence + " " : "",
    l.by_ended_jobs ? [el("a", { href: address("/plan") }, "Plan"), ` shows the start ${byLimits}.`] : "",
  )
}
