// How full the hosts were over 30 days: a row for each, darker where more of its slots were in use.
import { ask, settled } from "./ask.js"
import { moment, percent } from "./format.js"
import { card, el, later, table } from "./make.js"

/** busyCard is there if the store knows more than two moments. */
export const busyCard = () =>
  later(settled(ask("busy")), ({ value: b }) =>
    b?.times.length > 2 ? card("Hosts over 30 days", heat(b)) : "",
  )

const heat = b => table(["host", "darker: more slots in use", ">in use"], b.rows.map(row(b.times)))

const row = times => r => {
  const known = r.used.filter(u => u !== null),
    mean = percent(known.reduce((sum, u) => sum + u, 0) / known.length)
  const name = r.hosts > 1 ? `${r.first} – ${r.last}` : r.first
  return [
    name,
    el(
      "div",
      { class: "heat", role: "img", "aria-label": `${name}: ${mean} on average` },
      r.used.map(cell(times)),
    ),
    mean,
  ]
}

const cell = times => (used, i) => {
  const part = el("i", { title: `${moment(times[i])}: ${used === null ? "unknown" : percent(used)}` })
  part.style.opacity = used ?? 0
  return part
}
