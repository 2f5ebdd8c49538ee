// Cluster: how it is now, how it was for 30 days, who waits, and what the hosts do.
import { ask, own, pastOf, whyAddress } from "./ask.js"
import { busyCard } from "./busy.js"
import { placesOf } from "./columns.js"
import { consumablesCard } from "./consumables.js"
import { figures } from "./figures.js"
import { gantt } from "./gantt.js"
import { card, el, empty, later, table } from "./make.js"
import { mineLink } from "./mine.js"
import { warnings } from "./policy.js"
import { queueCard } from "./queue.js"
import { sharesTable, usedTable } from "./usage.js"
import { oldest, reasons, waitsByGroup, waitsBySize } from "./waiting.js"
import { useOverTime, waitsNow, waitsOverTime } from "./waits.js"

export function clusterView() {
  return own ? ownParts() : parts()
}

function ownParts() {
  return [
    el(
      "div",
      { class: "two" },
      queueCard(),
      card("Target shares and usage", later(ask("shares"), sharesTable)),
    ),
  ]
}

function parts() {
  const summary = ask("summary")
  const nextCard = card("Next in dispatch order", later(summary, next))
  const past = pastOf("timeline").then(({ value }) => value?.length > 2)
  return [
    figures(),
    el(
      "div",
      { class: "two" },
      el(
        "div",
        { class: "stack" },
        useOverTime(),
        card("Causes of waiting", waitsNow(), later(summary, reasons), waitsOverTime()),
        card("Waiting time so far", later(summary, waitsByGroup), later(summary, waitsBySize)),
        later(past, known => (known ? "" : nextCard)),
      ),
      el(
        "div",
        { class: "stack" },
        card("Warnings", warnings()),
        card("Oldest waiting jobs", later(summary, oldest)),
        card("Usage and target", usedTable()),
        later(past, known => (known ? nextCard : "")),
      ),
    ),
    consumablesCard(),
    busyCard(),
    card("Hosts after the next run", gantt("booked")),
  ]
}

/** next are the first jobs that wait. */
function next(queue) {
  const at = placesOf(queue)
  if (!queue.rows.length) return empty("No job waits.")
  return table(
    [">place", "job", "user", ">slots", "why it waits"],
    queue.rows.map(row => [
      row[at.place],
      el("a", { href: whyAddress(row[at.job]) }, row[at.job]),
      mineLink(row[at.user]),
      row[at.slots],
      row[at.never] ? el("span", { class: "bad" }, row[at.why]) : row[at.why] || queue.lacks,
    ]),
  )
}
