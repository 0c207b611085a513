import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Cents } from '#contract/money.ts'
import { quotePrice } from '#contract/orders.ts'
import { findServiceByName } from '#web/batches/bulk/checks/validation.ts'
import { texts } from '#web/batches/bulk/texts.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { servicesQuery } from '#web/client/queries.ts'
import { queryClient } from '#web/client/query-client.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { messageOf, send } from '#web/client/send.ts'
import {
  isPending,
  priceSum,
  quotedShipment,
  rowPrice,
  shipmentKey,
  shipmentsByKey,
} from './row-prices.ts'
import type { PricedByParcel, PriceSum, Quotes, RowPrice } from './row-prices.ts'

/**
 * `total` in cents, of the rows that have a price; null while none is known. `pending`: rows without
 * a price yet. `priceOf` is the same function until a price changes.
 */
export type TablePrice = {
  total: Cents | null
  pending: boolean
  error: string | null
  unpricedRows: number
  /** No row has a service. */
  onlyServiceMissing: boolean
  parts: PriceSum['parts']
  priceOf: (row: GridRow) => RowPrice
  /** Whether these rows have such a shipment; the same function until their shipments change. */
  asksFor: (row: GridRow) => boolean
  /** Of some rows, as shown. */
  sumOf: (rows: readonly GridRow[]) => PriceSum
  /** Forgets the prices. Returns the number of this question. */
  askAgain: () => number
  question: number
  /** The last question whose answer or failure is shown; -1 while the rows have other shipments. */
  answered: number
}

const QUOTE_DEBOUNCE_MS = 400
const ASK_AGAIN_MS = 3_000

type QuotedShipment = ReturnType<typeof quotedShipment>

function usePricedByParcel(userId: string): PricedByParcel {
  const { data } = useQuery(servicesQuery(userId))
  return useMemo((): PricedByParcel => {
    const some = (data ?? []).filter(({ pricedByParcel }) => pricedByParcel)
    return some.length === 0
      ? () => false
      : name => {
          const service = findServiceByName(some, name)
          return service?.pricedByCarrier ? 'carrier' : service !== undefined
        }
  }, [data])
}

/**
 * `shipments`: which were asked for, with which `question`. The quotes stay when a later request
 * fails.
 */
type QuoteState = { shipments: string; question: number; quotes: Quotes; error: string | null }
const NO_QUOTES: QuoteState = { shipments: '', question: 0, quotes: new Map(), error: null }

/**
 * The prices of the rows by the server's prices. Requested again when a service or weight changes,
 * not for an address, and by `askAgain`; each different shipment once. A response to an outdated
 * request is ignored. A `null` weight is priced as 1 lb. `leader`: another table's question, repeated here.
 */
export function useTablePrice(userId: string, rows: readonly GridRow[], leader = 0): TablePrice {
  const isByParcel = usePricedByParcel(userId)
  const shipmentsJson = useMemo(
    () =>
      JSON.stringify(
        Array.from(
          shipmentsByKey(rows, isByParcel),
          ([key, one]) => [key, quotedShipment(one)] as const,
        ).toSorted(([a], [b]) => (a < b ? -1 : 1)),
      ),
    [rows, isByParcel],
  )
  const [known, setKnown] = useState(NO_QUOTES)
  const [own, setOwn] = useState(0)
  const question = own + leader
  const state = known.question === question ? known : NO_QUOTES
  const { quotes } = state
  const lastQuestion = useRef(0)
  const startedQuestion = useRef(leader)
  const askAgain = useCallback(() => {
    lastQuestion.current += 1
    setOwn(lastQuestion.current)
    return lastQuestion.current
  }, [])

  useEffect(() => {
    const shipments = JSON.parse(shipmentsJson) as [string, QuotedShipment][]
    if (shipments.length === 0) return
    const controller = new AbortController()
    const isAgain = startedQuestion.current !== question
    startedQuestion.current = question
    let timer = setTimeout(() => void askFirst(), isAgain ? 0 : QUOTE_DEBOUNCE_MS)
    async function askFirst() {
      // What decides the price of a service may have changed too, and then other shipments are asked for.
      if (isAgain) await queryClient.refetchQueries({ queryKey: queryKeys.services(userId) })
      if (!controller.signal.aborted) await ask()
    }
    async function ask() {
      try {
        const { prices = [] } = await send(
          quotePrice,
          {
            body: {
              userId,
              shipments: shipments.map(([, shipment]) => shipment),
              each: true,
            },
          },
          { signal: controller.signal },
        )
        setKnown({
          shipments: shipmentsJson,
          question,
          quotes: new Map(
            shipments.flatMap(([key], index) => {
              const price = prices[index]
              return price ? [[key, price]] : []
            }),
          ),
          error: null,
        })
        if (prices.some(isPending)) timer = setTimeout(() => void ask(), ASK_AGAIN_MS)
      } catch (reason) {
        if (controller.signal.aborted) return
        const error = messageOf(reason, texts.priceFailed)
        setKnown(before => ({
          ...(before.question === question ? before : NO_QUOTES),
          shipments: shipmentsJson,
          question,
          error,
        }))
      }
    }
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [userId, shipmentsJson, question])

  const loading = state.shipments !== shipmentsJson
  const priceOf = useMemo(
    () => (row: GridRow) => rowPrice(row, quotes, loading, isByParcel),
    [quotes, loading, isByParcel],
  )
  const asksFor = useMemo(() => {
    const keys = new Map(JSON.parse(shipmentsJson) as [string, QuotedShipment][])
    return (row: GridRow) => keys.has(shipmentKey(row, isByParcel))
  }, [shipmentsJson, isByParcel])
  const { total, pricedRows, pendingRows, parts } = useMemo(
    () => priceSum(rows, priceOf),
    [rows, priceOf],
  )
  return {
    total: rows.length > 0 && pricedRows === 0 ? null : total,
    pending: pendingRows > 0,
    error: loading ? null : state.error,
    onlyServiceMissing: shipmentsJson === '[]',
    unpricedRows: rows.length - pricedRows - pendingRows,
    parts,
    priceOf,
    asksFor,
    sumOf: some => priceSum(some, priceOf),
    askAgain,
    question,
    answered: loading ? -1 : state.question,
  }
}
