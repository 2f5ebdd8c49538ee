// Causes of waiting: now, and over the 30 days before.
import { ask, pastOf } from "./ask.js"
import { number, percent } from "./format.js"
import { card, el, empty, later, meter, note, table, tables } from "./make.js"
import { apart, chart, length, over } from "./chart.js"

/** causeName is a cause in the words of the terminal. */
const names = { "execution time": "start time (-a)", "lower priority": "behind other jobs" }
const causeName = cause => names[cause] ?? cause

/** waitsNow are tasks that wait, by cause. */
export const waitsNow = () => later(ask("load"), now)

function now(l) {
  const all = l.waiting.reduce((sum, w) => sum + w.tasks, 0)
  if (!all) return empty("No job waits.")
  const rows = [...l.waiting].sort((a, b) => b.tasks - a.tasks)
  return table(
    ["cause", "", ">tasks", ">of all"],
    rows.map(w => [
      causeName(w.cause),
      meter(w.tasks / all, `${number(w.tasks)} tasks`),
      number(w.tasks),
      percent(w.tasks / all),
    ]),
  )
}

/** waitsOverTime are tasks that waited by cause, over a month; of a bundle nothing is known. */
export const waitsOverTime = () =>
  later(pastOf("timeline"), ({ value: ticks }) => (ticks?.length > 2 ? stacked(ticks) : ""))

function stacked(ticks) {
  const causes = [...new Set(ticks.flatMap(t => t.waiting.filter(w => w.tasks).map(w => w.cause)))]
  if (!causes.length) return note("The store does not say why jobs waited. Run qprism db analyse.")
  const values = cause => ticks.map(t => t.waiting.find(w => w.cause === cause)?.tasks ?? 0)
  const areas = causes.map(cause => ({ name: causeName(cause), values: values(cause) }))
  return [
    chart(`Waiting tasks by cause, ${known(ticks)}`, over(ticks), areas, {
      stacked: true,
      steps: true,
    }),
    tables([["timeline"]]),
  ]
}

/** known says of how long there are samples, and how far they are apart. */
const known = ticks => `${length(over(ticks))}, ${apart(over(ticks))}`

/** useOverTime are the slots in use over a month; nothing of a bundle, which is one moment. */
export const useOverTime = () =>
  later(pastOf("timeline"), ({ value }) => {
    const ticks = value?.filter(t => t.slots)
    if (!(ticks?.length > 2)) return ""
    const used = ticks.map(t => (100 * t.used) / t.slots),
      wasted = ticks.map((t, i) => (waits(t) ? 100 - used[i] : 0)),
      areas = [
        { name: "in use", values: used },
        { name: "idle although jobs wait", values: wasted },
      ]
    const options = { unit: " %", top: 100, stacked: true, steps: true, rest: "idle, no job waits" }
    return card(
      "Slots in use",
      el("p", {}, `${percent(mean(used) / 100)} on average. `, idle(ticks)),
      chart(`Percent of all slots, ${known(ticks)}`, over(ticks), areas, options),
    )
  })

const waits = tick => tick.waiting.some(w => w.tasks)

const mean = values => values.reduce((sum, v) => sum + v, 0) / values.length

/** idle says how much was idle although jobs waited. */
function idle(ticks) {
  const waited = ticks.filter(waits)
  if (!waited.length) return ""
  const part = mean(waited.map(t => 1 - t.used / t.slots))
  return `While jobs waited, ${percent(part)} of the slots were idle.`
}
