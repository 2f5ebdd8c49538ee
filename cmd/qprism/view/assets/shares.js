// Shares: targets, and what was used.
import { ask, own } from "./ask.js"
import { decays } from "./decay.js"
import { card, later } from "./make.js"
import { icicle, isFlat, treeMap } from "./tree.js"
import { sharesTable, usedChart, usedTable } from "./usage.js"

export function sharesView() {
  const shares = ask("shares")
  const used = own ? "" : card("Usage and target, 30 days", usedTable(), usedChart())
  return [
    used,
    pictures(shares),
    card(treeTitle, later(shares, sharesTable)),
    card("Decay of usage", later(shares, decays)),
  ].filter(Boolean)
}

const treeTitle = "Usage in the share tree, decayed"

/** pictures are of a tree with several levels: of one level they would say what the table says. */
function pictures(shares) {
  const both = s => [
    card("Share tree (width = target share)", icicle(s)),
    card("Share tree (area = usage)", treeMap(s)),
  ]
  const place = later(shares, s => (isFlat(s) ? "" : both(s)))
  place.classList.add("stack")
  return place
}
