// My jobs: one line a job with its state, place, likely start, one reason, and what helps.
import { address, ask, given, own, user, whyAddress } from "./ask.js"
import { progress } from "./basis.js"
import { placesOf } from "./columns.js"
import { around, count, ms, number, time } from "./format.js"
import { el, empty, later, table } from "./make.js"

export function mineView() {
  const who = own ? user : given("user") || user
  return [
    el("section", { class: "card" }, el("h1", {}, who ? "Jobs of " + who : "Jobs of one user"), ...body(who)),
  ]
}

const body = who => [later(ask("queue"), q => [own ? "" : choice(q, who), who ? jobs(q, who) : choose()])]

const choose = () => empty("Choose a user to see the user's jobs, likely starts, and what helps each job.")

/** choice is of a user who has jobs. */
function choice(queue, who) {
  const at = placesOf(queue)
  const names = [...new Set([user, who, ...queue.rows.map(row => row[at.user])])].filter(Boolean).sort()
  const lead = e => e.target.form.requestSubmit()
  return el(
    "form",
    { class: "filters", action: "/mine" },
    el(
      "label",
      {},
      "User",
      el(
        "select",
        { name: "user", onchange: lead },
        who ? "" : el("option", { value: "" }, "choose"),
        names.map(name => el("option", { value: name, selected: name === who }, name)),
      ),
    ),
  )
}

const most = 20

/** jobs are one line for each: those that run, then those that wait in their order. */
function jobs(queue, who, all = false) {
  const at = placesOf(queue),
    mine = queue.rows.filter(row => row[at.job] && (own || row[at.user] === who))
  const each = [...Map.groupBy(mine, row => row[at.job]).values()]
  if (!each.length) return empty(`${who} has no job here.`)
  const runs = mine.filter(row => isRunning(queue, row[at.state])).length,
    waiting = each.filter(rows => rows.some(row => row[at.place])).length
  const lines = each.slice(0, all ? each.length : most).map(rows => line(rows, at, queue))
  const said = el("p", { class: "soft", role: "status" })
  const list = el(
    "div",
    {},
    el("p", {}, `${count(runs, "task")} running, ${count(waiting, "job")} waiting.`),
    said,
    table(
      ["job", "state", ">place", "likely start", "why it waits", "what helps"],
      lines.map(l => l.cells),
      "stacked",
    ),
    each.length > lines.length ? more(() => list.replaceWith(jobs(queue, who, true)), each.length) : "",
  )
  const asked = lines.filter(l => l.why)
  progress(said, asked)
  return list
}

const more = (show, n) =>
  el("p", {}, el("button", { type: "button", onclick: show }, `Show all ${number(n)} jobs`))

/** line is one job with all its tasks: its cells, and the answer that fills two of them. */
function line(rows, at, queue) {
  const [row] = rows,
    id = row[at.job],
    runs = rows.filter(r => isRunning(queue, r[at.state])),
    waits = rows.find(r => !runs.includes(r))
  const link = el("a", { href: whyAddress(id) }, id)
  const head = [link, " ", el("span", { class: "soft" }, row[at.name])]
  if (!waits) return { cells: [head, "runs on " + places(runs, at), "", "", "", ""] }
  const why = ask("why", { job: id }),
    mark = el("span", {})
  const state = runs.length ? `${count(runs.length, "task")} run, other tasks wait` : stateOf(waits[at.state])
  const cells = [
    head,
    state,
    waits[at.place] ? `${number(waits[at.place])} of ${number(queue.waiting)}` : "",
    [cell(why, w => start(w, queue.taken_at)), mark],
    waits[at.why] || "the run ended before it tried this job",
    cell(why, w => (w.helps ? el("span", {}, w.helps) : "only time")),
  ]
  return { cells, why, mark }
}

function places(rows, at) {
  const names = [...new Set(rows.map(row => row[at.queue]))]
  return names.slice(0, 2).join(", ") + (names.length > 2 ? ` and ${names.length - 2} more` : "")
}

/** isRunning reports it by a state of qstat: Grid Engine says q of what waits, PBS Q, H, W or T. */
const isRunning = (queue, state) => !(queue.system === "Grid Engine" ? /q/ : /^[QHWT]/).test(state)

/** stateOf is a state of qstat in a word. */
function stateOf(state) {
  if (/E/.test(state)) return "in error"
  return /h|H/.test(state) ? "held" : "waits"
}

/** start is when a job is likely to start. */
function start(why, beside) {
  if (why.never) return el("span", { class: "bad" }, "never")
  if (why.starts.length) return "in the next run"
  const reserved = why.decision?.verdict === "reserve" && why.decision.start,
    at = why.likely_start?.start ?? reserved
  if (!at) return later(ask("forecast"), f => planned(f, why.job, beside))
  const latest = why.likely_start?.by_ended_jobs && why.likely_start.latest,
    wide = latest && ms(latest) - ms(at) > 900_000
  return el(
    "span",
    {},
    why.likely_start?.start ? "" : "reserved for ",
    time(at, around(at, beside)),
    wide ? [" to ", time(latest, around(latest, at))] : "",
  )
}

/** planned is the start that Plan has for a job whose own answer has none. */
function planned(forecast, job, beside) {
  const found = forecast.starts.find(s => String(s.job) === String(job))
  if (!found) return "not foreseen"
  return [time(found.start, around(found.start, beside)), " *"]
}

/** cell is filled when the answer is there. */
function cell(promise, show) {
  const place = el("span", { "aria-busy": "true", class: "soft" }, "computing")
  promise
    .then(show)
    .catch(() => "–")
    .then(shown => {
      place.removeAttribute("aria-busy")
      place.removeAttribute("class")
      place.replaceChildren(shown)
    })
  return place
}

/** mineLink leads to the jobs of a user. */
export const mineLink = name => (name ? el("a", { href: address("/mine", { user: name }) }, name) : "")
