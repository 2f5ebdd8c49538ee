// How the page writes numbers, times and names of things: with the digits that a reader needs.
import { el } from "./make.js"

const grouped = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 })
/** @type {[number, string][]} */
const prefixes = [
  [1e18, "E"],
  [1e15, "P"],
  [1e12, "T"],
  [1e9, "G"],
  [1e6, "M"],
]

/** number has three significant digits: 2,354; 0.0154; 1.72 T; about 0. */
export function number(value) {
  if (value === null || value === undefined) return "–"
  if (typeof value !== "number") return String(value)
  const size = Math.abs(value)
  const [factor, prefix] = prefixes.find(([least]) => size >= 0.9995 * least) ?? [1, ""]
  if (prefix) return digits(value / factor) + " " + prefix
  if (Number.isInteger(value) || size >= 99.95) return minus(grouped.format(value))
  return size >= 1e-4 ? digits(value) : "about 0"
}

const digits = value => minus(String(Number(value.toPrecision(3))))

/** exact is a text whose exact value is seen when one points at it. */
export function exact(text, value) {
  const full = value === null || value === undefined ? "" : String(value)
  return full === "" || full === text ? text : el("span", { title: full }, text)
}

/** quantity is a number with its unit, and the exact one on hover. */
export function quantity(value, unit = "") {
  const text = number(value)
  return text === "–" ? text : exact(unit ? text + " " + unit : text, unit ? `${value} ${unit}` : value)
}

/** hours is an amount of work: 2,354 h, −185 h, less than 0.1 h. */
export function hours(value) {
  if (value && Math.abs(value) < 0.1) return exact("less than 0.1 h", value + " h")
  return Math.abs(value) >= 10
    ? exact(minus(grouped.format(value)) + " h", value + " h")
    : quantity(value, "h")
}

const long = /(?<![\d.-])\d{7,}(?![\d.]*[-:])/g

/** prose is a text of a command, in which long numbers are short. */
export function prose(text) {
  const short = text.replaceAll(long, found => number(Number(found)))
  return short === text ? text : el("span", { title: text }, short)
}

/** fixed is a prio as qstat prints it. */
export const fixed = value => (typeof value === "number" ? value.toFixed(5) : "–")

/** percent has one decimal. */
export const percent = (value, decimals = 1) =>
  value === null || value === undefined ? "–" : minus((100 * value).toFixed(decimals)) + " %"

/** minus has the true sign, as wide as a plus. */
const minus = text => text.replace(/^-/, "−")

export const count = (n, noun) => `${number(n)} ${noun}${n === 1 ? "" : "s"}`

const form = (locale, options) => new Intl.DateTimeFormat(locale, { hourCycle: "h23", ...options })
const day = { weekday: "short", day: "numeric", month: "short" },
  clock = { hour: "2-digit", minute: "2-digit" }
const dayForm = form("en-GB", day),
  yearForm = form("en-GB", { ...day, year: "numeric" })
const clockForm = form("en-GB", clock),
  secondForm = form("en-GB", { ...clock, second: "2-digit" })
const fullForm = form("sv-SE", {
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  ...clock,
  second: "2-digit",
  timeZoneName: "short",
})

/** date is a day here: Sat 21 Nov; the year is added if it is another one. */
function date(at) {
  const shown = at.getFullYear() === new Date().getFullYear() ? dayForm : yearForm
  return shown.format(at).replaceAll(",", "")
}

/** clockAt and dayAt are the parts of a time here: 09:07, and Sat 21 Nov. */
export const clockAt = at => clockForm.format(at)
export const dayAt = date

/** moment is a time here as text: Sat 21 Nov 09:07. */
export function moment(text) {
  if (!text) return ""
  const at = new Date(text)
  return date(at) + " " + clockForm.format(at)
}

/** exactly is a time here to the second, with its zone. */
export const exactly = text => (text ? fullForm.format(new Date(text)) : "")

/** time is a time here as an element, with the exact one on hover. */
export function time(text, shown = moment(text)) {
  return text ? el("time", { datetime: text, title: exactly(text) }, shown) : ""
}

/** around is a time beside another one: without the day if that is the same, with seconds if these matter. */
export function around(text, other, fine = false) {
  const at = new Date(text),
    shown = (fine ? secondForm : clockForm).format(at)
  return date(at) === date(new Date(other)) ? shown : date(at) + " " + shown
}

/** ms is a moment in milliseconds. */
export const ms = text => new Date(text).getTime()

/** span is a length of time: 45 s, 12 min, 10 h 38 min, 4 d 21 h, 12 days. */
export function span(seconds) {
  const s = Math.round(Math.abs(seconds)),
    minutes = Math.round(s / 60),
    hours = Math.round(s / 3600)
  if (s < 90) return s + " s"
  if (minutes < 90) return minutes + " min"
  if (minutes < 24 * 60) return both(minutes, 60, "h", "min")
  return hours < 240 ? both(hours, 24, "d", "h") : number(Math.round(s / 86400)) + " days"
}

/** both are a larger unit and the rest of it. */
function both(n, per, larger, smaller) {
  const whole = Math.floor(n / per),
    rest = n % per
  if (larger === "d" && !rest) return count(whole, "day")
  return `${whole} ${larger}` + (rest ? ` ${rest} ${smaller}` : "")
}
