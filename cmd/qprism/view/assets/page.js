// The page: which view its address names.
import { address, given, opens, own, whyAddress } from "./ask.js"
import { changesView } from "./changes.js"
import { clusterView } from "./cluster.js"
import { compareView } from "./compare.js"
import { diffView } from "./diff.js"
import { showHealth, showMoment } from "./health.js"
import { jobView } from "./job.js"
import { live } from "./live.js"
import { el, tables } from "./make.js"
import { mineView } from "./mine.js"
import { momentsView } from "./moments.js"
import { planView } from "./plan.js"
import { policyView } from "./policy.js"
import { queueView } from "./queue.js"
import { sharesView } from "./shares.js"
import { swap } from "./swap.js"
import { whatIfView } from "./whatif.js"
import { whyView } from "./why.js"

/** A View has an address, a name, what draws it, and the tables behind it as files for a spreadsheet.
    @typedef {[string, string, () => any, string[]?]} View */

/** @type {View[]} */
const all = [
  ["/cluster", "Cluster", clusterView, ["priorities", "timeline"]],
  ["/mine", "My jobs", mineView],
  ["/why", "Why?", whyView],
  ["/queue", "Queue", queueView, ["priorities"]],
  ["/shares", "Shares", sharesView, ["shares", "used"]],
  ["/plan", "Plan", planView, ["plan", "forecast"]],
  ["/policy", "Policy", policyView, ["lint", "audit"]],
  ["/diff", "Diff", diffView, ["diff"]],
  ["/what-if", "What if", whatIfView],
  ["/changes", "Changes", changesView, ["changes"]],
]
const views = all.filter(
  ([to]) => !own || ["/cluster", "/mine", "/why", "/queue", "/shares", "/plan"].includes(to),
)
const main = document.getElementById("main")

/** go leads to an address of the page without loading it again. */
function go(to, push = true) {
  if (push) history.pushState({}, "", to)
  show()
  main.focus({ preventScroll: true })
  scrollTo(0, 0)
}

/** place is the view at an address: at / the one that opens first, or the answer about a job. */
function place(path) {
  if (path !== "/") return path
  return given("job") ? "/why" : opens
}

/** shown is the view that an address names: its name, its parts, and its tables. */
function shown(path) {
  if (path.startsWith("/job/")) {
    const job = decodeURIComponent(path.slice("/job/".length))
    return [
      "Job " + job,
      jobView(job),
      [
        ["why", { job }],
        ["explain", { job }],
      ],
    ]
  }
  if (path === "/compare") return ["Compare", compareView()]
  if (path === "/moments") return ["Two snapshots compared", momentsView()]
  const [, name, view, files] = views.find(([to]) => to === path) ?? views[0]
  return [name, view(), files?.map(file => [file, file === "used" ? { since: "30d" } : undefined])]
}

/** isJob reports whether a link leads to the answers about jobs, and the address names one. */
const isJob = (path, to) => to === "/why" && path.startsWith("/job/")

function show() {
  const path = place(location.pathname)
  /** @param {View} view */
  const link = ([to, name]) =>
    el("a", { href: address(to), "aria-current": path === to ? "page" : isJob(path, to) && "true" }, name)
  const bar = document.getElementById("views")
  bar.replaceChildren(...views.map(link))
  const chosen = /** @type {HTMLElement} */ (bar.querySelector("[aria-current]"))
  const middle = chosen ? chosen.offsetLeft + chosen.offsetWidth / 2 - bar.offsetLeft : 0
  bar.scrollLeft = middle - bar.clientWidth / 2
  const [name, parts, files] = shown(path)
  document.title = name + " · qprism"
  document.getElementById("title").textContent = name
  showMoment(go)
  showHealth()
  swap(main, [parts, files ? tables(files) : ""].flat().filter(Boolean))
}

/** formAddress is where a form of a view leads. */
const formAddress = form =>
  address(new URL(form.action).pathname, Object.fromEntries(new FormData(form).entries()))

/** stays reports whether a click leads to a view of this page. */
function stays(event, a) {
  const free = !event.defaultPrevented && !event.button && !event.metaKey && !event.ctrlKey && !event.shiftKey
  return free && a && a.origin === location.origin && !a.target && !a.hash && !a.pathname.startsWith("/api/")
}

document.addEventListener("click", event => {
  /** @type {HTMLAnchorElement} */
  const a = /** @type {Element} */ (event.target).closest("a[href]")
  if (!stays(event, a)) return
  event.preventDefault()
  go(a.href)
})
const unfold = document.getElementById("unfold")
unfold.addEventListener("click", () => {
  const open = unfold.parentElement.classList.toggle("open")
  unfold.setAttribute("aria-expanded", String(open))
})
document.addEventListener("submit", event => {
  event.preventDefault()
  const form = /** @type {HTMLFormElement} */ (event.target)
  if (form.id !== "ask") return go(formAddress(form))
  const job = String(new FormData(form).get("job")).trim()
  form.reset()
  if (job) go(whyAddress(job))
})
/** @type {HTMLInputElement} */
const box = document.querySelector("#job")
box.addEventListener("focus", () => box.select())
document.addEventListener("keydown", event => {
  if (event.key !== "/" || /^(INPUT|SELECT|TEXTAREA)$/.test(/** @type {Element} */ (event.target).tagName))
    return
  event.preventDefault()
  document.getElementById("job").focus()
})
addEventListener("popstate", () => go("", false))
show()
live(show)
