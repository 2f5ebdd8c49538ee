// On what a foreseen start rests, in the same words wherever the page shows one.
import { settled } from "./ask.js"
import { number } from "./format.js"

/** byLimits is what Plan assumes. */
export const byLimits = "if every job runs to its limit"

/** byEarlier is what My jobs and Why? assume where the bundle has ended jobs. */
export const byEarlier = "if jobs run as long as earlier jobs"

/** basisOf is what the likely start of a job assumes. */
export const basisOf = likely => (likely.by_ended_jobs ? byEarlier : byLimits)

/** progress counts the starts that are computed, and then says on what they rest. */
export async function progress(said, lines) {
  if (!lines.length) return
  let done = 0
  const tell = () => (said.textContent = `Computing starts: ${number(done)} of ${number(lines.length)}`)
  tell()
  const found = await Promise.all(
    lines.map(async l => {
      const { value } = await settled(l.why)
      done++
      tell()
      const likely = value?.likely_start?.start && value.likely_start
      if (likely && !likely.by_ended_jobs) l.mark.textContent = " *"
      return { likely, mark: l.mark }
    }),
  )
  const known = found.filter(f => f.likely),
    limited = known.filter(f => !f.likely.by_ended_jobs)
  if (!known.length) return said.replaceChildren()
  said.textContent =
    known.length > limited.length
      ? `The first time is the start ${byEarlier}, the second ${byLimits}. ` +
        "* marks a job that has only the second time. Both times assume that nobody submits new jobs."
      : `* marks the likely start ${byLimits} and nobody submits new jobs.`
}
