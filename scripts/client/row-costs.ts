/** What the rows of a file cost, by the server's prices. */
import { setTimeout as sleep } from 'node:timers/promises'
import { countText } from '#contract/format.ts'
import { dollars } from '#contract/money.ts'
import { quotePrice } from '#contract/orders.ts'
import type { ShipmentPrice } from '#contract/orders.ts'
import {
  isPending,
  priceSum,
  quotedShipment,
  rowPrice,
  shipmentsByKey,
} from '#web/batches/bulk/submit/row-prices.ts'
import type { PricedByParcel, Quotes } from '#web/batches/bulk/submit/row-prices.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import type { Client } from './calls.ts'
import type { FaultyRow } from './faulty-rows.ts'

/** `cost` in dollars, of `rows`; `unpriced`: the others, which cannot be bought. */
type RowCosts = { cost: number; rows: GridRow[]; unpriced: FaultyRow[] }

/** Size and whole ZIP codes are sent for every service, so it need not be known which of them decide its prices. */
const BY_WHOLE_PARCEL: PricedByParcel = () => 'carrier'

const ASK_AGAIN_MS = 3_000
/** Without a new price: about two minutes. */
const MAX_IDLE_TRIES = 40

/** Throws ApiError. */
export async function costsOf(
  client: Client,
  rows: readonly GridRow[],
  say: (line: string) => void,
): Promise<RowCosts> {
  const quotes = await quotesOf(client, rows, say)
  const priceOf = (row: GridRow) => rowPrice(row, quotes, false, BY_WHOLE_PARCEL)
  return {
    cost: dollars(priceSum(rows, priceOf).total),
    rows: rows.filter(row => priceOf(row).cents !== null),
    unpriced: rows.flatMap(row => {
      const { cents, note } = priceOf(row)
      return cents === null ? [{ row, errors: { ServiceName: note ?? '' } }] : []
    }),
  }
}

/** Equal shipments are priced once. Prices that the carrier has not returned yet are asked for again. */
async function quotesOf(
  client: Client,
  rows: readonly GridRow[],
  say: (line: string) => void,
): Promise<Quotes> {
  const quotes = new Map<string, ShipmentPrice>()
  let open = [...shipmentsByKey(rows, BY_WHOLE_PARCEL)]
  let told = 0
  for (let idleTries = 0; open.length > 0;) {
    const shipments = open.map(([, shipment]) => quotedShipment(shipment))
    const body = { userId: client.userId, shipments, each: true }
    const { prices = [] } = await client.call(quotePrice, { body })
    open.forEach(([key], index) => quotes.set(key, prices[index]!))
    const pending = open.filter((_, index) => isPending(prices[index]!))
    idleTries = pending.length < open.length ? 0 : idleTries + 1
    open = idleTries < MAX_IDLE_TRIES ? pending : []
    if (open.length === 0) break
    if (open.length !== told)
      say(`Waiting for the carrier's price of ${countText(open.length, 'parcel')}.`)
    told = open.length
    await sleep(ASK_AGAIN_MS)
  }
  return quotes
}
