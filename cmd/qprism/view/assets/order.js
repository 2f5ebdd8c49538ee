// The form in which somebody asks for another order, and what was asked for.
import { jobAddress } from "./ask.js"
import { time } from "./format.js"
import { card, el, note } from "./make.js"

export const words = {
  first: "Jobs first",
  policy: "The job order of another policy",
  configured: "The policy in the configuration of qprism serve",
  undo: "Take a push back",
  resume: "Finish an interrupted push",
  release: "Take all pushes back",
  give_back: "Take back the changes of qprism drive",
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
      el("label", { for: "first" }, "Jobs to put first", jobs),
      may.button("Show", first),
      el("label", { for: "policy" }, "Order the jobs by this policy:", policy),
      may.button("Show", () => ({ kind: "policy", policy: policy.value })),
      may.can("configured") &&
        may.button("Use the order in the configuration of qprism serve", { kind: "configured" }),
      may.button("Take all pushes back", { kind: "release" }),
    )
  return card(
    "Change the order",
    note(
      `You act as ${may.report.who || "the owner of the token"}. `,
      "qprism shows the changes first, and sends them only if you confirm.",
    ),
    order || "",
    may.place,
    list.length ? [el("h3", {}, "Changes made on this page"), el("ul", {}, list)] : "",
  )
}

/** ended says what became of an act. */
export function ended(d) {
  if (!d) return el("p", { class: "bad" }, "The result is unknown. See the pushes below.")
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
  if (d.ended) return el("span", { class: "good" }, d.outcome || "no change was needed")
  return d.said.at(-1) ?? "under way"
}
