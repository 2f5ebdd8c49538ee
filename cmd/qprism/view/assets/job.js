// One job: its answer, how its place is made, what it waits for, and its history.
import { answerOf } from "./answer.js"
import { address, ask, own } from "./ask.js"
import { exact, number, prose, time } from "./format.js"
import { historyCard } from "./history.js"
import { card, el, later, note } from "./make.js"
import { rest, waitsCard } from "./waitsfor.js"

export function jobView(job) {
  return [
    el(
      "section",
      { class: "card answer", id: "answer" },
      later(answerOf(job), parts => parts),
    ),
    rest(job, () =>
      el(
        "div",
        { class: "two" },
        el(
          "div",
          { class: "stack" },
          card("Why the job has this place", later(ask("explain", { job }), derivation)),
          own ? "" : historyCard(job),
        ),
        waitsCard(job),
      ),
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
      ? note(
          "These policies do not affect the order: ",
          e.inert.map(i => `${i.policy} (${i.why})`).join("; "),
        )
      : "",
    e.notes.map(n => el("p", {}, prose(n))),
    before ? el("p", {}, "Directly before this job: ", before) : "",
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
    t.inert ? soft(" · no effect on the order: " + t.inert) : "",
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
