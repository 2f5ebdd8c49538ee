// The queue: a list with filters.
import { ask, given, remember } from "./ask.js"
import { Choice, columnsOf, legend, placesOf } from "./columns.js"
import { count, number, prose } from "./format.js"
import { List } from "./list.js"
import { card, el, empty, later, note } from "./make.js"

export function queueView() {
  return [queueCard(true)]
}

/** queueCard is the queue; on its own page two jobs can be chosen. */
export const queueCard = choosing =>
  card(
    "Queue in dispatch order",
    later(ask("queue"), q => queueList(q, choosing)),
  )

function queueList(queue, choosing) {
  if (!queue.rows.length) return empty("No job runs or waits.")
  const choice = choosing && new Choice(queue, () => list.draw())
  const list = new List("Queue: arrow keys select a job, Enter opens it", columnsOf(queue, choice))
  return [
    filters(queue, list, choice),
    queue.bars?.length ? legend(queue) : "",
    queue.lacks && note(queue.lacks),
    list.element,
    order(queue),
  ].filter(Boolean)
}

/** order says by what the jobs are ordered. */
function order(queue) {
  if (!queue.order.length) return ""
  return el(
    "details",
    { class: "order" },
    el("summary", {}, "What decides the order"),
    queue.order.map(line => note(prose(line))),
  )
}

/** reasonsOf are the reasons that a text joins; "1 more reason" is none. */
const reasonsOf = text => (text || "").split("; ").filter(part => !/^\d+ more reason/.test(part))

const filterNames = ["user", "project", "state", "why"]
const most = 2000 // choices of a filter

/** filters choose lines of the list. */
function filters(queue, list, choice) {
  const at = placesOf(queue),
    wanted = Object.fromEntries(filterNames.map(name => [name, given(name)]))
  const values = (row, name) => (name === "why" ? reasonsOf(row[at.why]) : [row[at[name]] || ""])
  const shown = el("span", { class: "soft", role: "status" })
  const renew = () => {
    const rows = queue.rows.filter(row =>
      Object.entries(wanted).every(([name, want]) => !want || values(row, name).includes(want)),
    )
    const all = count(queue.rows.length, "line")
    list.show(rows)
    shown.textContent = rows.length === queue.rows.length ? all : `${number(rows.length)} of ${all}`
  }
  const filter = (name, label) => {
    const known = [...new Set(queue.rows.flatMap(row => values(row, name)))].filter(Boolean).sort()
    if (known.length < 2) return ""
    return el(
      "label",
      {},
      label,
      el(
        "select",
        {
          onchange: e => {
            wanted[name] = e.target.value
            remember(name, e.target.value)
            renew()
          },
        },
        el("option", { value: "" }, "all"),
        known.slice(0, most).map(v => el("option", { value: v, selected: v === wanted[name] }, v)),
      ),
    )
  }
  renew()
  return el(
    "div",
    { class: "filters" },
    filter("user", "user"),
    filter("project", "project"),
    filter("state", "state"),
    filter("why", "waits for"),
    shown,
    choice && choice.link,
  )
}
