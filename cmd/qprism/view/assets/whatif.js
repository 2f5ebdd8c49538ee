// What if: sliders for the numbers of the policy; the order that they would make, and who gains.
import { ask, jobAddress } from "./ask.js"
import { count, number } from "./format.js"
import { card, el, empty, failed, later, note, table, tables } from "./make.js"
import { slider } from "./slider.js"

export function whatIfView() {
  return [card("What if the policy changed?", later(ask("settings"), trying))]
}

/** trying are the sliders, and below them what they change. */
function trying({ settings }) {
  if (!settings.length)
    return empty("Sliders cannot change this policy. Use qprism what-if --set.")
  const trial = new Trial(settings)
  const group = (title, set) => {
    const rows = trial.rows.filter((_, i) => (settings[i].set === "shares") === set)
    return rows.length ? [el("h3", {}, title), el("div", { class: "knobs" }, rows)] : []
  }
  const weights = settings.some(s => s.key === "halftime") ? "Weights and halftime" : "Weights"
  return [group(weights, false), group("Shares of projects", true), trial.said, trial.result, trial.short]
}

/** A Trial is a policy with other numbers. */
class Trial {
  constructor(settings) {
    this.changed = new Map()
    this.result = el("div", { id: "changed", "aria-live": "polite" })
    this.command = el("code", {})
    this.short = el("p", { class: "stays", "aria-hidden": "true" })
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
    this.short.textContent = ""
    if (!changes.length) {
      this.result.replaceChildren(empty("Move a slider, or click “double”, to see who gains and who loses."))
      return
    }
    this.result.setAttribute("aria-busy", "true")
    const parts = await ask("what-if", changes)
      .then(r => [...outcome(r), tables([["what-if", changes]])])
      .catch(e => [failed(e)])
    if (mine !== this.waits) return // another one was asked for since
    this.result.removeAttribute("aria-busy")
    this.result.replaceChildren(...parts.filter(Boolean))
    this.short.textContent = this.result.querySelector("strong")?.textContent ?? ""
  }
}

/** moved says how many places somebody gained; on average with one decimal. */
function moved(n, decimals = 0) {
  const text = Math.abs(n).toFixed(decimals)
  if (!Number(text)) return "="
  return el("span", { class: n > 0 ? "good" : "bad" }, (n > 0 ? "▲ " : "▼ ") + text)
}

const most = 200

function outcome(report) {
  const jobs = [...report.jobs].sort((a, b) => a.place[1] - b.place[1]),
    movers = jobs.filter(j => j.place[0] !== j.place[1])
  const gains = report.groups.filter(g => Math.abs(g.places) >= 0.05)
  return [
    el("p", {}, el("strong", {}, headline(jobs, movers))),
    winners(gains),
    el(
      "p",
      {},
      report.tau_b === null
        ? ""
        : `Rank correlation with today's order: ${report.tau_b.toFixed(2)} (1 = same). `,
      `Starts in the next run: ${number(report.starts[1])} (today's policy: ${number(report.starts[0])}).`,
    ),
    gains.length
      ? table(
          ["who", ">jobs", ">places, on average"],
          gains.map(g => [`${g.kind} ${g.name}`, number(g.jobs), moved(g.places, 1)]),
        )
      : "",
    movers.length ? el("h3", {}, "New order") : "",
    movers.length ? order(movers, jobs) : "",
  ]
}

const headline = (jobs, movers) =>
  movers.length
    ? `${number(movers.length)} of ${count(jobs.length, "job")} move${movers.length === 1 ? "s" : ""}; ` +
      "the other jobs keep their place."
    : "No job changes its place."

/** winners say who gains and who loses places. */
function winners(gains) {
  const names = list => list.map(g => `${g.kind} ${g.name}`).join(", "),
    up = gains.filter(g => g.places > 0),
    down = gains.filter(g => g.places < 0)
  const parts = [up.length && `Gains: ${names(up)}.`, down.length && `Loses: ${names(down)}.`].filter(Boolean)
  return parts.length ? el("p", {}, parts.join(" ")) : ""
}

/** order lists jobs that move; all on demand. */
function order(shown, jobs) {
  const row = j => [
    number(j.place[1]),
    el("a", { href: jobAddress(String(j.job)) }, String(j.job)),
    j.owner,
    number(j.place[0]),
    moved(j.place[0] - j.place[1]),
    j.verdict[1],
  ]
  const more = shown.length - most
  const all = el("button", { type: "button", onclick: () => list.replaceWith(order(jobs, jobs)) })
  all.textContent = `Show all ${count(jobs.length, "job")}`
  const list = el(
    "div",
    {},
    table([">place", "job", "owner", ">today", "change", "verdict"], shown.slice(0, most).map(row)),
    more > 0 ? note(`and ${number(more)} more; qprism what-if --all lists them`) : "",
    shown.length < jobs.length ? el("p", {}, all) : "",
  )
  return list
}
