// What may be changed from the page: what would be sent is shown first, and sent only after somebody says so.
import { api } from "./ask.js"
import { count, time } from "./format.js"
import { el, later, note, table } from "./make.js"
import { ended, words } from "./order.js"

/** fetched asks anew each time: what was changed does not belong to a moment. */
export async function fetched(question, parameters) {
  return read(await fetch(api(question, parameters)))
}

async function read(answer) {
  const body = await answer.json()
  if (!answer.ok) throw new Error(body.error)
  return body
}

/** An Acting asks for changes of a cluster. */
export class Acting {
  constructor(report, renew) {
    this.report = report
    this.renew = renew // called after something was changed
    this.place = el("div", { id: "plan", "aria-live": "polite" })
  }

  can(kind) {
    return this.report.may && this.report.kinds.includes(kind)
  }

  /** button shows what an act would send. */
  button(says, act) {
    return el(
      "button",
      { type: "button", onclick: () => this.show(typeof act === "function" ? act() : act) },
      says,
    )
  }

  post(path, body) {
    return fetch("/api/v1/acts/" + path, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "Content-Type": "application/json", "X-CSRF-Token": this.report.csrf },
    }).then(read)
  }

  /** show asks what would be sent, and offers to send it. */
  show(act) {
    act = { cluster: this.report.cluster, jobs: [], policy: "", push: 0, ...act }
    this.place.replaceChildren(
      note("Asking the cluster…"),
      later(this.post("plan", act), plan => this.shown(plan)),
    )
    this.place.scrollIntoView({ block: "nearest" })
  }

  shown(plan) {
    this.place.firstChild.remove()
    const parts = [
      el("h3", {}, `${words[plan.act.kind]}: ${count(plan.orders.length, "change")} to ${plan.act.cluster}`),
    ]
    const row = o => [o.job, o.attribute, o.from, o.to, o.why ?? ""]
    if (plan.orders.length)
      parts.push(table([">job", "sets", ">before", ">after", "why"], plan.orders.map(row)))
    parts.push(...plan.commands.map(argv => el("pre", {}, el("code", {}, argv.join(" ")))))
    if (plan.refused) return [...parts, el("p", { class: "bad" }, plan.refused)]
    const send = el(
      "button",
      { type: "button", id: "send", onclick: () => this.send(plan) },
      `Send this to ${plan.act.cluster}`,
    )
    const leave = el("button", { type: "button", onclick: () => this.place.replaceChildren() }, "Not now")
    return [
      ...parts,
      el(
        "p",
        {},
        send,
        " ",
        leave,
        " ",
        el(
          "span",
          { class: "soft" },
          "You can send these changes once, until ",
          time(plan.until),
          ". If something changes before you send them, qprism sends nothing.",
        ),
      ),
    ]
  }

  send(plan) {
    this.place.replaceChildren(
      later(
        this.post("do", { ticket: plan.ticket }).then(({ id }) => this.end(id)),
        d => [ended(d)],
      ),
    )
  }

  /** end is an act when it has come to its end. */
  async end(id) {
    for (;;) {
      const d = (await fetched("acts", { cluster: this.report.cluster })).acts.find(a => a.id === id)
      if (!d || d.ended) {
        this.renew(this)
        return d
      }
      this.place.querySelector("p")?.replaceChildren(d.said.at(-1) ?? "Sending…")
      await new Promise(done => setTimeout(done, 700))
    }
  }
}

/** acting is what may be changed of the cluster that the page shows. */
export async function acting(renew) {
  return new Acting(await fetched("acts"), renew)
}
