// Addresses of views and questions, and the answers to questions.

/** own says that who asks sees no more of others' jobs than their places. */
export const own = document.documentElement.hasAttribute("data-own")

/** user is the name of who is signed in; empty where it is not known. */
export const user = document.documentElement.dataset.user ?? ""

/** stored says that the page shows a store, which has a history. */
export const stored = document.documentElement.hasAttribute("data-store")

/** opens is the view that stands at the address /. */
export const opens = "/" + (document.documentElement.dataset.opens ?? "cluster")

/** given is what the address says of a view: a filter, a zoom. */
export const given = name => new URLSearchParams(location.search).get(name) ?? ""

/** remember keeps it in the address, so that a link shows the same. */
export function remember(name, value) {
  const query = new URLSearchParams(location.search)
  value ? query.set(name, value) : query.delete(name)
  history.replaceState(history.state, "", location.pathname + (query.size ? "?" + query : ""))
}

/** here are the cluster and the moment that the address names. */
export function here() {
  const given = new URLSearchParams(location.search),
    kept = new URLSearchParams()
  for (const name of ["cluster", "at"]) if (given.get(name)) kept.set(name, given.get(name))
  return kept
}

/** address leads to a view of the same cluster and moment. In a list, a name may come more than once. */
export function address(path, parameters = {}) {
  const query = here()
  if (Array.isArray(parameters)) for (const [name, value] of parameters) query.append(name, value)
  else
    for (const [name, value] of Object.entries(parameters))
      value ? query.set(name, value) : query.delete(name)
  return path + (query.size ? "?" + query : "")
}

export const jobAddress = id => address("/job/" + encodeURIComponent(id))

/** api is where a question is asked. */
export const api = (question, parameters) => address("/api/v1/" + question, parameters)

/** whyAddress leads to the answer about a job. */
export const whyAddress = job => address("/why", { job })

const asked = new Map(),
  mostAsked = 300

/** forget asks everything anew: a new snapshot is there. */
export const forget = () => asked.clear()

/** ask asks a question, each once for a page that is loaded. */
export function ask(question, parameters) {
  const from = api(question, parameters)
  if (!asked.has(from)) {
    if (asked.size >= mostAsked) asked.clear()
    asked.set(
      from,
      fetch(from, { headers: { Accept: "application/json" } }).then(async answer => {
        const body = await answer.json()
        if (!answer.ok) throw new Error(body.error.split("; qprism ")[0]) // a hint for a terminal
        return body
      }),
    )
    asked.get(from).catch(() => asked.delete(from))
  }
  return asked.get(from)
}

/** settled is an answer, or why there is none. */
export const settled = promise =>
  promise.then(
    value => ({ value }),
    error => ({ error }),
  )

/** pastOf is an answer about the past as settled has it; bundles have none, and are not asked. */
export const pastOf = (question, parameters) =>
  settled(stored ? ask(question, parameters) : Promise.resolve())
