import type { Context } from '#server/platform/context.ts'
import { isDatabaseUnavailable } from '#server/platform/http/error-handler.ts'
import { sumNewTransfers } from './sums.ts'

const INTERVAL_MS = 15_000

/**
 * Sums new transfers at the start and every 15 seconds, so that no reader of a report waits for many;
 * not in processes with ROLE=web. Without it reports are as exact and the first one is slower.
 */
export function reportSumsJob(ctx: Context): { start(): Promise<void>; stop(): Promise<void> } {
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let summing = Promise.resolve()
  const round = async (): Promise<void> => {
    try {
      await sumNewTransfers(ctx, undefined, () => isStopped)
    } catch (error) {
      if (!isDatabaseUnavailable(error))
        ctx.log.error({ err: error }, 'the sums of reports could not be made; retry in a moment')
    }
    if (!isStopped) timer = setTimeout(begin, INTERVAL_MS)
  }
  const begin = (): void => void (summing = round())
  return {
    async start() {
      if (ctx.config.role !== 'web') begin()
    },
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await summing
    },
  }
}
