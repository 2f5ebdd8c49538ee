// The form in which somebody asks for another order, and what was asked for.
import { jobAddress } from "./ask.js"
import { time } from "./format.js"
import { card, el, note } from "./make.js"

export const words = {
  first: "Jobs first",
  policy: "The order of a policy",
  configured: "The order of serve's configuration",
  undo: "Take a push back",
  resume: "Finish a push",
  release: "Take all pushes back",
  give_back: "Give back what drives hold",
}

/** actingCard is what can be asked for. */
export function actingCard(may) {
  const jobs = el("input", {
    id: "first",
    inputmode: "text",
    autocomplete: "off",
    placeholder: "4711, 4712",
    maxlength: 2000,
  })
  const policy = el(
    "select",
    { id: "policy" },
    may.report.policies.map(p => el("option", { value: p }, p)),
  )
  const list = may.report.acts.map(d => el("li", {}, ended(d)))
  const first = () => ({ kind: "first", jobs: jobs.value.split(/[\s,]+/).filter(Boolean) })
  const order =
    may.can("first") &&
    el(
      "div",
      { class: "filters" },
      el("label", { for: "first" }, "These jobs first", jobs),
      may.button("Show", first),
      el("label", { for: "policy" }, "The order of", policy),
      may.button("Show", () => ({ kind: "policy", policy: policy.value })),
      may.can("configured") && may.button("As serve is told to", { kind: "configured" }),
      may.button("Take all pushes back", { kind: "release" }),
    )
  return card(
    "Change the order",
    note(`As ${may.report.who || "whoever has the token"}. qprism shows first what it would send.`),
    order || "",
    may.place,
    list.length ? [el("h3", {}, "Asked for here"), el("ul", {}, list)] : "",
  )
}

/** ended says what became of an act. */
export function ended(d) {
  if (!d) return el("p", { class: "bad" }, "The outcome is unknown: look below.")
  const jobs = d.act.jobs.map(j => [el("a", { href: jobAddress(j) }, j), " "])
  return el(
    "p",
    {},
    time(d.begun),
    ` ${d.by}: ${words[d.act.kind]} `,
    jobs,
    d.act.policy,
    d.act.push ? `push ${d.act.push}` : "",
    " – ",
    outcomeOf(d),
  )
}

function outcomeOf(d) {
  if (d.error) return el("span", { class: "bad" }, d.error)
  if (d.ended) return el("span", { class: "good" }, d.outcome || "nothing was to be sent")
  return d.said.at(-1) ?? "under way"
}
