// One job: its answer, the derivation of its place, what it waits for; and two jobs side by side.
import { address, around, ask, card, count, el, jobAddress, later, moment, number, span, svg, table, tables } from "./make.js"

const settled = promise => promise.then(value => ({ value }), error => ({ error }))

/** answerOf says in a few lines why a job does not run, its place, and when it is likely to start. */
export async function answerOf(job) {
  const [why, explained, forecast] = await Promise.all([settled(ask("why", { job })), settled(ask("explain", { job })), settled(ask("forecast"))])
  if (why.error && explained.error) throw why.error
  const e = explained.value, w = why.value
  const lines = [el("h1", {}, el("a", { href: jobAddress(job) }, "Job " + (w?.job ?? e.id)), ` ${w?.name ?? e.name} of ${w?.owner ?? e.owner}`)]
  lines.push(el("p", {}, el("strong", { id: "verdict" }, ...verdict(w, why.error))))
  if (e?.place) lines.push(el("p", { id: "place" }, `Place ${e.place} of ${e.waiting}`, e.next_before ? [", behind job ", el("a", { href: jobAddress(e.next_before.id) }, e.next_before.id)] : ""))
  if (w?.never !== true && forecast.value) lines.push(likely(String(w?.job ?? e.id), forecast.value))
  return lines.filter(Boolean)
}

function verdict(why, error) {
  if (!why) return [error.message]
  if (why.never) {
    const because = (why.never_because ?? []).map(b => b.text).join(why.never_needs_all ? " and " : "; or ")
    return [el("span", { class: "bad" }, "Never"), because ? ", because " + because : ": as the cluster is configured, nothing can take it"]
  }
  if (why.decision?.verdict === "reserve") return [`Not running yet: ${around(why.decision.start, why.run_at)} is reserved for it`]
  if (why.decision && why.decision.verdict !== "start") return ["Not running because " + (why.decision.why.map(r => r.text)[0] ?? "its turn did not come")]
  if (why.starts.length) return [el("span", { class: "good" }, "Starts in the next run")]
  return why.running ? [el("span", { class: "good" }, "Runs"), ` (${count(why.running, "task")})`] : ["The next run does not look at it"]
}

/** likely is when a forecast starts the first of its tasks. */
function likely(job, forecast) {
  const start = forecast.starts.find(s => String(s.job) === job)
  if (!start) return ""
  const fine = start.wait < 900, time = text => around(text, forecast.from, fine)
  const range = start.latest ? ` (${time(start.earliest)}–${time(start.latest)})` : ""
  return el("p", { id: "likely" }, `Likely ${time(start.start)}${range}, ${span(start.wait)} after the snapshot, if every job runs to its limit and nobody submits more`)
}

export function jobView(job) {
  const answer = el("section", { class: "card answer", id: "answer" }, later(answerOf(job), parts => parts))
  return [answer, el("div", { class: "two" },
    card("Why it has this place", later(ask("explain", { job }), derivation)),
    card("What it waits for", later(ask("why", { job }), waits)))]
}

function derivation(e) {
  return [el("p", { class: "soft" }, `In the run of ${moment(e.run_at)}`),
    ...e.criteria.map(c => el("div", {}, el("p", { class: "soft" }, `by ${c.name}: ${c.up}`), term(c.term, true))),
    ...e.inert.map(i => el("p", { class: "soft" }, `${i.policy} tells no two jobs apart: ${i.why}`)), ...e.notes.map(n => el("p", {}, n)),
    e.next_before ? el("p", {}, "Next before it: ", el("a", { href: address("/compare", { a: e.id, b: e.next_before.id }) }, "compare with job " + e.next_before.id)) : ""].filter(Boolean)
}

/** term is a number that opens to what it is made of. */
function term(t, top = false) {
  const sign = t.divides ? "÷ " : t.subtracted ? "− " : ""
  const time = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/.exec(t.text ?? "")
  const says = [sign, t.name || t.text || "", " ", el("span", { class: "value" }, time ? moment(time[0].replace(" ", "T") + "Z") : number(t.value)),
    t.op ? el("span", { class: "soft" }, " " + t.op) : "", t.text && t.name && !time ? el("span", { class: "soft" }, " · " + t.text) : "",
    t.note ? el("span", { class: "soft" }, " · " + t.note) : "", t.inert ? el("span", { class: "soft" }, " · orders nothing: " + t.inert) : ""]
  if (!t.terms?.length) return el("div", { class: "leaf" }, ...says)
  return el("details", { class: top ? "top" : undefined, open: top }, el("summary", {}, ...says), t.terms.map(part => term(part)))
}

function waits(w) {
  const parts = []
  const reasons = (w.decision?.why ?? []).map(r => el("li", {}, r.text + (r.count > 1 ? ` (${r.count})` : "") + (r.objects?.length && !w.hosts.length ? ": " + r.objects.join(", ") : "")))
  if (w.comment) parts.push(el("p", {}, "Its comment: " + w.comment))
  if (w.never_because?.length) parts.push(table(["request", "nearest that fits"], w.never_because.map(b => [b.request, b.nearest.join(", ")])))
  if (reasons.length) parts.push(el("ul", {}, reasons))
  if (w.hosts.length) parts.push(table([">hosts", "time helps", "because", "which"], w.hosts.map(h => [h.count, h.candidate ? "yes" : "no", h.text, h.hosts.join(" ")])))
  if (w.holders.length) parts.push(table(["waits for", "held by", "owner", ">amount", "until"], w.holders.map(h =>
    [h.what, h.job ? el("a", { href: jobAddress(h.job) }, String(h.job)) : "another's", h.owner, number(h.amount), h.until ? moment(h.until) : "no end"])))
  if (w.ahead?.jobs) parts.push(el("p", {}, `${count(w.ahead.jobs, "job")} before it${w.ahead.slot_hours === null ? "" : ` want ${number(w.ahead.slot_hours)} slot-hours`}`))
  return parts.length ? parts : [el("p", { class: "soft" }, "Nothing.")]
}

export function compareView() {
  const given = new URLSearchParams(location.search), a = given.get("a"), b = given.get("b")
  if (!a || !b) return [el("section", { class: "card" }, el("p", {}, "Choose two jobs in the ", el("a", { href: address("/queue") }, "queue"), "."))]
  return [el("section", { class: "card answer" }, later(ask("compare", { a, b }), compared))]
}

function compared(c) {
  const head = side => el("a", { href: jobAddress(c[side].id) }, `${c[side].id} of ${c[side].owner}`)
  return [el("h1", {}, "Jobs ", head("a"), " and ", head("b")),
    el("p", {}, el("strong", {}, c.first ? `Job ${c.first} comes first, by ${c.decided_by}` : "They do not both wait")),
    c.flips.length && c.first ? el("p", {}, `What would turn that round:`) : "",
    flips(c), c.flips.length ? el("ul", {}, c.flips.map(f => el("li", {}, f.text))) : "", c.never.length ? el("p", { class: "soft" }, "What would not:") : "", c.never.length ? el("ul", { class: "soft" }, c.never.map(n => el("li", {}, `${n.kind}: ${n.why}`))) : "",
    table(["term", ">" + c.a.id, ">" + c.b.id, "gains"], c.terms.map(t => ["\u2003".repeat(t.depth) + t.name, t.a, t.b, t.gains])),
    ...[...c.rates, ...c.notes].map(text => el("p", { class: "soft" }, text)), tables([["compare", { a: c.a.id, b: c.b.id }]])].filter(Boolean)
}

/** flips are the moments on which the order turns round, on a line of time. */
function flips(c) {
  const points = c.flips.filter(f => f.at)
  if (!points.length || !c.flips_from) return ""
  const from = new Date(c.flips_from).getTime(), to = Math.max(...points.map(f => new Date(f.at).getTime())), x = at => 20 + 560 * (at - from) / Math.max(1, to - from)
  return svg("svg", { class: "chart", viewBox: "0 0 600 56", role: "img", "aria-label": points.map(f => f.text).join("; ") },
    svg("line", { class: "axis", x1: 20, x2: 580, y1: 24, y2: 24 }), svg("text", { x: 20, y: 50 }, around(c.flips_from, c.flips_from)),
    points.map(f => [svg("circle", { class: "dot", cx: x(new Date(f.at).getTime()), cy: 24, r: 6 }), svg("text", { x: Math.min(540, x(new Date(f.at).getTime())), y: 12, "text-anchor": "end" }, moment(f.at))]))
}
