import { useEffect, useRef, useState } from 'react'
import { fromDollars } from '#contract/money.ts'
import { invalidRowIndexes, rowValidatorFor } from '#web/batches/bulk/checks/validation.ts'
import { useBulk } from '#web/batches/bulk/drafts/bulk-store.ts'
import { useOfTable } from '#web/batches/bulk/drafts/use-of-table.ts'
import type { BulkTableState } from '#web/batches/bulk/grid/use-bulk-table.ts'
import type { SeenState } from '#web/batches/bulk/repeats/use-seen-before.ts'
import { texts } from '#web/batches/bulk/texts.ts'
import { refreshUser, useUser } from '#web/client/session.ts'
import { submitTable } from './submit.ts'
import type { SubmitOptions } from './submit.ts'
import { showProblem, useShownPrice } from './use-shown-price.ts'
import type { ShownCost } from './use-shown-price.ts'
import type { TablePrice } from './use-table-price.ts'

const BALANCE_WAIT_MS = 5_000

/** A call has no time-out. */
const unlessLate = (call: Promise<void>): Promise<void> =>
  Promise.race([call, new Promise<void>(done => setTimeout(done, BALANCE_WAIT_MS))])

/** What Submit asks or says: errors, rows that have a label, a balance that is too low. */
type SubmitDialog = 'errors' | 'repeats' | 'balance'

/** Submit with its questions. Nothing is sent before they are answered and the price is known. */
export function useSubmit(table: BulkTableState, price: TablePrice, seen: SeenState) {
  const [dialog, setDialog] = useOfTable<SubmitDialog | null>(null)
  const [isWaiting, setWaiting] = useState(false)
  const shownPrice = useShownPrice(price, fromDollars(useUser().balance))
  const isLeft = useRef(false)
  useEffect(() => {
    isLeft.current = false
    return () => void (isLeft.current = true)
  }, [])
  /** False when the page was left meanwhile: what was to be submitted is not sent any more. */
  const whileWaiting = async (wait: () => Promise<unknown>): Promise<boolean> => {
    setWaiting(true)
    try {
      await wait()
    } finally {
      setWaiting(false)
    }
    return !isLeft.current
  }

  const send = async (options: Pick<SubmitOptions, 'firstRows' | 'allowRepeats'>) => {
    setDialog(null)
    const { sumOf } = shownPrice.now()
    let shown: ShownCost = { table: [], rows: [], cost: null }
    const result = await submitTable({
      ...options,
      repeats: seen.repeats,
      shownCost: rows => {
        const { total, pricedRows } = sumOf(rows)
        const cost = pricedRows === rows.length ? total : null
        shown = { table: useBulk.getState().draft.rows, rows, cost }
        return total
      },
    })
    if (result === 'invalid') setDialog('errors')
    if (result === 'repeats' && (await seen.askAgain())) setDialog('repeats')
    if (result === 'price changed') {
      if (await whileWaiting(shownPrice.askAgain)) shownPrice.showNewPrice(shown)
    }
    if (result === 'balance') {
      const isHere = await whileWaiting(() => unlessLate(refreshUser()))
      if (isHere && shownPrice.isAboveBalance()) setDialog('balance')
    }
  }
  /** `allowRepeats`: decided already. */
  const submit = async (allowRepeats = seen.allowRepeats) => {
    const { draft, submitting, serverErrors } = useBulk.getState()
    if (submitting || isWaiting) return
    if (!draft.lost) {
      // From Submit on, a missing service is an error, so the rows are validated again with it.
      const validate = rowValidatorFor(table.services.data, true, serverErrors)
      table.markSubmitAttempted()
      if (invalidRowIndexes(draft.rows, validate).length > 0) return setDialog('errors')
      if (seen.seen && !allowRepeats) return setDialog('repeats')
    }
    const isHere = await whileWaiting(async () => {
      await shownPrice.waitFor(draft.rows)
      // A price may have fallen since it was shown, or money may have arrived.
      if (!draft.lost && shownPrice.isAboveBalance())
        await Promise.all([shownPrice.askAgain(), unlessLate(refreshUser())])
    })
    if (!isHere) return
    const { draft: now } = useBulk.getState()
    if (now.key !== draft.key || now.rows !== draft.rows) return showProblem(texts.changed)
    // These rows were sent before and may be bought already, so the same ones are sent again without
    // new questions. They are not bought for more than is shown.
    if (draft.lost) return send({ allowRepeats })
    if (shownPrice.showsUnknown(draft.rows) || shownPrice.showsUnseen(draft.rows)) return
    if (shownPrice.isAboveBalance()) return setDialog('balance')
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
