/** How many lines a long response shows before the reader asks for all. */
const SHOWN_LINES = 8
/** Fewer hidden lines than this are not worth a button. */
const LEAST_HIDDEN = 3

/** How many lines the code has if it is long enough to be folded, else null. Pure. */
export function foldedLines(code: string): number | null {
  const lines = code.split('\n').length
  return lines >= SHOWN_LINES + LEAST_HIDDEN ? lines : null
}
