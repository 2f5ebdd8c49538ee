// The first view: how the cluster is, beside the queue.
import { answerOf } from "./answer.js"
import { ask, own } from "./ask.js"
import { figures } from "./figures.js"
import { card, el, later, picture } from "./make.js"
import { likelyStarts } from "./plan.js"
import { queueCard } from "./queue.js"
import { sharesTable, usedTable } from "./usage.js"
import { oldest, waitByProject } from "./waiting.js"
import { useOverTime, waitsNow, waitsOverTime } from "./waits.js"
import { warnings } from "./policy.js"

export function clusterView() {
  const job = new URLSearchParams(location.search).get("job")
  const answer =
    job &&
    el(
      "section",
      { class: "card answer", id: "answer", "aria-live": "polite" },
      later(answerOf(job), p => p),
    )
  return [answer, ...(own ? ownParts() : parts())].filter(Boolean)
}

function ownParts() {
  return [
    el("div", { class: "two" }, queueCard(), card("Shares against usage", later(ask("shares"), sharesTable))),
    card("Likely starts", likelyStarts()),
  ]
}

function parts() {
  return [
    figures(),
    el(
      "div",
      { class: "two" },
      el(
        "div",
        { class: "stack first" },
        queueCard(),
        card("What waits for what", waitsNow(), waitsOverTime()),
      ),
      el(
        "div",
        { class: "stack" },
        card("Warnings", warnings()),
        card("Oldest waiting jobs", later(ask("queue"), oldest)),
        card("Wait by project", later(ask("queue"), waitByProject)),
        card("Usage by project", usedTable()),
        useOverTime(),
      ),
    ),
    card("Likely starts", picture("forecast.svg", "What is likely to start when and where")),
  ]
}
