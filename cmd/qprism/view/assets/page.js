// The page: which view its address names, which moment, and how healthy that is.
import { address, ask, count, el, here, jobAddress, later, moment, own, span, tables } from "./make.js"
import { compareView, jobView } from "./job.js"
import { overview, queueView } from "./queue.js"
import { sharesView } from "./shares.js"
import { diffView, planView, policyView } from "./rest.js"
import { changesView } from "./changes.js"
import { whatIfView } from "./whatif.js"

const views = [["/", "Overview", overview], ["/queue", "Queue", queueView], ["/shares", "Shares", sharesView], ["/plan", "Plan", planView],
  ["/policy", "Policy", policyView], ["/diff", "Diff", diffView], ["/what-if", "What if", whatIfView],
  ["/changes", "Changes", changesView]].filter(([to]) => !own || ["/", "/queue", "/shares", "/plan"].includes(to))
// the tables behind each view, as files for a spreadsheet
const saved = { "/": ["priorities", "forecast"], "/queue": ["priorities"], "/shares": ["shares", "used"], "/plan": ["plan", "forecast"],
  "/policy": ["lint", "audit"], "/diff": ["diff"], "/changes": ["changes"] }
const main = document.getElementById("main")

/** go leads to an address of the page without loading it again. */
function go(to, push = true) {
  if (push) history.pushState({}, "", to)
  show()
  main.focus({ preventScroll: true })
  scrollTo(0, 0)
}

function show() {
  const path = location.pathname
  const job = path.startsWith("/job/") && decodeURIComponent(path.slice("/job/".length))
  document.getElementById("views").replaceChildren(...views.map(([to, name]) =>
    el("a", { href: address(to), "aria-current": path === to ? "page" : undefined }, name)))
  const [, name, view] = job ? [0, "Job " + job, () => jobView(job)] : path === "/compare" ? [0, "Compare", compareView]
    : views.find(([to]) => to === path) ?? views[0]
  document.title = name + " · qprism"
  showMoment()
  showHealth()
  main.replaceChildren(...[view(), job ? tables([["why", { job }], ["explain", { job }]]) : saved[path] && tables(saved[path].map(name => [name, name === "used" ? { since: "30d" } : undefined]))].flat().filter(Boolean))
}

/** showMoment says which cluster and when, and leads to others. */
async function showMoment() {
  const place = document.getElementById("moment")
  const list = await fetch("/api/v1/clusters").then(answer => answer.json())
  if (list.error) return place.replaceChildren(list.error)
  const chosen = list.find(c => c.cluster === here().get("cluster")) ?? list[0]
  if (!chosen) return
  const at = Math.max(0, here().get("at") ? chosen.moments.findIndex(m => m.id === here().get("at")) : chosen.moments.length - 1)
  place.replaceChildren(...[clusterChoice(list, chosen), momentChoice(chosen.moments, at)].flat().filter(Boolean))
}

function clusterChoice(list, chosen) {
  if (list.length === 1) return el("span", {}, chosen.cluster)
  return el("select", { "aria-label": "Cluster", onchange: e => go(address(location.pathname, { cluster: e.target.value, at: "" })) },
    list.map(c => el("option", { value: c.cluster, selected: c === chosen }, c.cluster)))
}

/** momentChoice is a slider over what is known of a cluster. */
function momentChoice(moments, at) {
  const when = el("span", {}, moment(moments[at].taken_at))
  if (moments.length === 1) return [when]
  const last = moments.length - 1
  return [when, el("input", { type: "range", min: 0, max: last, value: at, "aria-label": "Moment", "aria-valuetext": moment(moments[at].taken_at),
    oninput: e => { when.textContent = moment(moments[e.target.value].taken_at) },
    onchange: e => go(address(location.pathname, { at: Number(e.target.value) === last ? "" : moments[e.target.value].id })) }),
  el("span", { class: "soft" }, `${at + 1} of ${moments.length}`)]
}

/** showHealth is the strip: how old what is shown is, whether the numbers agree, what lint finds. */
function showHealth() {
  const queue = ask("queue")
  document.getElementById("health").replaceChildren(
    later(queue, q => el("span", {}, `${q.system} ${q.release}`.trim() + `: ${count(q.running, "task")} running, ${count(q.waiting, "job")} waiting`)),
    later(queue, q => el("span", { class: "soft" }, "snapshot " + span((Date.now() - new Date(q.taken_at)) / 1000) + " old")),
    later(ask("agreement"), audited), own ? el("span", { class: "soft" }, "only your own jobs are shown") : later(ask("lint"), linted),
    later(queue, q => q.note ? el("span", { class: "warn" }, q.note) : ""))
}

function audited(a) {
  const sum = name => Object.values(a.fields).reduce((n, f) => n + f[name], 0)
  const unexplained = sum("unexplained")
  if (!sum("compared")) return el("span", { class: "soft" }, "numbers: nothing to audit")
  return el("span", { class: unexplained ? "bad" : "good", title: "qprism audit" },
    `${unexplained ? "✗" : "✓"} ${sum("agree")} of ${sum("reported")} numbers agree` + (unexplained ? `, ${unexplained} unexplained` : ""))
}

function linted(l) {
  const found = l.traps.length + l.never.length
  if (!found) return el("a", { href: address("/policy"), class: "good" }, l.not_checked ? "policy not checked" : "✓ no policy warnings")
  return el("a", { href: address("/policy"), class: "warn" },
    "⚠ " + [l.traps.length && count(l.traps.length, "policy warning"), l.never.length && count(l.never.length, "job") + " that can never run"].filter(Boolean).join(", "))
}

document.addEventListener("click", event => {
  const a = event.target.closest("a[href]")
  if (!a || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || a.origin !== location.origin
    || a.target || a.hash || a.pathname.startsWith("/api/")) return
  event.preventDefault()
  go(a.href)
})
document.getElementById("ask").addEventListener("submit", event => {
  event.preventDefault()
  const job = new FormData(event.target).get("job").trim()
  if (job) go(location.pathname === "/" ? address("/", { job }) : jobAddress(job))
})
document.addEventListener("keydown", event => {
  if (event.key !== "/" || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return
  event.preventDefault()
  document.getElementById("job").focus()
})
addEventListener("popstate", () => go("", false))
show()
