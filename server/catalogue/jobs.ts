import type { Context } from '#server/platform/context.ts'
import { isDatabaseUnavailable } from '#server/platform/http/error-handler.ts'
import { applyDueChanges } from './price-changes.ts'

const INTERVAL_MS = 10_000

/** Applies scheduled prices at the start and every 10 seconds; not in processes with ROLE=web. */
export function priceChangesJob(ctx: Context): { start(): Promise<void>; stop(): Promise<void> } {
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let applying = Promise.resolve()
  const round = async (): Promise<void> => {
    try {
      await applyDueChanges(ctx)
    } catch (error) {
      if (!isDatabaseUnavailable(error))
        ctx.log.error({ err: error }, 'scheduled prices could not be applied; retry in a moment')
    }
    if (!isStopped) timer = setTimeout(begin, INTERVAL_MS)
  }
  const begin = (): void => void (applying = round())
  return {
    async start() {
      if (ctx.config.role !== 'web') begin()
    },
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await applying
    },
  }
}
