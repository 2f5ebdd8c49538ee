// A list that can be long: only the lines exist that are seen.
import { el } from "./make.js"

const rowHeight = 32

/** A column is a name, a width in rem, what its cell shows, and whether that is a number. */
export const column = (name, width, cell, right = false) => ({ name, width, cell, right })

export class List {
  /** The list has a label, columns, and an element beside it that says what is chosen. */
  constructor(label, columns) {
    this.columns = columns
    this.rows = []
    this.on = 0
    this.body = el("div", { class: "body", role: "rowgroup" })
    this.element = el(
      "div",
      {
        class: "list",
        role: "table",
        tabindex: 0,
        "aria-label": label,
        onscroll: () => this.later(),
        onkeydown: e => this.key(e),
      },
      el("div", { role: "rowgroup" }, this.head()),
      this.body,
    )
    const wide = c => (c.width < 5 ? c.width + "rem" : `minmax(${c.width}rem, ${c.width}fr)`)
    this.element.style.setProperty("--columns", columns.map(wide).join(" "))
    this.element.style.setProperty("--least", columns.reduce((sum, c) => sum + c.width + 0.7, 0.5) + "rem")
    new ResizeObserver(() => this.later()).observe(this.element)
  }

  head() {
    const cell = c =>
      el(
        "div",
        { class: "cell" + (c.right ? " number" : ""), role: "columnheader" },
        c.name || el("span", { class: "hidden" }, "compare"),
      )
    return el("div", { class: "row head", role: "row", "aria-rowindex": 1 }, this.columns.map(cell))
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
    this.waits ??= requestAnimationFrame(() => {
      this.waits = undefined
      this.draw()
    })
  }

  draw() {
    const from = Math.max(0, Math.floor(this.element.scrollTop / rowHeight) - 5)
    const seen = Math.ceil((this.element.clientHeight || 600) / rowHeight)
    const to = Math.min(this.rows.length, from + seen + 10)
    this.body.replaceChildren(...this.rows.slice(from, to).map((row, i) => this.line(row, from + i)))
  }

  line(row, index) {
    const line = el(
      "div",
      {
        class: "row" + (index === this.on ? " on" : ""),
        role: "row",
        "aria-rowindex": index + 2,
        onclick: () => {
          this.on = index
          this.later()
        },
      },
      this.columns.map(c => this.cell(c, row)),
    )
    line.style.top = index * rowHeight + "px"
    return line
  }

  cell(c, row) {
    const content = c.cell(row)
    const title = typeof content === "string" ? content : undefined
    return el("div", { class: "cell" + (c.right ? " number" : ""), role: "cell", title }, content)
  }

  key(event) {
    const page = Math.floor(this.element.clientHeight / rowHeight) - 2
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity }
    const step = steps[event.key]
    if (event.key === "Enter" && event.target === this.element) this.body.querySelector(".on a")?.click()
    if (step === undefined) return
    event.preventDefault()
    this.on = Math.max(0, Math.min(this.rows.length - 1, this.on + step))
    const top = this.on * rowHeight,
      seen = this.element.clientHeight - 2 * rowHeight
    if (top < this.element.scrollTop) this.element.scrollTop = top
    if (top > this.element.scrollTop + seen) this.element.scrollTop = top - seen
    this.draw()
  }
}
