// A slider for a number of the policy.
import { number } from "./format.js"
import { el } from "./make.js"

const steps = 200

/** toPlace leads from a value to its place on the slider; of ratios, a sixth of the way is a power of ten. */
function toPlace(s, value) {
  if (s.steps === "even") return (steps * value) / s.most
  return value <= 0 ? 0 : Math.max(1, steps * (1 + Math.log10(value / s.most) / 6))
}

/** toValue leads back. */
function toValue(s, place) {
  if (place <= 0) return 0
  const value =
    s.steps === "even" ? Math.round((s.most * place) / steps) : s.most * 10 ** (6 * (place / steps - 1))
  return Number(value.toPrecision(2))
}

/** slider tells each new value; shares can be doubled by a click. */
export function slider(s, set) {
  const text = value => number(value) + (s.key === "halftime" ? " h" : "")
  const shown = el("output", {}, text(s.value)),
    place = toPlace(s, s.value)
  const input = el("input", {
    type: "range",
    min: 0,
    max: steps,
    step: "any",
    value: place,
    "aria-label": s.key,
    "aria-valuetext": text(s.value),
  })
  const tell = value => {
    shown.textContent = text(value)
    input.setAttribute("aria-valuetext", text(value))
    set(value)
  }
  input.addEventListener("input", () =>
    tell(Number(input.value) === place ? s.value : toValue(s, Number(input.value))),
  )
  const double = () => {
    input.value = toPlace(s, 2 * s.value)
    tell(2 * s.value)
  }
  const name = s.set === "shares" ? s.key.split("/")[1] : s.key
  const row = el(
    "label",
    {},
    el("span", {}, name),
    input,
    shown,
    s.set === "shares" && el("button", { type: "button", class: "link", onclick: double }, "double"),
  )
  row.reset = () => {
    input.value = place
    tell(s.value)
  }
  return row
}
