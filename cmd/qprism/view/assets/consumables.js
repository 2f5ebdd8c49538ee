// Licenses and other consumables: who holds them, and who asks for them.
import { ask, whyAddress } from "./ask.js"
import { number } from "./format.js"
import { card, el, later, note, table } from "./make.js"

const mostJobs = 5

/** amount is a number of a consumable; memory is in bytes. */
const amount = (n, c) => (n === null ? "–" : c.bytes ? binary(n) : number(n))

/** binary is an amount of memory: 8 GiB. */
function binary(bytes) {
  const power = Math.min(5, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  return number(bytes / 1024 ** power) + " " + ["B", "KiB", "MiB", "GiB", "TiB", "PiB"][power]
}

/** jobs are the first of a list, each with its amount; those that wait for the consumable are marked. */
function jobs(list, c) {
  if (!list.length) return "nobody"
  const one = j => [
    el("a", { href: whyAddress(j.job) }, j.job),
    ` of ${j.user} (${amount(j.amount, c)}${j.short ? ", waits for it" : ""})`,
  ]
  const more = list.length - mostJobs,
    first = list.slice(0, mostJobs).flatMap((j, i) => [i ? ", " : "", ...one(j)])
  return [...first, more > 0 ? ` and ${more} more` : ""]
}

/** consumablesCard is a table of them; nothing where no job asks for any. */
export const consumablesCard = () =>
  later(ask("consumables"), list => {
    if (!list.length) return ""
    const row = c => [
      c.name,
      amount(c.total, c),
      amount(c.held, c),
      amount(c.total === null ? null : c.total - c.held, c),
      jobs(c.by, c),
      jobs(c.asked, c),
    ]
    return card(
      "Licenses and other consumables",
      table(["resource", ">in all", ">in use", ">free", "held by", "asked for by"], list.map(row), "stacked"),
      note("For a waiting array job, the table shows the amount that one task requests."),
    )
  })

/** askedBy says what a job holds of them, or asks for. */
export const askedBy = (job, title = "") =>
  later(ask("consumables"), list => {
    const found = (name, c) => c[name].find(j => j.job === job || j.job.split(".")[0] === job)
    const line = c => {
      const held = found("by", c),
        asked = found("asked", c)
      if (!held && !asked) return ""
      const left = c.total === null ? "" : `; ${amount(c.total - c.held, c)} of ${amount(c.total, c)} free`
      const verb = held ? "holds " : "asks for "
      return el("li", {}, verb, amount((held ?? asked).amount, c), " ", c.name, left)
    }
    const lines = list.map(line).filter(Boolean)
    if (!lines.length) return ""
    return title ? card(title, el("ul", {}, lines)) : [el("h3", {}, "Consumables"), el("ul", {}, lines)]
  })
