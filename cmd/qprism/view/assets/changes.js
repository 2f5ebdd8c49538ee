// What qprism changed on the cluster: pushes, the orders of one, and what drives hold.
import { api, card, count, el, later, moment, table } from "./make.js"

export function changesView() {
  const list = fetched("changes")
  return [card("Pushes, the newest first", later(list, pushes)), card("What drives hold now", later(list, c => (c.drives.length ? c.drives.map(held)
    : el("p", { class: "soft" }, "Nothing."))))]
}

/** fetched asks anew each time: what was changed does not belong to a moment. */
async function fetched(question, parameters) {
  const answer = await fetch(api(question, parameters)), body = await answer.json()
  if (!answer.ok) throw new Error(body.error)
  return body
}

function pushes(c) {
  if (!c.pushes.length) return [el("p", { class: "soft" }, "Nothing was pushed.")]
  const older = c.older ? el("p", { class: "soft" }, `${c.older} older ones: qprism changes --all`) : ""
  return [...c.pushes.map(push), older].filter(Boolean)
}

/** push is one that opens to its orders. */
function push(p) {
  const states = Object.entries(p.states).map(([state, n]) => `${n} ${state}`).join(", ")
  const outcome = !p.ended ? "not finished" : p.undone_by ? `taken back by push ${p.undone_by}` : p.outcome
  const bad = !p.ended || p.states.refused || p.states.unknown
  const orders = el("div", {})
  return el("details", { class: "top trap", ontoggle: e => {
    if (e.target.open && !orders.hasChildNodes()) orders.append(later(fetched("change", { push: p.push }), change))
  } }, el("summary", {}, el("strong", {}, `Push ${p.push}`), ` ${moment(p.begun)} by ${p.by}: ${p.kind}`, p.undoes ? `, takes push ${p.undoes} back` : "",
    "; ", el("span", { class: bad ? "bad" : "good" }, states || "no orders"), outcome ? "; " + outcome : ""), orders)
}

function change(p) {
  const rows = p.orders.map(o => [o.job, o.attribute, o.from, o.to, o.state, o.words ?? "", o.why ?? ""])
  const next = !p.ended ? ["push --resume", "finishes it"] : !p.undoes && !p.undone_by ? ["push --undo", "takes it back"] : undefined
  return [table([">job", "sets", ">before", ">ordered", "state", "the master said", "why"], rows),
    next ? el("p", {}, el("code", {}, `qprism ${next[0]} --push ${p.push}`), ` shows what ${next[1]}; --apply sends it`) : ""].filter(Boolean)
}

function held(d) {
  const rows = d.claims.map(c => [c.job, c.attribute, c.from, c.to, c.state, c.words ?? ""])
  return el("div", { class: "trap" }, el("p", {}, el("strong", {}, `Drive ${d.drive}`), ` since ${moment(d.begun)} by ${d.by} decides about ${d.owns}: `,
    d.claims.length ? `${count(d.claims.length, "change")} not taken back` : "holds nothing"),
    rows.length ? table(["job", "holds", "before", "now", "state", "the master said"], rows) : "")
}
