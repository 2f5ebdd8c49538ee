// Policy: what it says, and warnings.
import { address, ask, jobAddress } from "./ask.js"
import { count, prose } from "./format.js"
import { card, el, empty, later, note, table } from "./make.js"

export function policyView() {
  const lint = ask("lint")
  return [
    card("Policy warnings", later(lint, traps)),
    card(
      "Settings of the policy",
      later(lint, l =>
        table(
          ["about", "says"],
          l.policy.map(w => [w.about, prose(w.says)]),
        ),
      ),
    ),
  ]
}

const none = () => el("p", { class: "state good" }, "✓ No policy warnings.")

function traps(l) {
  if (l.not_checked) return empty(l.not_checked)
  const list = l.traps.map(trap)
  return list.length || l.never.length ? [list, never(l)] : none()
}

const trap = t =>
  el(
    "div",
    { class: "trap" },
    el("p", {}, el("strong", {}, prose(t.what))),
    el("p", {}, "effect: ", prose(t.effect)),
    note(`${t.file}${t.line ? ":" + t.line : ""} ${t.text ?? ""}`),
    t.fix.map((fix, i) => el("p", {}, i ? "or " : "fix: ", el("code", {}, fix))),
  )

function never(l) {
  if (!l.never.length) return ""
  const row = n => [
    el("a", { href: jobAddress(n.job) }, n.job),
    n.owner,
    n.request ?? "",
    n.nearest.join(", "),
  ]
  return [
    el("h2", {}, count(l.never.length, "job") + " that can never run"),
    table(["job", "owner", "request", "nearest value that fits"], l.never.map(row)),
  ]
}

const mostWarnings = 5

/** warnings are the first of them, for the first view. */
export const warnings = () =>
  later(ask("lint"), l => {
    if (l.not_checked) return empty(l.not_checked)
    const list = [...(l.never.length ? [neverLine(l.never)] : []), ...l.traps.map(t => [prose(t.what)])]
    if (!list.length) return none()
    const more = list.length - mostWarnings
    const all = el(
      "a",
      { href: address("/policy") },
      more > 0
        ? `${count(more, "more warning")}, and how to correct all`
        : "What these warnings mean, and how to correct the settings",
    )
    return [
      el(
        "ul",
        { class: "warnings" },
        list.slice(0, mostWarnings).map(line => el("li", {}, line)),
      ),
      el("p", {}, all),
    ]
  })

function neverLine(list) {
  const jobs = [...new Set(list.map(n => n.job))],
    link = (id, i) => [i ? ", " : "", el("a", { href: jobAddress(id) }, id)]
  return [
    count(jobs.length, "job") + " can never run: ",
    jobs.slice(0, 5).map(link),
    jobs.length > 5 ? " …" : "",
  ]
}
