// What all views use: elements, whose texts are only ever text; times; addresses; questions.

/** el makes an element. Children are elements, or texts of anybody. */
export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children)
}

/** svg makes an element of a picture. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children)
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value)
    else element.setAttribute(name, value === true ? "" : String(value))
  }
  element.append(...children.flat(2).filter(child => child !== undefined && child !== null && child !== false && child !== ""))
  return element
}

/** card is a part of the page with a heading. */
export function card(heading, ...children) {
  const id = "h-" + heading.toLowerCase().replaceAll(/[^a-z]+/g, "-")
  return el("section", { class: "card", "aria-labelledby": id }, el("h2", { id }, heading), children)
}

/** table is one of rows of cells; columns that begin with > are numbers. */
export function table(columns, rows) {
  const kind = i => (columns[i].startsWith(">") ? "number" : undefined)
  return el("div", { class: "wide", tabindex: 0, role: "region", "aria-label": "Table" }, el("table", {},
    el("thead", {}, el("tr", {}, columns.map((c, i) => el("th", { scope: "col", class: kind(i) }, c.replace(/^>/, ""))))),
    el("tbody", {}, rows.map(row => el("tr", {}, row.map((cell, i) => el("td", { class: kind(i) }, cell ?? "")))))))
}

/** own says that who asks sees no more of others' jobs than their places. */
export const own = document.documentElement.hasAttribute("data-own")

/** here are the cluster and the moment that the address names. */
export function here() {
  const given = new URLSearchParams(location.search), kept = new URLSearchParams()
  for (const name of ["cluster", "at"]) if (given.get(name)) kept.set(name, given.get(name))
  return kept
}

/** address leads to a view, of the same cluster and moment. */
export function address(path, parameters = {}) {
  const query = here()
  if (Array.isArray(parameters)) for (const [name, value] of parameters) query.append(name, value) // a name may come more than once
  else for (const [name, value] of Object.entries(parameters)) value ? query.set(name, value) : query.delete(name)
  return path + (query.size ? "?" + query : "")
}

export const jobAddress = id => address("/job/" + encodeURIComponent(id))

/** api is where a question is asked. */
export const api = (question, parameters) => address("/api/v1/" + question, parameters)

const asked = new Map(), mostAsked = 300

/** ask asks a question, each once for a page that is loaded. */
export function ask(question, parameters) {
  const from = api(question, parameters)
  if (!asked.has(from)) {
    if (asked.size >= mostAsked) asked.clear()
    asked.set(from, fetch(from, { headers: { Accept: "application/json" } }).then(async answer => {
      const body = await answer.json()
      if (!answer.ok) throw new Error(body.error)
      return body
    }))
    asked.get(from).catch(() => asked.delete(from))
  }
  return asked.get(from)
}

/** later is an element that shows an answer when it is there, or why there is none. */
export function later(promise, show) {
  const place = el("div", { "aria-busy": "true" }, el("p", { class: "soft" }, "…"))
  promise.then(show).catch(error => el("p", { class: "soft" }, String(error.message ?? error))).then(shown => {
    place.removeAttribute("aria-busy")
    place.replaceChildren(...[shown].flat().filter(Boolean))
  })
  return place
}

/** tables leads to tables as CSV: each a question and its parameters. */
export function tables(list) {
  return own ? "" : el("p", { class: "soft" }, "As CSV: ", list.map(([name, parameters], i) => [i ? ", " : "", el("a", { href: api(name + ".csv", parameters), download: name + ".csv" }, name)]))
}

/** savePNG saves a picture as it is seen, twice as fine. */
function savePNG(image, name) {
  const canvas = el("canvas", { width: 2 * image.naturalWidth, height: 2 * image.naturalHeight })
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height)
  canvas.toBlob(png => {
    const address = URL.createObjectURL(png)
    el("a", { href: address, download: name.replace(".svg", ".png") }).click()
    setTimeout(() => URL.revokeObjectURL(address), 1000)
  })
}

/** picture is one that the program draws. */
export function picture(name, says, parameters) {
  const image = el("img", { src: api(name, parameters), alt: says, loading: "lazy" })
  const place = el("div", {}, el("div", { class: "picture", tabindex: 0, role: "region", "aria-label": says }, image),
    el("p", { class: "soft" }, "Save as ", el("a", { href: api(name, parameters), download: name }, "SVG"), " or ",
      el("button", { type: "button", class: "link", onclick: () => savePNG(image, name) }, "PNG")))
  image.addEventListener("error", () => fetch(api(name, parameters)).then(a => a.json()).then(a => place.replaceWith(el("p", { class: "soft" }, a.error)))
    .catch(() => place.replaceWith(el("p", { class: "soft" }, "there is no picture of it"))))
  return place
}

// times as the commands print them, here
const form = options => new Intl.DateTimeFormat("sv-SE", { hourCycle: "h23", ...options })
const day = form({ year: "numeric", month: "2-digit", day: "2-digit" }), clock = form({ hour: "2-digit", minute: "2-digit" })
const full = form({ year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", second: "2-digit", timeZoneName: "short" })

/** moment is a time here, with its zone. */
export const moment = text => (text ? full.format(new Date(text)) : "")

const second = form({ hour: "2-digit", minute: "2-digit", second: "2-digit" })

/** around is a time here beside another one: without the day where that is the same, and with seconds where these matter. */
export function around(text, other, fine = false) {
  const at = new Date(text), time = (fine ? second : clock).format(at)
  return day.format(at) === day.format(new Date(other)) ? time : day.format(at) + " " + time
}

/** span is a length of time in words. */
export function span(seconds) {
  const s = Math.round(Math.abs(seconds))
  if (s < 90) return s + " s"
  if (s < 5400) return Math.round(s / 60) + " min"
  if (s < 172800) return (s / 3600).toFixed(1) + " h"
  return (s / 86400).toFixed(1) + " days"
}

/** number is one with as many digits as people read. */
export function number(value) {
  if (value === null || value === undefined) return "–"
  if (typeof value !== "number") return String(value)
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(6)))
}

/** fixed is a prio as qstat prints it. */
export const fixed = value => (typeof value === "number" ? value.toFixed(5) : "–")

export const percent = value => (value === null || value === undefined ? "–" : (100 * value).toFixed(1) + " %")

export const count = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`
