// New snapshots arrive by themselves.
import { forget, given } from "./ask.js"

/** busy views are those in which somebody works: nothing changes under their hands. */
const busy = ["/what-if", "/changes", "/moments", "/compare"]

/** live has the view drawn anew when the cluster that it shows has a new snapshot. A page that is left
    listens no more: a browser has few connections for all its pages. */
export function live(renew) {
  let news
  const listen = () => {
    news = new EventSource("/events")
    news.addEventListener("message", event => isShown(JSON.parse(event.data)) && renew())
  }
  addEventListener("pagehide", () => news.close())
  addEventListener("pageshow", listen)
  addEventListener("visibilitychange", () => {
    news?.close()
    if (document.visibilityState === "visible") listen()
  })
}

/** isShown reports whether the view shows a cluster as it is now, and forgets what was asked about it. */
function isShown(cluster) {
  const chosen = given("cluster")
  if (given("at") || (chosen && chosen !== cluster) || busy.includes(location.pathname)) return false
  forget()
  return true
}
