// Plan, policy, and what happened between two moments.
import { address, around, ask, card, count, el, jobAddress, later, moment, own, picture, span, svg, table } from "./make.js"

/** likelyStarts are when what waits is likely to start, in words. */
export const likelyStarts = () => [later(ask("forecast"), ending), later(ask("forecast"), starts)]

export function planView() {
  if (own) return [card("Likely starts", likelyStarts())]
  return [card("The next run", later(ask("plan"), tally), picture("plan.svg", "What the next run books, resource by resource")),
    card("Likely starts", later(ask("forecast"), ending), picture("forecast.svg", "What is likely to start when and where"), later(ask("forecast"), starts))]
}

function tally(plan) {
  const n = verdict => plan.decisions.filter(d => d.verdict === verdict).length
  return [el("p", {}, `${n("start")} start, ${n("reserve")} are reserved for, ${n("wait")} wait`), ...(plan.notes ?? []).map(note => el("p", { class: "soft" }, note))]
}

const ending = f => [el("p", {}, `${count(f.runs, "run")} until ${moment(f.until)}: ${f.ending}. Every job is taken to run to its limit.`)]

/** starts are a table of the first starts, with the range of each. */
function starts(f) {
  const most = 200
  const rows = f.starts.slice(0, most).map(s => [s.order, el("a", { href: jobAddress(s.job) }, s.job + (s.task && s.task !== 1 ? "." + s.task : "")), s.owner, s.name,
    around(s.start, f.from), s.latest ? `${around(s.earliest, f.from)}–${around(s.latest, f.from)}` : "", span(s.wait)])
  const never = f.never.map(d => ["", el("a", { href: jobAddress(d.job) }, String(d.job)), "", "", "not in this forecast", "", ""])
  return [table([">", "job", "owner", "name", "start", "range", "wait"], [...rows, ...never.slice(0, most)]),
    f.starts.length > most ? el("p", { class: "soft" }, `and ${f.starts.length - most} more; qprism forecast lists them`) : ""].filter(Boolean)
}

export function policyView() {
  return [card("Policy warnings", later(ask("lint"), traps)), card("What the policy says", later(ask("lint"), l => table(["about", "says"], l.policy.map(w => [w.about, w.says]))))]
}

function traps(l) {
  if (l.not_checked) return [el("p", {}, l.not_checked)]
  const list = l.traps.map(t => el("div", { class: "trap" }, el("p", {}, el("strong", {}, t.what)), el("p", {}, "here: " + t.effect),
    el("p", { class: "soft" }, `${t.file}${t.line ? ":" + t.line : ""} ${t.text ?? ""}`), t.fix.map((fix, i) => el("p", {}, i ? "or " : "fix: ", el("code", {}, fix)))))
  if (l.never.length) {
    list.push(el("h2", {}, count(l.never.length, "job") + " that can never run"), table(["job", "owner", "request", "nearest that fits"],
      l.never.map(n => [el("a", { href: jobAddress(n.job) }, n.job), n.owner, n.request ?? "", n.nearest.join(", ")])))
  }
  return list.length ? list : [el("p", { class: "good" }, "No policy warnings.")]
}

export function diffView() {
  return [card("Expected against what started, since the moment before", later(ask("diff"), diffed))]
}

function diffed(d) {
  const most = Math.max(1, ...d.causes.map(c => c.inversions))
  const bar = n => {
    const part = el("i")
    part.style.width = 100 * n / most + "%"
    return el("div", { class: "against", role: "img", "aria-label": String(n) }, part)
  }
  return [el("p", {}, `${count(d.runs.length, "run")}, ${count(d.inversions, "inversion")}, ${d.unknown} of unknown cause`),
    d.causes.length ? table(["cause", "", ">inversions"], d.causes.map(c => [c.cause + (c.detail ? ": " + c.detail : ""), bar(c.inversions), c.inversions])) : "",
    ...d.runs.map((r, i) => run(r, i === 0))].filter(Boolean)
}

/** run is one that opens to what happened in it; the first is open. */
function run(r, open) {
  const shown = el("div", {})
  return el("details", { class: "top trap", open, ontoggle: e => {
    if (e.target.open && !shown.hasChildNodes()) {
      shown.append(...[bump(r), r.pairs.length ? el("ul", {}, r.pairs.slice(0, 50).map(p => el("li", {}, `${p.early} started before ${p.late}: ${p.text}`))) : ""].flat().filter(Boolean))
    }
  } }, el("summary", {}, el("strong", {}, `Run of ${moment(r.run_at)}: `),
    `${r.started} of ${r.tasks} started, ${count(r.inversions, "inversion")}`,
    r.tau_b === null ? "" : `; both orders agree to ${r.tau_b.toFixed(2)} (tau-b, 1 is the same)`), shown)
}

/** bump draws the expected order on the left and the real one on the right; a line that crosses others rose or fell. Of many, those are drawn that rose
    and those that come first. */
function bump(r) {
  const all = r.order.filter(i => i.actual >= 0), most = 20 // 0 is the first that started
  if (all.length < 2) return ""
  const placed = [...all].sort((a, b) => a.actual - b.actual), rose = new Set(all.filter((item, i) => placed.indexOf(item) < i).slice(0, most / 2))
  const items = all.filter((item, i) => rose.has(item) || i < most - rose.size)
  const real = [...items].sort((a, b) => a.actual - b.actual), y = i => 14 + 18 * i
  const left = all.length - items.length
  return [left ? el("p", { class: "soft" }, `Expected on the left, as it was on the right; ${count(left, "task")} more are not drawn.`) : "",
    svg("svg", { class: "chart bump", viewBox: `0 0 600 ${y(items.length)}`, role: "img", "aria-label": "expected order on the left, order of starts on the right" },
    items.map((item, i) => {
      const k = real.indexOf(item)
      return [svg("path", { class: i === k ? "straight" : "crossed", d: `M150 ${y(i)}C300 ${y(i)} 300 ${y(k)} 450 ${y(k)}` }),
        svg("text", { x: 140, y: y(i) + 4, "text-anchor": "end" }, item.task), svg("text", { x: 460, y: y(k) + 4 }, item.task)]
    }))]
}
