// Jobs that wait: the oldest, and how long those of a project or of a size have waited.
import { address, whyAddress } from "./ask.js"
import { number, span } from "./format.js"
import { el, empty, note, table } from "./make.js"
import { mineLink } from "./mine.js"

const nobody = queue =>
  empty(queue.waiting ? "The bundle does not say when jobs were submitted." : "No job waits.")

/** oldest are the jobs that wait longest, with one reason each. */
export function oldest(queue) {
  if (!queue.waits.all) return nobody(queue)
  return table(
    ["job", "user", ">has waited", "because"],
    queue.waits.oldest.map(j => [
      el("a", { href: whyAddress(j.job) }, j.job),
      mineLink(j.user),
      span(j.wait),
      j.never ? el("span", { class: "bad" }, j.why) : j.why || "–",
    ]),
  )
}

const spreads = (name, list) => [
  el("h3", {}, "By " + name),
  table(
    [name, ">jobs", ">median", ">nine of ten within", ">longest"],
    list.map(s => [s.name, number(s.jobs), span(s.median), span(s.nine_of_ten), span(s.longest)]),
    "stacked",
  ),
]

/** waitsByGroup says how long the jobs of each project have waited. */
export function waitsByGroup({ waits, ...queue }) {
  if (!waits.all) return nobody(queue)
  return spreads(waits.by, waits.groups)
}

/** waitsBySize says the same by the slots of a task. */
export function waitsBySize({ waits }) {
  if (!waits.all) return ""
  return [
    spreads("size of a task", waits.sizes),
    note("These tables count only jobs that wait now. ", el("a", { href: address("/queue") }, "All jobs")),
  ]
}

/** reasons are why jobs wait, each with the jobs that wait for it. */
export function reasons({ waits }) {
  if (!waits.reasons?.length) return ""
  const link = r => el("a", { href: address("/queue", { why: r.why }) }, r.why)
  const rows = waits.reasons.map(r => [link(r), number(r.jobs)])
  return [el("h3", {}, "By reason"), table(["reason", ">jobs"], rows)]
}
