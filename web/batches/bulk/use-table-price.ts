import { useEffect, useMemo, useState } from 'react'
import { quotePrice } from '#contract/orders.ts'
import { parseMeasure } from '#contract/row-rules.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { messageOf, send } from '#web/client/send.ts'
import { texts } from './texts.ts'

/** `total` in dollars, null while unknown. `pending`: a newer price is loading. */
export type TablePrice = { total: number | null; pending: boolean; error: string | null }

const QUOTE_DEBOUNCE_MS = 400
type QuoteResult = { quotedShipments: string; total: number | null; error: string | null }
const EMPTY_TABLE_PRICE: TablePrice = { total: 0, pending: false, error: null }

/**
 * The price of the table by the server's prices. Requested again when a service or weight changes,
 * not for an address. A response to an outdated request is ignored. A `null` weight is priced as 1
 * lb.
 */
export function useTablePrice(userId: string, rows: readonly GridRow[]): TablePrice {
  const shipments = useMemo(() => shipmentsOf(rows), [rows])
  const shipmentsJson = useMemo(() => JSON.stringify(shipments), [shipments])
  const unpriced = rows.length > 0 && shipments.length < rows.length
  const [quote, setQuote] = useState<QuoteResult>({
    quotedShipments: '',
    total: null,
    error: null,
  })

  useEffect(() => {
    if (rows.length === 0 || unpriced) return
    const controller = new AbortController()
    const timer = setTimeout(async () => {
      const quoted = JSON.parse(shipmentsJson) as QuotedShipment[]
      try {
        const { totalPrice } = await send(
          quotePrice,
          { body: { userId, shipments: quoted } },
          { signal: controller.signal },
        )
        setQuote({ quotedShipments: shipmentsJson, total: totalPrice, error: null })
      } catch (reason) {
        if (!controller.signal.aborted)
          setQuote({
            quotedShipments: shipmentsJson,
            total: null,
            error: messageOf(reason, texts.priceFailed),
          })
      }
    }, QUOTE_DEBOUNCE_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
    // The rows change more often than the shipments that are priced.
  }, [userId, shipmentsJson, unpriced, rows.length])

  if (rows.length === 0) return EMPTY_TABLE_PRICE
  if (unpriced) return { total: null, pending: false, error: texts.priceNeedsService }
  if (quote.quotedShipments !== shipmentsJson)
    return { total: quote.total, pending: true, error: null }
  return { total: quote.total, pending: false, error: quote.error }
}

type QuotedShipment = { service_name: string; package: { package_weight: number | null } }

/** What decides the price; rows without a service have no price. */
const shipmentsOf = (rows: readonly GridRow[]): QuotedShipment[] =>
  rows.flatMap(({ ServiceName, PackageWeight }) =>
    ServiceName === ''
      ? []
      : {
          service_name: ServiceName,
          package: { package_weight: parseMeasure(PackageWeight.trim()) },
        },
  )
