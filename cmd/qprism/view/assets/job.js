// One job: its answer, how its place is made, what it waits for, and its history.
import { answerOf } from "./answer.js"
import { address, ask, jobAddress, own } from "./ask.js"
import { askedBy } from "./consumables.js"
import { count, exact, number, prose, quantity, time } from "./format.js"
import { historyCard } from "./history.js"
import { card, el, empty, later, note, table } from "./make.js"

export function jobView(job) {
  return [
    el(
      "section",
      { class: "card answer", id: "answer" },
      later(answerOf(job), parts => parts),
    ),
    el(
      "div",
      { class: "two" },
      el(
        "div",
        { class: "stack" },
        card("Why it has this place", later(ask("explain", { job }), derivation)),
        own ? "" : historyCard(job),
      ),
      card("What it waits for", later(ask("why", { job }), waits), own ? "" : askedBy(job)),
    ),
  ]
}

function derivation(e) {
  const before =
    e.next_before &&
    el(
      "a",
      { href: address("/compare", { a: e.id, b: e.next_before.id }) },
      "compare with job " + e.next_before.id,
    )
  return [
    note("In the run of ", time(e.run_at)),
    e.criteria.map(c => el("div", {}, note(`by ${c.name}: ${c.up}`), term(c.term, true))),
    e.inert.length
      ? note("No effect on the order: " + e.inert.map(i => `${i.policy} (${i.why})`).join("; "))
      : "",
    e.notes.map(n => el("p", {}, prose(n))),
    before ? el("p", {}, "Next before it: ", before) : "",
  ]
}

const stamp = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/

/** value is the number of a term; a time if its text begins with one. */
function value(t) {
  const found = stamp.exec(t.text ?? "")
  if (found) return time(found[0].replace(" ", "T") + "Z")
  return t.text === String(t.value) ? t.text : exact(number(t.value), t.value)
}

/** says are the words of a term. */
function says(t) {
  const sign = t.divides ? "÷ " : t.subtracted ? "− " : "",
    soft = (...text) => el("span", { class: "soft" }, text)
  return [
    sign,
    t.name || t.text || "",
    " ",
    el("span", { class: "value" }, value(t)),
    t.op ? soft(" " + t.op) : "",
    t.text && t.name && !stamp.test(t.text) && t.text !== String(t.value) ? soft(" · ", prose(t.text)) : "",
    t.note ? soft(" · ", prose(t.note)) : "",
    t.inert ? soft(" · orders nothing: " + t.inert) : "",
  ]
}

/** term is a number that opens to what it is made of. */
function term(t, top = false) {
  if (!t.terms?.length) return el("div", { class: "leaf" }, says(t))
  return el(
    "details",
    { class: top ? "top" : undefined, open: top },
    el("summary", {}, says(t)),
    t.terms.map(part => term(part)),
  )
}

export function waits(w) {
  const parts = [
    w.comment && el("p", {}, "Its comment: " + w.comment),
    neverBecause(w),
    reasons(w),
    hosts(w),
    holders(w),
    ahead(w),
  ]
  return parts.some(Boolean) ? parts : empty("It waits for nothing.")
}

function neverBecause(w) {
  if (!w.never_because?.length) return ""
  return table(
    ["request", "nearest that fits"],
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
  return table(
    [">hosts", "time helps", "because", "which"],
    w.hosts.map(h => [number(h.count), h.candidate ? "yes" : "no", h.text, h.hosts.join(" ")]),
  )
}

function holders(w) {
  if (!w.holders.length) return ""
  return table(
    ["waits for", "held by", "owner", ">amount", "until, at most", ">free then"],
    w.holders.map(h => [
      h.what,
      h.job ? el("a", { href: jobAddress(h.job) }, String(h.job)) : "another's",
      h.owner,
      quantity(h.amount),
      h.until ? time(h.until) : "no end",
      h.free_then === null || !h.until ? "" : quantity(h.free_then),
    ]),
  )
}

function ahead(w) {
  if (!w.ahead?.jobs) return ""
  const work = w.ahead.slot_hours,
    want = work === null ? "" : ["; together they need ", quantity(work, "slot-hours")]
  const come = w.ahead.jobs === 1 ? " comes" : " come"
  return el("p", {}, count(w.ahead.jobs, "job"), come, " before it in dispatch order", want)
}
