// What qprism changed on the cluster: pushes, the orders of one, and what drives hold.
import { card, count, el, later, moment, table } from "./make.js"
import { acting, fetched } from "./acts.js"

export function changesView() {
  const changed = el("div", { class: "stack" }), act = el("div", {})
  const list = may => {
    const asked = fetched("changes")
    changed.replaceChildren(card("Pushes, the newest first", later(asked, c => pushes(c, may))),
      card("What drives hold now", later(asked, c => (c.drives.length ? c.drives.map(d => held(d, may)) : el("p", { class: "soft" }, "Nothing.")))))
  }
  act.append(later(acting(list), a => {
    list(a)
    return a.report.may ? a.card() : []
  }))
  return [act, changed]
}

function pushes(c, may) {
  if (!c.pushes.length) return [el("p", { class: "soft" }, "Nothing was pushed.")]
  const older = c.older ? el("p", { class: "soft" }, `${c.older} older ones: qprism changes --all`) : ""
  return [...c.pushes.map(p => push(p, may)), older].filter(Boolean)
}

/** push is one that opens to its orders. */
function push(p, may) {
  const states = Object.entries(p.states).map(([state, n]) => `${n} ${state}`).join(", ")
  const outcome = !p.ended ? "not finished" : p.undone_by ? `taken back by push ${p.undone_by}` : p.outcome
  const bad = !p.ended || p.states.refused || p.states.unknown
  const orders = el("div", {})
  return el("details", { class: "top trap", ontoggle: e => {
    if (e.target.open && !orders.hasChildNodes()) orders.append(later(fetched("change", { push: p.push }), c => change(c, may)))
  } }, el("summary", {}, el("strong", {}, `Push ${p.push}`), ` ${moment(p.begun)} by ${p.by}: ${p.kind}`, p.undoes ? `, takes push ${p.undoes} back` : "",
    "; ", el("span", { class: bad ? "bad" : "good" }, states || "no orders"), outcome ? "; " + outcome : ""), orders)
}

function change(p, may) {
  const rows = p.orders.map(o => [o.job, o.attribute, o.from, o.to, o.state, o.words ?? "", o.why ?? ""])
  const next = !p.ended ? ["resume", "finishes it", "Finish it"] : !p.undoes && !p.undone_by ? ["undo", "takes it back", "Take it back"] : undefined
  const say = next && (may.can(next[0]) ? el("p", {}, may.button(next[2], { kind: next[0], push: p.push }))
    : el("p", {}, el("code", {}, `qprism push --${next[0]} --push ${p.push}`), ` shows what ${next[1]}; --apply sends it`))
  return [table([">job", "sets", ">before", ">ordered", "state", "the master said", "why"], rows), say].filter(Boolean)
}

function held(d, may) {
  const rows = d.claims.map(c => [c.job, c.attribute, c.from, c.to, c.state, c.words ?? ""])
  return el("div", { class: "trap" }, el("p", {}, el("strong", {}, `Drive ${d.drive}`), ` since ${moment(d.begun)} by ${d.by} decides about ${d.owns}: `,
    d.claims.length ? `${count(d.claims.length, "change")} not taken back` : "holds nothing"),
    rows.length ? table(["job", "holds", "before", "now", "state", "the master said"], rows) : "",
    may.can("give_back") ? el("p", {}, may.button("Give this back", { kind: "give_back" }))
      : el("p", {}, el("code", {}, "qprism drive --release"), " shows what gives this back; --apply sends it"))
}
