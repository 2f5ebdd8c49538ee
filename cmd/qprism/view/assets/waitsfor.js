// What a job waits for, and who holds that.
import { ask, jobAddress, own, settled } from "./ask.js"
import { askedBy } from "./consumables.js"
import { count, quantity, time } from "./format.js"
import { card, el, empty, failed, later, table } from "./make.js"

/** rest are parts that a job has if it is known. */
export function rest(job, ...parts) {
  const known = settled(Promise.any([ask("why", { job }), ask("explain", { job })]))
  const place = later(known, ({ error }) => (error ? "" : parts.map(part => part())))
  place.classList.add("stack")
  return place
}

/** waitsCard is what a job waits for, or holds; a job that runs waits for nothing. */
export const waitsCard = job =>
  later(settled(ask("why", { job })), ({ value: w, error }) => {
    const parts = w ? waits(w) : []
    if (w && !w.decision && !parts.length) return own ? "" : askedBy(job, "What this job uses")
    const asked = own ? "" : askedBy(job)
    return card("What this job waits for", error ? failed(error) : parts.length ? parts : none(), asked)
  })

const none = () => empty("This job waits for nothing.")

function waits(w) {
  const parts = [
    w.comment && el("p", {}, "Its comment: " + w.comment),
    neverBecause(w),
    reasons(w),
    hosts(w),
    holders(w),
    ahead(w),
  ]
  return parts.filter(Boolean)
}

function neverBecause(w) {
  if (!w.never_because?.length) return ""
  return table(
    ["request", "nearest value that fits"],
    w.never_because.map(b => [b.request, b.nearest.join(", ")]),
  )
}

function reasons(w) {
  const line = r =>
    r.text +
    (r.count > 1 ? ` (at ${r.count} places)` : "") +
    (r.objects?.length && !w.hosts.length ? ": " + r.objects.join(", ") : "")
  const list = w.decision?.why ?? []
  return list.length
    ? el(
        "ul",
        {},
        list.map(r => el("li", {}, line(r))),
      )
    : ""
}

function hosts(w) {
  if (!w.hosts.length) return ""
  const row = h => [count(h.count, "host"), h.candidate ? "yes" : "no", h.text, h.hosts.join(" ")],
    rows = w.hosts.map(row)
  return [el("h3", {}, "Hosts"), table(["hosts", "time helps", "because", "which"], rows, "stacked")]
}

function holders(w) {
  if (!w.holders.length) return ""
  const rows = w.holders.map(h => [
    h.what,
    h.job ? el("a", { href: jobAddress(h.job) }, String(h.job)) : "a job of another user",
    h.owner,
    quantity(h.amount),
    h.until ? time(h.until) : "no end",
    h.free_then === null || !h.until ? "" : quantity(h.free_then),
  ])
  return [
    el("h3", {}, "Jobs that hold the resources for which this job waits, sorted by end time"),
    table(["waits for", "held by", "owner", ">amount", "until, at most", ">free then"], rows, "stacked"),
  ]
}

function ahead(w) {
  if (!w.ahead?.jobs) return ""
  const work = w.ahead.slot_hours,
    want = work === null ? "" : ["; together they need ", quantity(work, "slot-hours")]
  const come = w.ahead.jobs === 1 ? " comes" : " come"
  return el("p", {}, count(w.ahead.jobs, "job"), come, " before it in dispatch order", want)
}
