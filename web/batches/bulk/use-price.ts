import { useEffect, useMemo, useState } from 'react'
import { quote } from '#contract/orders.ts'
import { parseMeasure } from '#contract/row-rules.ts'
import type { GridRow } from '#contract/rows.ts'
import { messageOf, send } from '#web/client/send.ts'
import { texts } from './texts.ts'

/** `total` in dollars, null while unknown; `pending` while a newer one is on its way. */
export type Price = { total: number | null; pending: boolean; error: string | null }

/** A pause in editing before the server is asked. */
const PAUSE_MS = 400
type Answer = { question: string; total: number | null; error: string | null }
const NOTHING: Price = { total: 0, pending: false, error: null }

/**
 * The price of the table by the server's prices. Asked again when a service or a weight changes, not for an address; the answer
 * to the latest question wins. `null` weights are priced as 1 lb (specification, 9).
 */
export function usePrice(userId: string, rows: readonly GridRow[]): Price {
  const shipments = useMemo(() => shipmentsOf(rows), [rows])
  const question = useMemo(() => JSON.stringify(shipments), [shipments])
  const unpriced = rows.length > 0 && shipments.length < rows.length
  const [answer, setAnswer] = useState<Answer>({ question: '', total: null, error: null })

  useEffect(() => {
    if (rows.length === 0 || unpriced) return
    const abort = new AbortController()
    const timer = setTimeout(async () => {
      const wish = JSON.parse(question) as Shipment[]
      try {
        const { totalPrice } = await send(
          quote,
          { body: { userId, shipments: wish } },
          { signal: abort.signal },
        )
        setAnswer({ question, total: totalPrice, error: null })
      } catch (reason) {
        if (!abort.signal.aborted)
          setAnswer({ question, total: null, error: messageOf(reason, texts.priceFailed) })
      }
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
    // The rows themselves change more often than what is asked about them.
  }, [userId, question, unpriced, rows.length])

  if (rows.length === 0) return NOTHING
  if (unpriced) return { total: null, pending: false, error: texts.priceNeedsService }
  if (answer.question !== question) return { total: answer.total, pending: true, error: null }
  return { total: answer.total, pending: false, error: answer.error }
}

type Shipment = { service_name: string; package: { package_weight: number | null } }

/** What decides the price of each row; rows without a service have none. */
const shipmentsOf = (rows: readonly GridRow[]): Shipment[] =>
  rows.flatMap(({ ServiceName, PackageWeight }) =>
    ServiceName === ''
      ? []
      : {
          service_name: ServiceName,
          package: { package_weight: parseMeasure(PackageWeight.trim()) },
        },
  )
