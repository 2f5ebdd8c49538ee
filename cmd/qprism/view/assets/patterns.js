// Kinds of blocks have a color and a pattern, so that they are known without color.
import { style } from "./plot.js"

const colors = {
  running: "--runs",
  suspended: "--other",
  starting: "--tickets",
  reserved: "--urgency",
  predicted: "--posix",
}

/** fills are a color or a pattern for each kind: reserved is hatched, predicted dotted, suspended lined. */
export function fillsOf(context) {
  const fill = {}
  for (const [kind, name] of Object.entries(colors)) {
    fill[kind] = kind === "running" || kind === "starting" ? style(name) : pattern(context, kind, style(name))
  }
  return fill
}

/** pattern is a tile of eight pixels. */
function pattern(context, kind, color) {
  const tile = document.createElement("canvas")
  tile.width = tile.height = 8
  const c = tile.getContext("2d")
  c.fillStyle = style("--card")
  c.fillRect(0, 0, 8, 8)
  c.fillStyle = c.strokeStyle = color
  c.globalAlpha = 0.25
  c.fillRect(0, 0, 8, 8)
  c.globalAlpha = 1
  c.lineWidth = 2
  c.beginPath()
  if (kind === "reserved") for (const x of [-8, 0, 8]) line(c, x, 8, x + 8, 0)
  if (kind === "suspended") line(c, 0, 4, 8, 4)
  c.stroke()
  if (kind === "predicted") c.fillRect(3, 3, 2, 2)
  return context.createPattern(tile, "repeat")
}

function line(c, x1, y1, x2, y2) {
  c.moveTo(x1, y1)
  c.lineTo(x2, y2)
}
