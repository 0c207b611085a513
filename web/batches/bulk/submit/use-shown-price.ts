/** The price that the bulk page shows, as Submit needs it: known, and agreed to. */
import { useEffect, useRef } from 'react'
import { usd } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import { useBulk } from '#web/batches/bulk/drafts/bulk-store.ts'
import { texts } from '#web/batches/bulk/texts.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { dismissSuccessToasts } from '#web/ui/toasts.ts'
import type { TablePrice } from './use-table-price.ts'

/** The server answers within 10 s, also where it waits for the carrier. */
const PRICE_WAIT_MS = 12_000
const PRICE_TICK_MS = 50

const nextTick = (): Promise<void> => new Promise(resolve => setTimeout(resolve, PRICE_TICK_MS))

/** What was sent, or was to be sent: these rows of `table`, and what they cost, if that was shown. */
export type ShownCost = { table: readonly GridRow[]; rows: readonly GridRow[]; cost: Cents | null }

export function showProblem(text: string): void {
  // On phones a toast would cover the problem.
  dismissSuccessToasts()
  useBulk.setState({ problem: { text, canRetry: false, conflict: false } })
}

/** The price of the rows, and what Submit does until it is known. */
export function useShownPrice(price: TablePrice, balance: Cents | null) {
  const latest = useRef({ price, balance })
  useEffect(() => {
    latest.current = { price, balance }
  })
  /** Rows whose price was not known at Submit: the next Submit only shows it. */
  const unseen = useRef<ShownCost | null>(null)
  const expectUnseen = (rows: readonly GridRow[]): void => {
    if (unseen.current?.table !== rows) unseen.current = { table: rows, rows, cost: null }
  }

  /** Waits a moment for prices that are being asked for, and for the answer to a question. */
  const wait = async (question = 0): Promise<void> => {
    const end = performance.now() + PRICE_WAIT_MS
    const isOpen = () => {
      const { answered, pending, error } = latest.current.price
      return answered < question || (pending && error === null)
    }
    while (isOpen() && performance.now() < end) await nextTick()
  }
  const askAgain = (): Promise<void> => wait(latest.current.price.askAgain())

  /** Says what changed, if the new price is known. */
  const showNewPrice = (shown: ShownCost): void => {
    const { rows, cost } = shown
    const { price: now, balance: money } = latest.current
    const { total, pricedRows, unknownRows } = now.sumOf(rows)
    unseen.current = unknownRows > 0 ? shown : null
    const unpriced = rows.length - pricedRows
    if (unpriced > 0 && cost === null) return showProblem(texts.pricesMissing(unpriced))
    // The next Submit is for the whole table again, so the total of a part is not named.
    if (unpriced > 0 || rows.length < shown.table.length) return showProblem(texts.checkNewPrices)
    const isCovered = money === null || total <= money
    showProblem(
      cost !== null && total > cost
        ? texts.priceRose(rows.length, usd(total), usd(cost), isCovered)
        : texts.priceIsNow(rows.length, usd(total), isCovered),
    )
  }
  return {
    now: (): TablePrice => latest.current.price,
    /** Waits for the price of the table at Submit, and asks again for one that could not be loaded. */
    waitFor: async (rows: readonly GridRow[]): Promise<void> => {
      const { sumOf, error } = latest.current.price
      if (sumOf(rows).unknownRows === 0) unseen.current = null
      else if (error === null) await wait()
      else {
        expectUnseen(rows)
        await askAgain()
      }
    },
    askAgain,
    showNewPrice,
    /** Says that rows have no price yet. */
    showsUnknown: (rows: readonly GridRow[]): boolean => {
      const { sumOf, error } = latest.current.price
      const { unknownRows } = sumOf(rows)
      if (unknownRows === 0) return false
      expectUnseen(rows)
      showProblem((error === null ? texts.pricesPending : texts.pricesFailed)(unknownRows))
      return true
    },
    /** Shows a price before it is paid, if the seller was told that it is not known. */
    showsUnseen: (table: readonly GridRow[]): boolean => {
      const shown = unseen.current
      unseen.current = null
      if (shown?.table !== table) return false
      showNewPrice(shown)
      return true
    },
    isAboveBalance: (): boolean => {
      const { price: now, balance: money } = latest.current
      return now.total !== null && money !== null && now.total > money
    },
  }
}
