// The history of one job: its place and priority over time, and what it waited for.
import { pastOf } from "./ask.js"
import { chart, over } from "./chart.js"
import { percent, span, time } from "./format.js"
import { card, el, later, meter, note, table, tables } from "./make.js"

/** historyCard is there if the store knows more than one moment of the job. */
export function historyCard(job) {
  const number = /^\d+/.exec(job)?.[0]
  const place = el("div", {})
  place.append(
    later(pastOf("history", { job: number }), ({ value: lives }) => {
      const life = lives?.at(-1)
      return life?.moments.length > 1 ? card("Its history", history(life, number)) : ""
    }),
  )
  return place
}

function history(life, job) {
  const at = over(life.moments),
    ranks = life.moments.map(m => m.rank),
    prios = life.moments.map(m => m.prio ?? null)
  const first = life.moments[0],
    last = life.moments.at(-1)
  return [
    note(
      "Submitted ",
      time(life.submitted),
      "; in the store from ",
      time(first.taken_at),
      " to ",
      time(last.taken_at),
    ),
    ranks.some(r => r)
      ? chart("Place in the queue (1 is next)", at, [{ name: "place", values: ranks }], {
          down: true,
          small: true,
        })
      : "",
    prios.some(p => p !== null)
      ? chart("Priority", at, [{ name: "prio", values: prios }], { small: true })
      : "",
    waited(life.wait),
    tables([["history", { job }]]),
  ]
}

/** waited says for how long it waited, by cause. */
function waited(w) {
  if (!w.causes.length) return ""
  const row = c => [c.cause, meter(c.seconds / w.seconds, percent(c.seconds / w.seconds)), span(c.seconds)],
    rest = w.seconds - w.causes.reduce((sum, c) => sum + c.seconds, 0),
    causes = rest > 60 ? [...w.causes, { cause: "not recorded", seconds: rest }] : w.causes
  return [
    el("p", {}, `${w.still_waiting ? "Has waited" : "Waited"} ${span(w.seconds)}, for:`),
    table(["cause", "", ">time"], causes.map(row)),
  ]
}
