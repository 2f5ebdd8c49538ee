// The page: which view its address names.
import { address, jobAddress, own } from "./ask.js"
import { changesView } from "./changes.js"
import { clusterView } from "./cluster.js"
import { compareView } from "./compare.js"
import { diffView } from "./diff.js"
import { showHealth, showMoment } from "./health.js"
import { jobView } from "./job.js"
import { el, tables } from "./make.js"
import { planView } from "./plan.js"
import { policyView } from "./policy.js"
import { queueView } from "./queue.js"
import { sharesView } from "./shares.js"
import { whatIfView } from "./whatif.js"

/** views have an address, a name, what draws them, and the tables behind them as files for a spreadsheet. */
const views = [
  ["/", "Cluster", clusterView, ["priorities", "forecast"]],
  ["/queue", "Queue", queueView, ["priorities"]],
  ["/shares", "Shares", sharesView, ["shares", "used"]],
  ["/plan", "Plan", planView, ["plan", "forecast"]],
  ["/policy", "Policy", policyView, ["lint", "audit"]],
  ["/diff", "Diff", diffView, ["diff"]],
  ["/what-if", "What if", whatIfView],
  ["/changes", "Changes", changesView, ["changes"]],
].filter(([to]) => !own || ["/", "/queue", "/shares", "/plan"].includes(to))
const main = document.getElementById("main")

/** go leads to an address of the page without loading it again. */
function go(to, push = true) {
  if (push) history.pushState({}, "", to)
  show()
  main.focus({ preventScroll: true })
  scrollTo(0, 0)
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
  const [, name, view, files] = views.find(([to]) => to === path) ?? views[0]
  return [name, view(), files?.map(file => [file, file === "used" ? { since: "30d" } : undefined])]
}

function show() {
  const path = location.pathname
  const link = ([to, name]) =>
    el("a", { href: address(to), "aria-current": path === to ? "page" : undefined }, name)
  document.getElementById("views").replaceChildren(...views.map(link))
  const [name, parts, files] = shown(path)
  document.title = name + " · qprism"
  showMoment(go)
  showHealth()
  main.replaceChildren(...[parts, files ? tables(files) : ""].flat().filter(Boolean))
}

/** stays reports whether a click leads to a view of this page. */
function stays(event, a) {
  const free = !event.defaultPrevented && !event.button && !event.metaKey && !event.ctrlKey && !event.shiftKey
  return free && a && a.origin === location.origin && !a.target && !a.hash && !a.pathname.startsWith("/api/")
}

document.addEventListener("click", event => {
  const a = event.target.closest("a[href]")
  if (!stays(event, a)) return
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
