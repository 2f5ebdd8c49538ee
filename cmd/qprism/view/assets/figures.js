// The figures of the first view: use, backlog, waiting jobs, and whether the numbers agree.
import { ask, settled, whyAddress } from "./ask.js"
import { count, number, percent, quantity, span } from "./format.js"
import { el, later, meter, note } from "./make.js"

/** figure is one number with its name, and a line below it. */
const figure = (name, value, ...below) =>
  el("div", { class: "figure" }, el("h2", {}, name), el("p", { class: "big" }, value), below)

/** figures are the numbers that say how the cluster is now. */
export function figures() {
  const load = settled(ask("load"))
  return el(
    "section",
    { class: "figures", "aria-label": "The cluster now" },
    later(load, utilization),
    later(load, backlog),
    later(ask("summary"), waiting),
    later(ask("agreement"), agreement),
  )
}

function utilization({ value: l }) {
  if (!l?.slots) return figure("In use", "–", note("The bundle does not list slots."))
  const part = l.used / l.slots,
    unit = l.unit === "slot-hours" ? "slots" : "CPUs"
  return figure(
    "In use",
    percent(part),
    meter(part, `${percent(part)} in use`),
    note(`${number(l.used)} of ${number(l.slots)} ${unit}`),
  )
}

function backlog({ value: l }) {
  const b = l?.backlog
  if (!b)
    return figure(
      "Backlog",
      "–",
      note(
        l?.last === ""
          ? "After the next run, no job waits, except held jobs."
          : "The bundle does not have this number.",
      ),
    )
  const tasks = count(b.tasks_without_limit, "task") + " without run time limit",
    hours = quantity(b.slot_hours, l.unit)
  const running = b.running_slot_hours ? note(quantity(b.running_slot_hours), " more in running jobs") : ""
  const before = note("before the last waiting job, ", el("a", { href: whyAddress(l.last) }, l.last))
  if (!b.tasks_without_limit) return figure("Backlog", hours, before, running)
  if (!b.slot_hours)
    return figure("Backlog", count(b.tasks_without_limit, "task"), note("without limit,"), before, running)
  return figure("Backlog", hours, note("and ", tasks), before, running)
}

function waiting({ waiting, waits }) {
  if (!waits.all) return figure("Waiting", number(waiting), note("jobs"))
  return figure(
    "Waiting",
    count(waiting, "job"),
    note(`Median wait so far ${span(waits.all.median)},`),
    note(`nine of ten at most ${span(waits.all.nine_of_ten)}`),
  )
}

function agreement(a) {
  const sum = name => Object.values(a.fields).reduce((n, f) => n + f[name], 0)
  const compared = sum("compared"),
    bad = sum("unexplained")
  if (!compared) return figure("Audit", "–", note("The bundle has no numbers to compare."))
  return figure(
    "Audit",
    el("span", { class: bad ? "bad" : "good" }, bad ? `✗ ${count(bad, "number")}` : "✓ agrees"),
    note(bad ? "not explained, " : "", `${number(sum("agree"))} of ${number(sum("reported"))} numbers`),
    note("equal those of the scheduler"),
  )
}
