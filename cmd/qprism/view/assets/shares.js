// Shares: targets, and what was used.
import { ask, own } from "./ask.js"
import { decays } from "./decay.js"
import { card, later } from "./make.js"
import { icicle, treeMap } from "./tree.js"
import { sharesTable, usedChart, usedTable } from "./usage.js"

export function sharesView() {
  const shares = ask("shares")
  const used = own ? "" : card("Usage against target, 30 days", usedTable(), usedChart())
  return [
    used,
    card("Share tree (width = target share)", later(shares, icicle)),
    card("Share tree (area = usage)", later(shares, treeMap)),
    card("Decay of usage", later(shares, decays)),
    card("Usage against target", later(shares, sharesTable)),
  ].filter(Boolean)
}
