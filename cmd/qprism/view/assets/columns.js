// The columns of the queue: what a line says of a job.
import { address, jobAddress, own } from "./ask.js"
import { fixed, number, quantity, time } from "./format.js"
import { column } from "./list.js"
import { el } from "./make.js"

const kinds = { tickets: "tickets", urgency: "urgency", "-p": "posix" }

/** placesOf are where each column of an answer stands. */
export const placesOf = queue => Object.fromEntries(queue.columns.map((name, i) => [name, i]))

/** longest is how many letters the longest of a column has, within reason. */
function longest(queue, column) {
  return queue.rows.slice(0, 1000).reduce((most, row) => Math.max(most, Math.min(14, row[column].length)), 0)
}

export function legend(queue) {
  return el(
    "div",
    { class: "legend" },
    queue.bars.map(bar =>
      el("span", {}, el("i", { class: "key " + kinds[bar.name] }), `${bar.name} × ${number(bar.weight)}`),
    ),
  )
}

/** columnsOf are those of a queue; the page of the queue alone has more, and lets two jobs be chosen. */
export function columnsOf(queue, choice) {
  const at = placesOf(queue),
    narrow = matchMedia("(max-width: 560px)").matches && !choice,
    roomy = choice && matchMedia("(min-width: 1100px)").matches
  const some = name => queue.rows.some(row => row[at[name]])
  const most = (queue.bars ?? []).reduce((sum, bar) => sum + Math.max(0, bar.weight), 0)
  const text = (name, width) => column(name, width, row => row[at[name]])
  const why = column("where it runs, or why not", 14, row => reason(row, at))
  return [
    choice && column("", 1.5, choice.cell),
    column("place", 3, row => row[at.place] || "", true),
    column("job", Math.max(3.5, 0.62 * longest(queue, at.job)), row => job(row, at)),
    column("user", 5, row => row[at.user] || (own ? el("span", { class: "soft" }, "another") : "")),
    narrow && why,
    choice && some("project") && text("project", 5),
    choice && text("name", 6),
    text("state", 3),
    choice && some("slots") && column("slots", 3, row => row[at.slots] ?? "", true),
    roomy && some("submitted") && column("submitted", 9.5, row => time(row[at.submitted])),
    most > 0 && column("prio", 4.6, row => fixed(row[at.prio]), true),
    most > 0 && column("made of", 7, row => parts(queue, row, at, most)),
    ...queue.sorted_by.map(name => column(name, 6, row => quantity(row[at[name]]), true)),
    !narrow && why,
  ].filter(Boolean)
}

function reason(row, at) {
  return row[at.why] || row[at.queue] || ""
}

function job(row, at) {
  if (!row[at.job]) return "–" // another's, which is hidden
  const task = row[at.task] && row[at.task] !== "1" ? "." + row[at.task] : ""
  return el("a", { href: jobAddress(row[at.job]) }, row[at.job] + task)
}

/** parts are what prio is the sum of, as bars one behind the other. */
function parts(queue, row, at, most) {
  if (own && !row[at.job]) return ""
  const values = queue.bars.map(bar => [bar, bar.weight * (row[at[bar.number]] ?? 0)])
  const bars = values
    .filter(([, value]) => value > 0)
    .map(([bar, value]) => {
      const part = el("span", { class: kinds[bar.name] })
      part.style.width = (100 * value) / most + "%"
      return part
    })
  const says = values.map(([bar, value]) => `${bar.name} ${number(value)}`).join(", ")
  return el("div", { class: "parts", role: "img", "aria-label": says, title: says }, bars)
}

/** A Choice lets two jobs that wait be chosen, and leads to their comparison. */
export class Choice {
  constructor(queue, redraw) {
    this.at = placesOf(queue)
    this.redraw = redraw
    this.chosen = []
    this.link = el("a", { href: "#", hidden: true })
    this.cell = row => this.box(row)
  }

  box(row) {
    const id = row[this.at.job]
    if (!row[this.at.place] || !id) return ""
    return el("input", {
      type: "checkbox",
      "aria-label": "compare job " + id,
      checked: this.chosen.includes(id),
      onchange: () => this.choose(id),
    })
  }

  choose(id) {
    const others = this.chosen.filter(other => other !== id)
    this.chosen = this.chosen.includes(id) ? others : [...others, id].slice(-2)
    const [a, b] = this.chosen
    this.link.hidden = !b
    if (b) {
      this.link.textContent = `compare ${a} and ${b}`
      this.link.href = address("/compare", { a, b })
    }
    this.redraw()
  }
}
