// The head of the page: which cluster, which moment, and how healthy that is.
import { address, ask, given, here, own, stored } from "./ask.js"
import { count, moment, ms, number, span, time } from "./format.js"
import { el, later } from "./make.js"
import { momentsLink } from "./moments.js"

/** showMoment says which cluster and when, and leads to others. */
export async function showMoment(go) {
  const place = document.getElementById("moment"),
    sliding = place.contains(document.activeElement) && document.activeElement.matches("[type=range]")
  const list = await fetch("/api/v1/clusters").then(answer => answer.json())
  if (list.error) return place.replaceChildren(list.error)
  const chosen = list.find(c => c.cluster === here().get("cluster")) ?? list[0]
  if (!chosen) return
  const found = chosen.moments.findIndex(m => m.id === here().get("at"))
  const at = here().get("at") ? Math.max(0, found) : chosen.moments.length - 1
  place.replaceChildren(
    ...[clusterChoice(list, chosen, go), momentChoice(chosen.moments, at, go)].flat().filter(Boolean),
  )
  if (sliding) place.querySelector("input")?.focus({ preventScroll: true }) // arrows go on
}

function clusterChoice(list, chosen, go) {
  if (list.length === 1) return el("span", {}, chosen.cluster)
  const lead = e => go(address(location.pathname, { cluster: e.target.value, at: "" }))
  return el(
    "select",
    { "aria-label": "Cluster", onchange: lead },
    list.map(c => el("option", { value: c.cluster, selected: c === chosen }, c.cluster)),
  )
}

/** momentChoice is a slider over what is known of a cluster. */
function momentChoice(moments, at, go) {
  const when = el("span", { class: "when" }, time(moments[at].taken_at))
  if (moments.length === 1) return [when]
  const last = moments.length - 1,
    of = e => moments[e.target.value],
    place = i => `Snapshot ${number(i + 1)} of ${number(moments.length)}`,
    counter = el("span", { class: "soft" }, place(at))
  const lead = e => go(address(location.pathname, { at: Number(e.target.value) === last ? "" : of(e).id }))
  return [
    when,
    el("input", {
      type: "range",
      min: 0,
      max: last,
      value: at,
      "aria-label": "Moment",
      "aria-valuetext": moment(moments[at].taken_at),
      oninput: e => {
        when.replaceChildren(time(of(e).taken_at))
        counter.textContent = place(Number(e.target.value))
        document.getElementById("main").classList.add("dim")
      },
      onchange: lead,
    }),
    player(moments, at, go),
    counter,
    own ? "" : momentsLink(),
  ].filter(Boolean)
}

let playing = false,
  timer

/** player is a button that shows one moment after the other, each for a second. */
function player(moments, at, go) {
  const last = moments.length - 1,
    lead = i => go(address(location.pathname, { at: i === last ? "" : moments[i].id }))
  clearTimeout(timer)
  playing = playing && at < last
  if (playing) timer = setTimeout(lead, 1000, at + 1)
  const onclick = () => {
    playing = !playing
    if (playing) lead(at === last ? 0 : at + 1)
    else showMoment(go)
  }
  return el(
    "button",
    {
      type: "button",
      "aria-label": "Show all snapshots, one after the other",
      "aria-pressed": String(playing),
      onclick,
    },
    playing ? "❚❚" : "▶",
  )
}

/** showHealth is the strip: how old the snapshot is, whether the numbers agree, what lint finds. */
export function showHealth() {
  const queue = ask(own ? "queue" : "summary"),
    soft = text => el("span", { class: "soft" }, text)
  document.getElementById("health").replaceChildren(
    later(queue, q =>
      el(
        "span",
        {},
        `${q.system} ${q.release}`.trim(),
        `: ${count(q.running, "task")} running, ${count(q.waiting, "job")} waiting`,
      ),
    ),
    later(queue, age),
    later(ask("agreement"), audited),
    own ? soft("only your own jobs are shown") : later(ask("lint"), linted),
    later(queue, q => (q.note ? el("span", { class: "warn" }, q.note) : "")),
  )
}

/** age warns of an old snapshot. Of files, demo data, and a moment that somebody chose, age says nothing. */
function age(q) {
  const seconds = (Date.now() - ms(q.taken_at)) / 1000,
    old = stored && !given("at") && !q.note && seconds > 3600
  return el("span", { class: old ? "warn" : "soft" }, `${old ? "⚠ " : ""}snapshot ${span(seconds)} old`)
}

function audited(a) {
  const sum = name => Object.values(a.fields).reduce((n, f) => n + f[name], 0)
  const unexplained = sum("unexplained")
  if (!sum("compared")) return el("span", { class: "soft" }, "numbers: nothing to audit")
  const bad = unexplained ? `, ${number(unexplained)} unexplained` : ""
  return el(
    "span",
    { class: unexplained ? "bad" : "good", title: "qprism audit" },
    `${unexplained ? "✗" : "✓"} ${number(sum("agree"))} of ${number(sum("reported"))} numbers agree` + bad,
  )
}

function linted(l) {
  const parts = [
    l.traps.length && count(l.traps.length, "policy warning"),
    l.never.length && count(l.never.length, "job") + " that can never run",
  ].filter(Boolean)
  const href = address("/policy")
  if (parts.length) return el("a", { href, class: "warn" }, "⚠ " + parts.join(", "))
  return el("a", { href, class: "good" }, l.not_checked ? "policy not checked" : "✓ no policy warnings")
}
