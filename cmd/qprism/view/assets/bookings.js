// What uses the slots of which place when: rows, the blocks in them, and how full many places are together.

/** A block of an answer is a list; these are the places in it. */
export const part = { place: 0, job: 1, task: 2, kind: 3, from: 4, to: 5, amount: 6 }

/** kinds of blocks, from the ground up, in words. */
export const kinds = {
  running: "running",
  suspended: "suspended",
  starting: "starts now",
  reserved: "reserved",
  predicted: "starts later, if every job runs to its limit",
}

export const end = block => block[part.to] ?? Infinity

/** blocksByPlace are the blocks of each place, the first start first. */
export function blocksByPlace({ places, blocks }) {
  const all = places.map(() => [])
  for (const block of blocks) all[block[part.place]].push(block)
  for (const list of all) list.sort((a, b) => a[part.from] - b[part.from])
  return all
}

const mostPlaces = 16

/** rowsOf are the rows to draw: a few places one by one, many as groups of which some are open. */
export function rowsOf(data, open) {
  const height = Math.max(28, Math.min(80, Math.floor(400 / data.places.length)))
  const place = i => ({ name: data.places[i].name, places: [i], total: data.places[i].total, height })
  const byName = (a, b) => data.places[a].name.localeCompare(data.places[b].name, "en", { numeric: true })
  if (data.places.length <= mostPlaces) return data.groups.flatMap(g => g.places).sort(byName).map(place)
  return data.groups.flatMap((g, i) => {
    const total = g.places.reduce((sum, p) => sum + data.places[p].total, 0)
    const mark = open.has(i) ? "▾ " : "▸ "
    const name = `${mark}${g.name} (${g.places.length})`
    const head = { name, places: g.places, total, height: open.has(i) ? 28 : 72, group: i }
    const inside = open.has(i) ? [...g.places].sort(byName).map(p => ({ ...place(p), height: 20 })) : []
    return [head, ...inside]
  })
}

/** stacked gives each block of a place its rows of slots: pieces of a height and an amount. A block keeps its
    rows from start to end, so no two overlap; where free rows lie apart, it has several pieces. */
export function stacked(blocks, { total }) {
  const pieces = new Map()
  let open = []
  for (const block of blocks) {
    open = open.filter(b => end(b) > block[part.from])
    const taken = open.flatMap(b => pieces.get(b)).sort((a, b) => a[0] - b[0])
    pieces.set(block, fitted(gapsOf(taken, total || Infinity), block[part.amount]))
    open.push(block)
  }
  return pieces
}

/** gapsOf are free rows below a height, and above all that are taken: the last gap has no end. */
function gapsOf(taken, total) {
  const gaps = []
  let at = 0
  for (const [low, amount] of taken) {
    if (low - at > 1e-9) gaps.push([at, low - at])
    at = Math.max(at, low + amount)
  }
  if (total - at > 1e-9) gaps.push([at, total - at])
  if (total < Infinity) gaps.push([Math.max(at, total), Infinity])
  return gaps
}

/** fitted is the first gap that is high enough below the end of the place; else parts of the lowest gaps. */
function fitted(gaps, amount) {
  const inside = i => i < gaps.length - 1 || gaps.length === 1
  const whole = gaps.find(([, high], i) => high >= amount - 1e-9 && inside(i))
  if (whole) return [[whole[0], amount]]
  const pieces = []
  for (const [low, high] of gaps) {
    if (amount <= 1e-9) break
    pieces.push([low, Math.min(high, amount)])
    amount -= Math.min(high, amount)
  }
  return pieces
}

/** density is how much of each kind is used in each of n parts of a span of time, on average. */
export function density(blocks, from, to, n) {
  const wide = (to - from) / n,
    sums = Object.fromEntries(Object.keys(kinds).map(kind => [kind, new Float64Array(n)]))
  for (const block of blocks) {
    const a = (Math.max(block[part.from], from) - from) / wide,
      b = (Math.min(end(block), to) - from) / wide
    const sum = sums[block[part.kind]]
    for (let i = Math.floor(a); i < b && i < n; i++) {
      sum[i] += block[part.amount] * (Math.min(b, i + 1) - Math.max(a, i))
    }
  }
  return sums
}

/** whole is the span that shows most: one job of a month does not squeeze all others. */
export function whole({ blocks }) {
  const ends = blocks
    .map(b => b[part.to])
    .filter(to => to > 0)
    .sort((a, b) => a - b)
  const most = (ends[Math.floor((3 * ends.length - 1) / 4)] ?? 3600) * 3
  const last = ends.findLast(to => to <= most) ?? 3600
  return { from: -last / 16, to: last * 1.02 }
}
