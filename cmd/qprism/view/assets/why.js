// Why?: the number of a job leads to its answer on one sheet.
import { answerOf } from "./answer.js"
import { ask, given, jobAddress, own, whyAddress } from "./ask.js"
import { rest, waitsCard } from "./waitsfor.js"
import { card, el, empty, later, note } from "./make.js"

export function whyView() {
  const job = given("job")
  return job ? [asking(job), ...sheet(job)] : [asking(""), own ? "" : suggestions()].filter(Boolean)
}

/** asking is the form. */
function asking(job) {
  const input = el("input", {
    id: "which",
    name: "job",
    value: job,
    autocomplete: "off",
    spellcheck: "false",
    maxlength: 230,
    placeholder: "4711",
    "aria-describedby": "which-help",
  })
  return el(
    "section",
    { class: "card asking" },
    el("h1", {}, "Why does this job wait?"),
    el(
      "form",
      { action: "/why", class: "filters ask" },
      el("label", { for: "which" }, "Job number", input),
      el("button", {}, "Answer"),
    ),
    note(
      el("span", { id: "which-help" }, "The number that qsub printed: 4711, or 12[3] for a subjob of PBS."),
    ),
  )
}

/** sheet is the answer: the reason, place, likely start, what helps, and who holds what it waits for. */
function sheet(job) {
  return [
    el(
      "section",
      { class: "card answer", id: "answer", "aria-live": "polite" },
      later(answerOf(job), parts => parts),
    ),
    rest(
      job,
      () => waitsCard(job),
      () =>
        el("p", {}, el("a", { href: jobAddress(job) }, "History of this job, and the parts of its priority")),
    ),
  ]
}

/** suggestions are jobs that somebody may ask about: those that have waited longest. */
function suggestions() {
  const link = j =>
    el("li", {}, el("a", { href: whyAddress(j.job) }, "Job " + j.job), ` of ${j.user}: ${j.why || "waits"}`)
  return card(
    "Jobs that wait longest",
    later(ask("summary"), q =>
      q.waits.oldest.length ? el("ul", {}, q.waits.oldest.map(link)) : empty("No job waits."),
    ),
  )
}
