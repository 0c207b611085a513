/** Less than a frame, so that the page can draw between two turns. */
const TURN_MS = 10
/** They take about a millisecond to check or to compare. */
export const ROWS_AT_ONCE = 100

/**
 * Gives the rows to `work` in parts, with a pause for the page after each turn, and calls `done` at the
 * end; a small table is done at once. Returns the function that stops it.
 */
export function inTurns<Row>(
  rows: readonly Row[],
  work: (part: readonly Row[]) => void,
  done: () => void,
): () => void {
  function* parts(): Generator<undefined, void> {
    for (let at = 0; ; at += ROWS_AT_ONCE) {
      work(rows.slice(at, at + ROWS_AT_ONCE))
      if (at + ROWS_AT_ONCE >= rows.length) return
      yield
    }
  }
  return stepsInTurns(parts(), done)
}

/** Takes steps of about a millisecond in turns, then calls `done`. Returns the function that stops it. */
export function stepsInTurns<T>(
  steps: Iterator<undefined, T>,
  done: (result: T) => void,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const goOn = () => {
    const end = performance.now() + TURN_MS
    do {
      const step = steps.next()
      if (step.done) return done(step.value)
    } while (performance.now() < end)
    timer = setTimeout(goOn)
  }
  goOn()
  return () => clearTimeout(timer)
}
