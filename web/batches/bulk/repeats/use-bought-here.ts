import { useEffect, useState } from 'react'
import { isTerminal } from '#contract/batch-status.ts'
import { batchStatus } from '#contract/batches.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { useProgress } from '#web/batches/progress/progress-store.ts'
import { ApiError, send } from '#web/client/send.ts'
import { applyOutcome, boughtBeforeOn, NEVER_BOUGHT, ordersWithoutOutcome } from './bought-here.ts'
import type { OrderOutcome } from './bought-here.ts'

type KnownLabels = { tableKey: string; isBought: (row: GridRow) => boolean }

const NONE: ReadonlySet<string> = new Set()

/**
 * Whether a row of the table equals one that was bought here lately. The server is asked how recent
 * bulk orders ended, for each table and when the followed order ends; until it has answered, their
 * labels do not count.
 */
export function useBoughtHere(
  userId: string,
  tableKey: string,
  hasRows: boolean,
): (row: GridRow) => boolean {
  const endedId = useProgress(state => (isTerminal(state.orderStatus) ? state.orderId : null))
  const [known, setKnown] = useState<KnownLabels>({ tableKey, isBought: NEVER_BOUGHT })
  useEffect(() => {
    if (!hasRows) return
    const controller = new AbortController()
    void runningOrders(userId, controller.signal).then(running => {
      if (controller.signal.aborted) return
      const isBought = boughtBeforeOn(userId, Date.now(), running)
      // Large tables are checked again with each function.
      setKnown(before =>
        before.isBought === NEVER_BOUGHT && isBought === NEVER_BOUGHT
          ? before
          : { tableKey, isBought },
      )
    })
    return () => controller.abort()
  }, [userId, tableKey, hasRows, endedId])
  return known.tableKey === tableKey ? known.isBought : NEVER_BOUGHT
}

/** Asks about the orders without a known outcome. Returns those that have not ended; never rejects. */
async function runningOrders(userId: string, signal: AbortSignal): Promise<ReadonlySet<string>> {
  const running = new Set<string>()
  for (const orderId of ordersWithoutOutcome(userId, Date.now())) {
    try {
      const outcome = await outcomeOf(orderId, signal)
      if (signal.aborted) return NONE
      applyOutcome(userId, orderId, outcome, Date.now())
      if (outcome && !outcome.isEnded) running.add(orderId)
    } catch {
      // The warning is a help only.
    }
  }
  return running
}

/** Null: the server does not know the order. Rejects without an answer. */
async function outcomeOf(orderId: string, signal: AbortSignal): Promise<OrderOutcome | null> {
  try {
    const answer = await send(batchStatus, { params: { orderId }, query: {} }, { signal })
    const failed = answer.failedLabels.filter(({ code }) => code === 'label_refused')
    return {
      isEnded: isTerminal(answer.status),
      failedRows: new Set(failed.map(({ row }) => row)),
    }
  } catch (reason) {
    if (reason instanceof ApiError && reason.status === 404) return null
    throw reason
  }
}
