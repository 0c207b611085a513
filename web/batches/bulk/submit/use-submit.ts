import { useEffect, useRef, useState } from 'react'
import { fromDollars } from '#contract/money.ts'
import { invalidRowIndexes, rowValidatorFor } from '#web/batches/bulk/checks/validation.ts'
import { useBulk } from '#web/batches/bulk/drafts/bulk-store.ts'
import type { BulkTableState } from '#web/batches/bulk/grid/use-bulk-table.ts'
import type { SeenState } from '#web/batches/bulk/repeats/use-seen-before.ts'
import { texts } from '#web/batches/bulk/texts.ts'
import { useUser } from '#web/client/session.ts'
import { submitTable } from './submit.ts'
import type { SubmitOptions } from './submit.ts'
import type { TablePrice } from './use-table-price.ts'

/** Without a price by then, the server decides. */
const PRICE_WAIT_MS = 5000
const PRICE_TICK_MS = 50

const nextTick = (): Promise<void> => new Promise(resolve => setTimeout(resolve, PRICE_TICK_MS))

/** What Submit asks or says: errors, rows that have a label, a balance that is too low. */
type SubmitDialog = 'errors' | 'repeats' | 'balance'

/** Submit with its questions. Nothing is sent before they are answered. */
export function useSubmit(table: BulkTableState, price: TablePrice, seen: SeenState) {
  const balance = fromDollars(useUser().balance)
  const [dialog, setDialog] = useState<SubmitDialog | null>(null)
  const [isWaiting, setWaiting] = useState(false)
  const latest = useRef({ price, balance })
  useEffect(() => {
    latest.current = { price, balance }
  })

  const send = async (options: SubmitOptions) => {
    setDialog(null)
    const { shownCost } = latest.current.price
    const result = await submitTable({ ...options, repeats: seen.repeats, shownCost })
    if (result === 'invalid') setDialog('errors')
    if (result === 'repeats' && (await seen.askAgain())) setDialog('repeats')
  }
  /** Waits a moment for a price that is being asked for. */
  const isTooMuch = async (): Promise<boolean> => {
    setWaiting(true)
    const end = performance.now() + PRICE_WAIT_MS
    while (latest.current.price.pending && performance.now() < end) await nextTick()
    setWaiting(false)
    const { total, pending } = latest.current.price
    const money = latest.current.balance
    return !pending && total !== null && money !== null && total > money
  }
  /** `allowRepeats`: decided already. */
  const submit = async (allowRepeats = seen.allowRepeats) => {
    const { draft, submitting, serverErrors } = useBulk.getState()
    if (submitting || isWaiting) return
    // These rows were sent before: the same ones again, without new questions.
    if (draft.lost) return send({ allowRepeats })
    // From Submit on, a missing service is an error, so the rows are validated again with it.
    const validate = rowValidatorFor(table.services.data, true, serverErrors)
    table.markSubmitAttempted()
    if (invalidRowIndexes(draft.rows, validate).length > 0) return setDialog('errors')
    if (seen.seen && !allowRepeats) return setDialog('repeats')
    const isMore = await isTooMuch()
    const { draft: now } = useBulk.getState()
    if (now.key !== draft.key || now.rows !== draft.rows)
      return useBulk.setState({
        problem: { text: texts.changed, canRetry: false, conflict: false },
      })
    if (isMore) return setDialog('balance')
    await send({ allowRepeats })
  }
  return {
    dialog,
    isWaiting,
    close: () => setDialog(null),
    submit,
    /** What the balance covers. */
    submitFirst: (firstRows: number) => send({ firstRows, allowRepeats: seen.allowRepeats }),
    keepRepeats: async () => {
      seen.keep()
      setDialog(null)
      await submit(true)
    },
  }
}
