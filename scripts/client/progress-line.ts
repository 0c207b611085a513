import { boughtCount } from '#contract/batch-status.ts'
import type { BatchCounts } from '#contract/batch-status.ts'
import { numberText } from '#contract/format.ts'
import type { BatchState } from './follow.ts'

const WIDTH = 30

/** '[██████████--------------------] 3,412 of 10,000 bought, 2 failed'. */
export function progressText(counts: BatchCounts): string {
  const { processedCount, failedCount, totalCount } = counts
  const filled = Math.floor((WIDTH * processedCount) / (totalCount || 1))
  const bar = '█'.repeat(filled) + '-'.repeat(WIDTH - filled)
  const failed = failedCount > 0 ? `, ${numberText(failedCount)} failed` : ''
  const bought = numberText(boughtCount(counts))
  return `[${bar}] ${bought} of ${numberText(totalCount)} bought${failed}`
}

/** On a terminal one line that changes; elsewhere a line for each tenth. */
export function progressLine(out: NodeJS.WriteStream): (state: BatchState) => void {
  let lastTenth = -1
  return state => {
    const text = `${progressText(state)}${state.waitingFor ? ` (${state.waitingFor})` : ''}`
    const tenth = Math.floor((10 * state.processedCount) / (state.totalCount || 1))
    if (out.isTTY) out.write(`\r\u001b[K${text}${tenth === 10 && lastTenth < 10 ? '\n' : ''}`)
    else if (tenth > lastTenth) out.write(`${text}\n`)
    lastTenth = Math.max(lastTenth, tenth)
  }
}
