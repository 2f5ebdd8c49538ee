// The queue: as a list that is long, and with what a person looks for first.
import { address, ask, card, count, el, fixed, jobAddress, later, number, own, picture } from "./make.js"
import { answerOf } from "./job.js"
import { likelyStarts } from "./rest.js"
import { sharesTable, usedTable } from "./shares.js"

export function overview() {
  const job = new URLSearchParams(location.search).get("job")
  return [job ? el("section", { class: "card answer", id: "answer", "aria-live": "polite" }, later(answerOf(job), parts => parts)) : "",
    el("div", { class: "two" },
      el("div", { class: "stack first" }, card("Queue in dispatch order", later(ask("queue"), queue => queueList(queue)))),
      el("div", { class: "stack" }, own ? "" : card("Usage by project", usedTable()), card("Shares against usage", later(ask("shares"), sharesTable)))),
    own ? card("Likely starts", likelyStarts()) : card("Likely starts", picture("forecast.svg", "What is likely to start when and where"))].filter(Boolean)
}

export function queueView() {
  return [card("Queue in dispatch order", later(ask("queue"), queue => queueList(queue, true)))]
}

const rowHeight = 32
const kinds = { tickets: "tickets", urgency: "urgency", "-p": "posix" }

/** queueList is the list with its filters. Only the rows that are seen exist. */
function queueList(queue, choosing = false) {
  const at = Object.fromEntries(queue.columns.map((name, i) => [name, i]))
  const filters = { user: "", project: "", state: "", why: "" }
  const list = new List(queue, at, choosing)
  const shown = el("span", { class: "soft", role: "status" })
  const renew = () => {
    const rows = queue.rows.filter(row => (!filters.user || row[at.user] === filters.user) && (!filters.project || row[at.project] === filters.project)
      && (!filters.state || row[at.state] === filters.state) && (!filters.why || (row[at.why] || "").split("; ")[0] === filters.why))
    list.show(rows)
    shown.textContent = rows.length === queue.rows.length ? count(rows.length, "line") : `${rows.length} of ${count(queue.rows.length, "line")}`
  }
  const choice = (name, label) => {
    const values = [...new Set(queue.rows.map(row => (row[at[name]] || "").split(name === "why" ? "; " : "\0")[0]))].filter(Boolean).sort()
    return values.length < 2 ? "" : el("label", {}, label, el("select", { onchange: e => { filters[name] = e.target.value; renew() } },
      el("option", { value: "" }, "all"), values.slice(0, 2000).map(value => el("option", { value }, value))))
  }
  const parts = [el("div", { class: "filters" }, choice("user", "user"), choice("project", "project"), choice("state", "state"), choice("why", "waits for"), shown,
    choosing && list.compare),
    queue.bars?.length ? legend(queue) : "", queue.lacks ? el("p", { class: "soft" }, queue.lacks) : "", list.element,
    ...queue.order.map(line => el("p", { class: "soft" }, line))]
  renew()
  return parts.filter(Boolean)
}

function legend(queue) {
  return el("div", { class: "legend" }, queue.bars.map(bar => el("span", {}, el("i", { class: "key " + kinds[bar.name] }), `${bar.name} × ${number(bar.weight)}`)))
}

/** longest is how many letters the longest of a column has, within reason. */
const longest = (queue, column) => queue.rows.slice(0, 1000).reduce((most, row) => Math.max(most, Math.min(14, row[column].length)), 0)

/** A List is a table of which only the lines exist that are seen. */
class List {
  constructor(queue, at, choosing) {
    Object.assign(this, { queue, at, choosing, rows: [], on: 0, chosen: [] })
    this.most = queue.bars?.length ? Math.max(...queue.bars.map(b => b.weight)) && queue.bars.reduce((sum, b) => sum + Math.max(0, b.weight), 0) : 0
    const some = name => queue.rows.some(row => row[at[name]])
    const why = ["where it runs, or why not", 14, row => row[at.never] ? "never: " + row[at.why] : row[at.why] || row[at.queue] || ""]
    const narrow = matchMedia("(max-width: 560px)").matches && !choosing
    this.columns = [choosing && ["", 1.5, row => this.choice(row)], ["place", 3, row => row[at.place] || "", true], ["job", Math.max(3.5, 0.62 * longest(queue, at.job)), row => this.job(row)],
      ["user", 5, row => row[at.user] || (own ? el("span", { class: "soft" }, "another") : "")], narrow && why, choosing && some("project") && ["project", 5, row => row[at.project]], choosing && ["name", 6, row => row[at.name]],
      ["state", 3, row => row[at.state]], choosing && some("slots") && ["slots", 3, row => row[at.slots] ?? "", true],
      this.most && ["prio", 4.6, row => fixed(row[at.prio]), true], this.most && ["made of", 7, row => this.parts(row)],
      ...(queue.sorted_by.map(name => [name, 6, row => number(row[at[name]]), true])), !narrow && why].filter(Boolean)
    this.make()
  }

  make() {
    this.body = el("div", { class: "body", role: "rowgroup" })
    const head = el("div", { class: "row head", role: "row", "aria-rowindex": 1 },
      this.columns.map(([name, , , right]) => el("div", { class: "cell" + (right ? " number" : ""), role: "columnheader" }, name || el("span", { class: "hidden" }, "compare"))))
    this.element = el("div", { class: "list", role: "table", tabindex: 0, "aria-label": "Queue; arrows choose, Enter opens a job", onscroll: () => this.later(),
      onkeydown: e => this.key(e) }, el("div", { role: "rowgroup" }, head), this.body)
    this.element.style.setProperty("--columns", this.columns.map(c => c[1] < 5 ? c[1] + "rem" : `minmax(${c[1]}rem, ${c[1]}fr)`).join(" "))
    this.element.style.setProperty("--least", this.columns.reduce((sum, c) => sum + c[1] + 0.7, 0.5) + "rem")
    this.compare = el("a", { href: "#", hidden: true })
    new ResizeObserver(() => this.later()).observe(this.element)
  }

  show(rows) {
    this.rows = rows
    this.on = 0
    this.body.style.height = rows.length * rowHeight + "px"
    this.element.style.maxHeight = (rows.length + 1) * rowHeight + 20 + "px"
    this.element.setAttribute("aria-rowcount", rows.length + 1)
    this.element.scrollTop = 0
    this.draw()
  }

  later() {
    this.waits ??= requestAnimationFrame(() => { this.waits = undefined; this.draw() })
  }

  draw() {
    const from = Math.max(0, Math.floor(this.element.scrollTop / rowHeight) - 5)
    const to = Math.min(this.rows.length, from + Math.ceil((this.element.clientHeight || 600) / rowHeight) + 10)
    this.body.replaceChildren(...this.rows.slice(from, to).map((row, i) => this.line(row, from + i)))
  }

  line(row, index) {
    const line = el("div", { class: "row" + (index === this.on ? " on" : ""), role: "row", "aria-rowindex": index + 2, onclick: () => { this.on = index; this.later() } },
      this.columns.map(([, , cell, right]) => {
        const content = cell(row)
        return el("div", { class: "cell" + (right ? " number" : ""), role: "cell", title: typeof content === "string" ? content : undefined }, content)
      }))
    line.style.top = index * rowHeight + "px"
    return line
  }

  job(row) {
    if (!row[this.at.job]) return "–" // another's, which is hidden
    const task = row[this.at.task] && row[this.at.task] !== "1" ? "." + row[this.at.task] : ""
    return el("a", { href: jobAddress(row[this.at.job]) }, row[this.at.job] + task)
  }

  /** parts are what prio is the sum of, as bars one behind the other. */
  parts(row) {
    if (own && !row[this.at.job]) return ""
    const parts = this.queue.bars.map(bar => [bar, bar.weight * (row[this.at[bar.number]] ?? 0)])
    const bars = parts.filter(([, value]) => value > 0).map(([bar, value]) => {
      const part = el("span", { class: kinds[bar.name] })
      part.style.width = 100 * value / this.most + "%"
      return part
    })
    const says = parts.map(([bar, value]) => `${bar.name} ${number(value)}`).join(", ")
    return el("div", { class: "parts", role: "img", "aria-label": says, title: says }, bars)
  }

  choice(row) {
    const id = row[this.at.job]
    return row[this.at.place] && id ? el("input", { type: "checkbox", "aria-label": "compare job " + id, checked: this.chosen.includes(id), onchange: () => this.choose(id) }) : ""
  }

  choose(id) {
    this.chosen = this.chosen.includes(id) ? this.chosen.filter(other => other !== id) : [...this.chosen, id].slice(-2)
    const [a, b] = this.chosen
    this.compare.hidden = !b
    if (b) {
      this.compare.textContent = `compare ${a} and ${b}`
      this.compare.href = address("/compare", { a, b })
    }
    this.draw()
  }

  key(event) {
    const page = Math.floor(this.element.clientHeight / rowHeight) - 2
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity }[event.key]
    if (event.key === "Enter" && event.target === this.element) this.body.querySelector(".on a")?.click()
    if (step === undefined) return
    event.preventDefault()
    this.on = Math.max(0, Math.min(this.rows.length - 1, this.on + step))
    const top = this.on * rowHeight, seen = this.element.clientHeight - 2 * rowHeight
    if (top < this.element.scrollTop) this.element.scrollTop = top
    if (top > this.element.scrollTop + seen) this.element.scrollTop = top - seen
    this.draw()
  }
}
