/** A response up to this length is shown whole. Of a longer one Code.module.css shows the first twelve lines. */
const WHOLE_LINES = 24

/** How many lines the code has if it is long enough to be folded, else null. Pure. */
export function foldedLines(code: string): number | null {
  const lines = code.split('\n').length
  return lines > WHOLE_LINES ? lines : null
}
