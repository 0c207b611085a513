/** The lines of a statement that repeat the day of the line above them. Pure. */
import { dateText } from '#web/ui/date-text.ts'

/** `lines` in the order of the page; the days are the reader's. */
export const dayRepeats = <Line extends { at: string }>(lines: readonly Line[]): Set<Line> =>
  new Set(lines.filter(({ at }, i) => i > 0 && dateText(lines[i - 1]!.at) === dateText(at)))
