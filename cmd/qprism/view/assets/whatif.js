// What if: sliders for the numbers of the policy; the order that they would make, and who gains.
import { ask, card, el, jobAddress, later, number, table, tables } from "./make.js"

export function whatIfView() {
  return [card("What if the policy changed?", later(ask("settings"), trying))]
}

/** trying are the sliders, and behind them what they change. */
function trying({ settings }) {
  if (!settings.length) return [el("p", {}, "Nothing of this policy is a number that a slider could change; qprism what-if --set changes it.")]
  const changed = new Map(), result = el("div", { id: "changed", "aria-live": "polite" })
  const command = el("code", {}), said = el("p", { hidden: true }, command, " ", el("button", { type: "button", onclick: () => { for (const row of rows) row.reset() } }, "Reset"))
  let waits
  const renew = () => {
    clearTimeout(waits)
    waits = setTimeout(() => {
      const changes = [...changed].map(([key, value]) => [settings.find(s => s.key === key).set, key + "=" + value])
      command.textContent = "qprism what-if" + changes.map(([set, change]) => ` --${set} ${change}`).join("")
      said.hidden = !changes.length
      const mine = waits
      if (!changes.length) {
        result.replaceChildren(el("p", { class: "soft" }, "Move a slider to see the new order, and who gains."))
        return
      }
      result.setAttribute("aria-busy", "true")
      ask("what-if", changes).then(report => [...outcome(report), tables([["what-if", changes]])], error => [el("p", { class: "soft" }, error.message)]).then(parts => {
        if (mine !== waits) return // another one was asked for since
        result.removeAttribute("aria-busy")
        result.replaceChildren(...parts)
      })
    }, 60)
  }
  const set = (s, value) => {
    value === s.value ? changed.delete(s.key) : changed.set(s.key, value)
    renew()
  }
  const rows = settings.map(s => slider(s, set))
  renew()
  return [el("div", { class: "knobs" }, rows), said, result]
}

const steps = 200

/** toPlace and toValue lead from a value to its place on the slider and back; of ratios each fifth of the way is a power of ten. */
const toPlace = (s, v) => (s.steps === "even" ? steps * v / s.most : v <= 0 ? 0 : Math.max(1, steps * (1 + Math.log10(v / s.most) / 6)))
const toValue = (s, p) => Number((p <= 0 ? 0 : s.steps === "even" ? Math.round(s.most * p / steps) : s.most * 10 ** (6 * (p / steps - 1))).toPrecision(2))

function slider(s, set) {
  const name = s.key, shown = el("output", {}, number(s.value))
  const place = toPlace(s, s.value)
  const input = el("input", { type: "range", min: 0, max: steps, step: "any", value: place, "aria-label": name, "aria-valuetext": number(s.value) })
  const tell = value => {
    shown.textContent = number(value)
    input.setAttribute("aria-valuetext", number(value))
    set(s, value)
  }
  input.addEventListener("input", () => tell(Number(input.value) === place ? s.value : toValue(s, Number(input.value))))
  const row = el("label", {}, el("span", {}, name), input, shown)
  row.reset = () => { input.value = place; tell(s.value) }
  return row
}

/** moved says how many places somebody gained. */
const moved = n => (n > 0 ? "▲ " + number(n) : n < 0 ? "▼ " + number(-n) : "=")

function outcome(report) {
  const most = 200
  const jobs = [...report.jobs].sort((a, b) => a.place[1] - b.place[1])
  const gains = report.groups.filter(g => g.places)
  return [el("p", {}, `Rank correlation with today's order: ${report.tau_b.toFixed(2)} (1 = same). The next run starts ${report.starts[1]} tasks (today ${report.starts[0]}).`),
  gains.length ? table(["who", ">jobs", ">places gained, on average"], gains.map(g => [`${g.kind} ${g.name}`, g.jobs, moved(Number(g.places.toPrecision(3)))])) : "",
  el("h3", {}, "New order"),
  table([">place", "job", "owner", ">today", "", "verdict"], jobs.slice(0, most).map(j => [j.place[1], el("a", { href: jobAddress(String(j.job)) }, String(j.job)), j.owner, j.place[0],
    moved(j.place[0] - j.place[1]), j.verdict[1]])),
  jobs.length > most ? el("p", { class: "soft" }, `and ${jobs.length - most} more; qprism what-if --all lists them`) : ""].filter(Boolean)
}
