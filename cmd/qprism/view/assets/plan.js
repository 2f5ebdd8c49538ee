// Plan: the next run, and when each waiting job is likely to start.
import { api, ask, jobAddress, own } from "./ask.js"
import { byEarlier, byLimits } from "./basis.js"
import { around, count, number, prose, span, time } from "./format.js"
import { gantt } from "./gantt.js"
import { card, el, empty, later, note, savePNG, table } from "./make.js"

/** likelyStarts are when what waits starts if every job runs to its limit, in words. */
export const likelyStarts = () => [later(ask("forecast"), ending), later(ask("forecast"), starts)]

const startsTitle = "Starts " + byLimits

export function planView() {
  if (own) return [card(startsTitle, likelyStarts())]
  return [
    card("The next run", later(ask("plan"), tally), gantt("booked"), files("plan")),
    card(startsTitle, later(ask("forecast"), ending), gantt("likely"), files("forecast")),
    card(startsTitle + ", job by job", later(ask("forecast"), starts)),
  ]
}

/** files are pictures of the chart above them: all of it as SVG, what is seen as PNG. */
function files(name) {
  const svg = el("a", { href: api(name + ".svg"), download: name + ".svg" }, "SVG")
  const save = e => savePNG(e.target.closest(".card").querySelector("canvas"), name + ".png")
  return note("Save as ", svg, " or ", el("button", { type: "button", class: "link", onclick: save }, "PNG"))
}

/** tally says how many tasks start, get a reservation, and wait. */
function tally(plan) {
  const n = verdict => plan.decisions.filter(d => d.verdict === verdict).length
  const some = (found, noun, one, more) => `${count(found, noun)} ${found === 1 ? one : more}. `
  const reserved = n("reserve")
    ? some(n("reserve"), "task", "gets a reservation", "get a reservation")
    : "No reservation is made. "
  return [
    el(
      "p",
      {},
      some(n("start"), "task", "starts", "start"),
      reserved,
      some(n("wait"), n("reserve") ? "other job" : "job", "waits", "wait"),
    ),
    (plan.notes ?? []).map(text => note(prose(text))),
  ]
}

const ending = f =>
  el(
    "p",
    {},
    `The forecast covers ${count(f.runs, "run")}, and ends at `,
    time(f.until),
    `: ${f.ending}. If jobs end earlier, most starts come earlier. New jobs can delay the starts. `,
    `The pages "My jobs" and "Why?" show the start ${byEarlier}.`,
  )

const few = 30,
  most = 200

/** range is two times, or one if they read alike. */
const range = (from, to) => (from.textContent === to.textContent ? from : [from, "–", to])

/** starts are a table of the first starts, with the range of each. */
function starts(f, all = false) {
  const at = (text, beside = f.from) => time(text, around(text, beside))
  const link = (job, task) => el("a", { href: jobAddress(job) }, job + (task && task !== 1 ? "." + task : ""))
  const rows = f.starts
    .slice(0, all ? most : few)
    .map(s => [
      link(s.job, s.task),
      s.order,
      s.owner,
      s.name,
      at(s.start),
      s.latest ? range(at(s.earliest, s.start), at(s.latest, s.start)) : "",
      span(s.wait),
    ])
  const never = f.never
    .slice(0, most)
    .map(d => [link(d.job), "", d.owner ?? "", d.name ?? "", "not foreseen", "", ""])
  if (!rows.length && !never.length) return empty("No job waits.")
  const more = f.starts.length - rows.length
  const columns = ["job", ">order", "owner", "name", "start " + byLimits, "between", ">from now"]
  const list = el(
    "div",
    {},
    table(columns, [...rows, ...never], "stacked"),
    more > 0 && !all ? button(() => list.replaceWith(starts(f, true)), f.starts.length) : "",
    more > 0 && all ? note(`and ${number(more)} more; qprism forecast lists them`) : "",
  )
  return list
}

const button = (act, n) =>
  el("p", {}, el("button", { type: "button", onclick: act }, `Show ${number(Math.min(most, n))} jobs`))
