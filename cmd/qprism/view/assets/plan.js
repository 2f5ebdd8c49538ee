// Plan: the next run, and when each waiting job is likely to start.
import { ask, jobAddress, own } from "./ask.js"
import { around, count, number, prose, span, time } from "./format.js"
import { card, el, empty, later, note, picture, table } from "./make.js"

/** likelyStarts are when what waits is likely to start, in words. */
export const likelyStarts = () => [later(ask("forecast"), ending), later(ask("forecast"), starts)]

export function planView() {
  if (own) return [card("Likely starts", likelyStarts())]
  return [
    card(
      "The next run",
      later(ask("plan"), tally),
      picture("plan.svg", "What the next run books, resource by resource"),
    ),
    card(
      "Likely starts",
      later(ask("forecast"), ending),
      picture("forecast.svg", "What is likely to start when and where"),
      later(ask("forecast"), starts),
    ),
  ]
}

function tally(plan) {
  const n = verdict => number(plan.decisions.filter(d => d.verdict === verdict).length)
  return [
    el("p", {}, `Tasks that start: ${n("start")}. Reserved: ${n("reserve")}. Waiting: ${n("wait")}.`),
    (plan.notes ?? []).map(text => note(prose(text))),
  ]
}

const ending = f =>
  el(
    "p",
    {},
    `${count(f.runs, "run")} until `,
    time(f.until),
    `: ${f.ending}. The forecast lets every job run to its limit.`,
  )

const most = 200

/** starts are a table of the first starts, with the range of each. */
function starts(f) {
  const at = (text, beside = f.from) => time(text, around(text, beside))
  const link = (job, task) => el("a", { href: jobAddress(job) }, job + (task && task !== 1 ? "." + task : ""))
  const rows = f.starts
    .slice(0, most)
    .map(s => [
      s.order,
      link(s.job, s.task),
      s.owner,
      s.name,
      at(s.start),
      s.latest ? [at(s.earliest, s.start), "–", at(s.latest, s.start)] : "",
      span(s.wait),
    ])
  const never = f.never.slice(0, most).map(d => ["", link(d.job), "", "", "not in this forecast", "", ""])
  if (!rows.length && !never.length) return empty("No job waits.")
  const more = f.starts.length - most
  return [
    table([">", "job", "owner", "name", "start", "range", ">wait"], [...rows, ...never]),
    more > 0 ? note(`and ${number(more)} more; qprism forecast lists them`) : "",
  ]
}
