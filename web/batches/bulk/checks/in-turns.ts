/** 500 rows take about 5 ms to check or to compare. */
const ROWS_PER_TURN = 500

/**
 * Gives the rows to `work` in parts, with a pause for the page after each, and calls `done` at the
 * end; a small table is done at once. Returns the function that stops it.
 */
export function inTurns<Row>(
  rows: readonly Row[],
  work: (part: readonly Row[]) => void,
  done: () => void,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const workFrom = (start: number) => {
    work(rows.slice(start, start + ROWS_PER_TURN))
    const next = start + ROWS_PER_TURN
    if (next < rows.length) timer = setTimeout(() => workFrom(next))
    else done()
  }
  workFrom(0)
  return () => clearTimeout(timer)
}
