/** The costs that rules price from, held against what the carrier charges now. */
import { cents, dollars } from '#contract/money.ts'
import { CHECKED_LABELS, IMPACT_DAYS } from '#contract/price-tables.ts'
import type { CostCheck } from '#contract/price-tables.ts'
import { priceParcel } from '#contract/pricing.ts'
import type { ZoneLookup } from '#contract/pricing.ts'
import { callQuote } from '#server/carriers/calls.ts'
import type { QuoteResult } from '#server/carriers/port.ts'
import { applyBackoff, claimWithBudget } from '#server/carriers/rate-limit.ts'
import type { CarrierContext } from '#server/carriers/service.ts'
import { sellerOf } from '#server/carriers/sources.ts'
import { zonesInUse } from '#server/catalogue/price-changes.ts'
import { listCosts, listPricedServices } from '#server/catalogue/price-drafts.ts'
import type { Service } from '#server/catalogue/rules.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { selectNewestLabels } from './cost-check-store.ts'
import type { CheckedLabel } from './cost-check-store.ts'

/**
 * Asks the account that sells the service what the parcels of the newest labels of a service cost now. Nothing is bought
 * or saved. Throws Refusal 404 for an unknown service.
 */
export async function checkCosts(given: CarrierContext, uid: string): Promise<CostCheck[]> {
  const { db } = given.database
  const ctx = await sellerOf(given, db, uid)
  const service = (await listPricedServices(db, null)).find(one => one.uid === uid)
  if (!service) throw new Refusal('catalogue_service_unknown', 'Service not found')
  const [costs, zoneOf, labels] = await Promise.all([
    listCosts(db),
    zonesInUse(db),
    selectNewestLabels(db, uid, IMPACT_DAYS, CHECKED_LABELS),
  ])
  const cost = costs.find(one => one.uid === uid)
  const asked = new Set(
    await ctx.database.tx(tx =>
      claimWithBudget(tx, ctx.carrier, 'quote', labels.length, async most => labels.slice(0, most)),
    ),
  )
  const checks: CostCheck[] = []
  let failure: QuoteResult | null = null
  for (const label of labels) {
    const quote: QuoteResult =
      failure ?? (asked.has(label) ? await quoteOf(ctx, label) : NO_CALLS_LEFT)
    // Of the account or the connection, so the next call would fail too, or be too early.
    if (!quote.ok && quote.kind !== 'permanent') failure = quote
    checks.push(
      checkWire(label, quote, cost ? costOf({ ...service, ...cost }, label, zoneOf) : null),
    )
  }
  return checks
}

const NO_CALLS_LEFT: QuoteResult = {
  ok: false,
  kind: 'retryable',
  code: 'NO_CALLS_LEFT',
  message: 'The carrier’s limit of calls is used up. Try again in a minute',
}

async function quoteOf(ctx: CarrierContext, { shipment }: CheckedLabel): Promise<QuoteResult> {
  if (!ctx.carrier.quote) return NO_QUOTES
  const quote = await callQuote(ctx.carrier, shipment, ctx.config.carrierTimeoutMs)
  await applyBackoff(ctx, quote)
  return quote
}

const NO_QUOTES: QuoteResult = {
  ok: false,
  kind: 'permanent',
  code: 'NO_QUOTES',
  message: 'This carrier tells no price before it sells',
}

/** By the cost table; null where it has none for the parcel. */
function costOf(
  costed: Pick<Service, 'name' | 'maxWeight' | 'ranges' | 'table'>,
  { shipment: { sender, receiver, package: size } }: CheckedLabel,
  zoneOf: ZoneLookup | null,
): number | null {
  const parcel = { weightLb: size.weight, size, fromZip: sender.zip, toZip: receiver.zip }
  const found = priceParcel(costed, parcel, zoneOf)
  return 'price' in found ? found.price : null
}

const moneyWire = (amount: number | null) => (amount === null ? null : dollars(cents(amount)))

function checkWire(
  { shipment: { sender, receiver, package: size }, charged }: CheckedLabel,
  quote: QuoteResult,
  known: number | null,
): CostCheck {
  return {
    weight: size.weight,
    fromZip: sender.zip.slice(0, 5),
    toZip: receiver.zip.slice(0, 5),
    charged: moneyWire(charged),
    known: moneyWire(known),
    now: quote.ok ? dollars(quote.costCents) : null,
    reason: quote.ok ? null : quote.message,
  }
}
