// What if: sliders for the numbers of the policy; the order that they would make, and who gains.
import { ask, jobAddress } from "./ask.js"
import { number } from "./format.js"
import { card, el, empty, failed, later, note, table, tables } from "./make.js"
import { slider } from "./slider.js"

export function whatIfView() {
  return [card("What if the policy changed?", later(ask("settings"), trying))]
}

/** trying are the sliders, and below them what they change. */
function trying({ settings }) {
  if (!settings.length)
    return empty("This policy has no number for a slider; use qprism what-if --set.")
  const trial = new Trial(settings)
  return [el("div", { class: "knobs" }, trial.rows), trial.said, trial.result]
}

/** A Trial is a policy with other numbers. */
class Trial {
  constructor(settings) {
    this.changed = new Map()
    this.result = el("div", { id: "changed", "aria-live": "polite" })
    this.command = el("code", {})
    this.said = el(
      "p",
      { hidden: true },
      this.command,
      " ",
      el("button", { type: "button", onclick: () => this.reset() }, "Reset"),
    )
    this.rows = settings.map(s => slider(s, value => this.set(s, value)))
    this.renew()
  }

  reset() {
    for (const row of this.rows) row.reset()
  }

  set(s, value) {
    if (value === s.value) this.changed.delete(s)
    else this.changed.set(s, value)
    this.renew()
  }

  /** renew asks for the new order, when no slider has moved for a moment. */
  renew() {
    clearTimeout(this.waits)
    const mine = (this.waits = setTimeout(() => this.ask(mine), 60))
  }

  async ask(mine) {
    const changes = [...this.changed].map(([s, value]) => [s.set, s.key + "=" + value])
    this.command.textContent =
      "qprism what-if" + changes.map(([set, change]) => ` --${set} ${change}`).join("")
    this.said.hidden = !changes.length
    if (!changes.length) {
      this.result.replaceChildren(empty("Move a slider, or double shares, to see who gains and who loses."))
      return
    }
    this.result.setAttribute("aria-busy", "true")
    const parts = await ask("what-if", changes).then(
      r => [...outcome(r), tables([["what-if", changes]])],
      e => [failed(e)],
    )
    if (mine !== this.waits) return // another one was asked for since
    this.result.removeAttribute("aria-busy")
    this.result.replaceChildren(...parts.filter(Boolean))
  }
}

/** moved says how many places somebody gained. */
function moved(n) {
  if (!n) return "="
  return el("span", { class: n > 0 ? "good" : "bad" }, (n > 0 ? "▲ " : "▼ ") + number(Math.abs(n)))
}

const most = 200

function outcome(report) {
  const jobs = [...report.jobs].sort((a, b) => a.place[1] - b.place[1]),
    more = jobs.length - most
  const gains = report.groups.filter(g => g.places)
  const row = j => [
    number(j.place[1]),
    el("a", { href: jobAddress(String(j.job)) }, String(j.job)),
    j.owner,
    number(j.place[0]),
    moved(j.place[0] - j.place[1]),
    j.verdict[1],
  ]
  const same = jobs.every(j => j.place[0] === j.place[1])
  return [
    same ? el("p", {}, el("strong", {}, "No job changes its place.")) : "",
    el(
      "p",
      {},
      `Rank correlation with today's order: ${report.tau_b.toFixed(2)} (1 = same). `,
      `The next run starts ${number(report.starts[1])} tasks (today ${number(report.starts[0])}).`,
    ),
    gains.length
      ? table(
          ["who", ">jobs", ">places, on average"],
          gains.map(g => [`${g.kind} ${g.name}`, number(g.jobs), moved(g.places)]),
        )
      : "",
    same ? "" : el("h3", {}, "New order"),
    same
      ? ""
      : table([">place", "job", "owner", ">today", "change", "verdict"], jobs.slice(0, most).map(row)),
    more > 0 && !same ? note(`and ${number(more)} more; qprism what-if --all lists them`) : "",
  ]
}
