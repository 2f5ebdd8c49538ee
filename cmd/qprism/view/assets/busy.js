// How full the hosts were over 30 days: a row for each, a cell for each interval.
import { ask, settled } from "./ask.js"
import { count, moment, percent } from "./format.js"
import { card, el, later, note, table } from "./make.js"

/** busyCard is there if the store knows more than two moments. */
export const busyCard = () =>
  later(settled(ask("busy")), ({ value: b }) =>
    b?.times.length > 2 ? card("Use of hosts in the last 30 days", heat(b)) : "",
  )

const heat = b => [
  scale(),
  table(["host", "slots in use", ">mean"], b.rows.map(row(b.times))),
  note(
    "Each cell shows the mean of its interval. ",
    `The last column shows the mean of all ${count(b.samples, "sample")}.`,
  ),
]

const steps = [0, 0.25, 0.5, 0.75, 1]

/** scale shows what color stands for what part, in both themes. */
const scale = () =>
  el(
    "div",
    { class: "legend scale" },
    steps.map(part => el("span", {}, el("span", { class: "heat" }, shade(part)), percent(part, 0))),
  )

function shade(part) {
  const cell = el("i")
  cell.style.opacity = part ?? 0
  return cell
}

const row = times => r => {
  const mean = percent(r.mean)
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
  const part = shade(used)
  part.title = `until ${moment(times[i])}: ${used === null ? "unknown" : percent(used)}`
  return part
}
