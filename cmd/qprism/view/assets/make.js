// What all views use: elements, whose texts are only ever text; cards and tables; loading, empty and failed.
import { api, own } from "./ask.js"

/** el makes an element. Children are elements, or texts of anybody. */
export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children)
}

/** svg makes an element of a picture. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children)
}

const nothing = child => child === undefined || child === null || child === false || child === ""

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value)
    else element.setAttribute(name, value === true ? "" : String(value))
  }
  element.append(...children.flat(3).filter(child => !nothing(child)))
  return element
}

/** card is a part of the page with a heading. */
export function card(heading, ...children) {
  const id = "h-" + heading.toLowerCase().replaceAll(/[^a-z]+/g, "-")
  return el("section", { class: "card", "aria-labelledby": id }, el("h2", { id }, heading), children)
}

/** note is a line of less importance. */
export const note = (...text) => el("p", { class: "soft" }, text)

/** empty says that there is nothing, and what that means. */
export const empty = (...text) => el("p", { class: "state empty" }, text)

/** failed says why there is no answer. */
export const failed = error => el("p", { class: "state failed" }, String(error.message ?? error))

/** table has rows of cells; columns that begin with > are numbers. A stacked one is a list on a telephone. */
export function table(columns, rows, kindOf = "") {
  const kind = i => (columns[i].startsWith(">") ? "number" : undefined)
  const names = columns.map(c => c.replace(/^>/, ""))
  const head = names.map((c, i) =>
    el("th", { scope: "col", class: kind(i) }, c || el("span", { class: "hidden" }, "as a bar")),
  )
  const inOne = cell => (kindOf && Array.isArray(cell) ? el("div", {}, cell) : (cell ?? ""))
  const line = row =>
    el(
      "tr",
      {},
      row.map((cell, i) => el("td", { class: kind(i), "data-label": kindOf && names[i] }, inOne(cell))),
    )
  return el(
    "div",
    { class: "wide " + kindOf, tabindex: 0, role: "group", "aria-label": "Table" },
    el("table", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, rows.map(line))),
  )
}

/** meter is a bar from 0 to 1, with a mark if there is a target. */
export function meter(part, says, target) {
  const bar = el("i")
  bar.style.width = 100 * Math.min(1, Math.max(0, part ?? 0)) + "%"
  const mark = target === undefined || target === null ? "" : el("b")
  if (mark) mark.style.left = 100 * Math.min(1, target) + "%"
  return el("div", { class: "against", role: "img", "aria-label": says, title: says }, bar, mark)
}

/** later is an element that shows an answer when it is there, or why there is none. */
export function later(promise, show) {
  const place = el("div", { "aria-busy": "true" }, el("p", { class: "state loading" }, "Loading…"))
  promise
    .then(show)
    .catch(failed)
    .then(shown => {
      place.removeAttribute("aria-busy")
      place.replaceChildren(...[shown].flat(3).filter(child => !nothing(child)))
    })
  return place
}

/** tables leads to tables as CSV: each a question and its parameters. */
export function tables(list) {
  if (own) return ""
  const link = ([name, parameters]) =>
    el("a", { href: api(name + ".csv", parameters), download: name + ".csv" }, name)
  return el(
    "p",
    { class: "soft files" },
    "As CSV: ",
    list.map((entry, i) => [i ? ", " : "", link(entry)]),
  )
}

/** savePNG saves what is drawn. */
export function savePNG(canvas, name) {
  canvas.toBlob(png => {
    const address = URL.createObjectURL(png)
    el("a", { href: address, download: name }).click()
    setTimeout(() => URL.revokeObjectURL(address), 1000)
  })
}
