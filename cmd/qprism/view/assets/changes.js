// What qprism changed on the cluster: pushes, the orders of one, and what drives hold.
import { acting, fetched } from "./acts.js"
import { count, time } from "./format.js"
import { card, el, empty, later, note, table } from "./make.js"
import { actingCard } from "./order.js"

export function changesView() {
  const changed = el("div", { class: "stack" }),
    act = el("div", {})
  const list = may => {
    const asked = fetched("changes")
    changed.replaceChildren(
      card(
        "Pushes, the newest first",
        later(asked, c => pushes(c, may)),
      ),
      card(
        "Jobs now controlled by “qprism drive”",
        later(asked, c =>
          c.drives.length ? c.drives.map(d => held(d, may)) : empty("qprism drive controls no job now."),
        ),
      ),
    )
  }
  act.append(
    later(acting(list), a => {
      list(a)
      return a.report.may ? actingCard(a) : []
    }),
  )
  return [act, changed]
}

function pushes(c, may) {
  if (!c.pushes.length) return empty("There are no pushes.")
  const older = c.older ? note(`${c.older} older pushes are not listed; qprism changes --all lists them`) : ""
  return [...c.pushes.map(p => push(p, may)), older]
}

/** push is one that opens to its orders. */
function push(p, may) {
  const states = Object.entries(p.states)
    .map(([state, n]) => `${n} ${state}`)
    .join(", ")
  const outcome = !p.ended ? "not finished" : p.undone_by ? `taken back by push ${p.undone_by}` : p.outcome
  const bad = !p.ended || p.states.refused || p.states.unknown
  const orders = el("div", {})
  const fill = () => orders.append(later(fetched("change", { push: p.push }), c => change(c, may)))
  return el(
    "details",
    { class: "top trap", ontoggle: e => e.target.open && !orders.hasChildNodes() && fill() },
    el(
      "summary",
      {},
      el("strong", {}, `Push ${p.push} `),
      time(p.begun),
      ` by ${p.by}: ${p.kind}`,
      p.undoes ? `, takes push ${p.undoes} back` : "",
      "; ",
      el("span", { class: bad ? "bad" : "good" }, states || "no changes"),
      outcome ? "; " + outcome : "",
    ),
    orders,
  )
}

function change(p, may) {
  const rows = p.orders.map(o => [o.job, o.attribute, o.from, o.to, o.state, o.words ?? "", o.why ?? ""])
  return [
    table([">job", "sets", ">before", ">after", "state", "answer of the master", "why"], rows),
    next(p, may),
  ]
}

/** next is what can be done about a push. */
function next(p, may) {
  if (p.ended && (p.undoes || p.undone_by)) return ""
  const [kind, does, label] = p.ended
    ? ["undo", "take this push back", "Take this push back"]
    : ["resume", "finish this interrupted push", "Finish this interrupted push"]
  if (may.can(kind)) return el("p", {}, may.button(label, { kind, push: p.push }))
  return el(
    "p",
    {},
    el("code", {}, `qprism push --${kind} --push ${p.push}`),
    ` shows the changes that ${does}; --apply sends them`,
  )
}

function held(d, may) {
  const rows = d.claims.map(c => [c.job, c.attribute, c.from, c.to, c.state, c.words ?? ""])
  return el(
    "div",
    { class: "trap" },
    el(
      "p",
      {},
      el("strong", {}, `Drive ${d.drive}`),
      " since ",
      time(d.begun),
      ` by ${d.by} controls ${d.owns}: `,
      d.claims.length ? `${count(d.claims.length, "change")} not taken back` : "changed no job",
    ),
    rows.length ? table(["job", "holds", "before", "now", "state", "answer of the master"], rows) : "",
    may.can("give_back")
      ? el("p", {}, may.button("Take back the changes to these jobs", { kind: "give_back" }))
      : el(
          "p",
          {},
          el("code", {}, "qprism drive --release"),
          " shows the commands that restore these jobs; --apply sends them",
        ),
  )
}
