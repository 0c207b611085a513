/**
 * Prices that follow from what the carrier quotes for a parcel (docs/decisions/0061-live-prices.md).
 * The carrier is called outside any transaction, and its quotes are kept for all who ask.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { cents } from '#contract/money.ts'
import { isLive } from '#contract/price-rules.ts'
import type { PricedParcel } from '#contract/pricing.ts'
import { loadPlaces } from '#contract/zip-places.ts'
import { callQuote } from '#server/carriers/calls.ts'
import type { QuoteResult } from '#server/carriers/port.ts'
import { applyBackoff, claimWithBudget } from '#server/carriers/rate-limit.ts'
import type { CarrierContext } from '#server/carriers/service.ts'
import { sellerOf, sourcesOfServices } from '#server/carriers/sources.ts'
import { countedTurns } from '#server/platform/process/turns.ts'
import {
  missingFault,
  pendingFault,
  quotedParcelOf,
  quoteKey,
  shipmentToQuote,
} from './quote-rules.ts'
import type { KnownQuote, KnownQuotes, QuotedParcel } from './quote-rules.ts'
import {
  claimQuotes,
  databaseTime,
  deleteOldQuotes,
  lockAsker,
  selectQuotes,
  setQuoteAnswer,
} from './quotes-store.ts'
import type { QuoteAnswer, QuoteClaim, QuoteRecord } from './quotes-store.ts'
import { isAvailable, pricedParcelFrom } from './rules.ts'
import type { ParcelInput, PriceList, Service } from './rules.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
/** What was shown is what is paid. */
const QUOTE_KEPT_MS = 24 * HOUR_MS
/** The same parcel is refused again. */
const REFUSAL_KEPT_MS = 5 * MINUTE_MS
/** How long one call waits for the carrier; the rest of its parcels is pending. */
const PATIENCE_MS = 10_000
export const QUESTIONS_A_MINUTE = 1_000
const QUESTIONS_AT_ONCE = 16
/** Longer than a question takes, so that its answer is saved within it. */
const LEASE_MARGIN_MS = 5_000
const LOOK_AGAIN_MS = 100
/** With the 24 hours that a quote counts. */
const DAYS_STORED = 8

/** A parcel and the service, by name or uid, that it is priced with. */
export type ParcelToAsk = { service: string; parcel: PricedParcel }

/** Whether pricing may need the carrier. */
export const hasLivePrices = ({ services }: PriceList): boolean => services.some(isLiveForSale)
const isLiveForSale = (service: Service): boolean => isLive(service) && isAvailable(service)

/**
 * The prices with what the carrier quotes for the parcels of live services; the same prices where
 * there are none. A parcel without an answer has the reason. Call it outside a transaction.
 */
export async function withQuotes(
  ctx: CarrierContext,
  userId: number,
  prices: PriceList,
  parcels: Iterable<ParcelToAsk>,
): Promise<PriceList> {
  if (!hasLivePrices(prices)) return prices
  const wanted = new Map<string, QuotedParcel>()
  const giveTurn = countedTurns(PARCELS_A_TURN)
  for (const { service: name, parcel } of parcels) {
    const service = prices.find(name)
    const quoted = service && isLiveForSale(service) ? quotedParcelOf(service, parcel) : null
    if (quoted && !('fault' in quoted)) wanted.set(quoteKey(quoted), quoted)
    await giveTurn()
  }
  return wanted.size === 0 ? prices : { ...prices, quotes: await findQuotes(ctx, userId, wanted) }
}

const PARCELS_A_TURN = 2_000

/** `withQuotes` for parcels as they were sent. */
export const withQuotesFor = (
  ctx: CarrierContext,
  userId: number,
  prices: PriceList,
  parcels: readonly ParcelInput[],
): Promise<PriceList> =>
  withQuotes(
    ctx,
    userId,
    prices,
    parcels.map(parcel => ({ service: parcel.service, parcel: pricedParcelFrom(parcel) })),
  )

/** `withQuotes` for parcels that may be sent with any service. */
export const withAllQuotesFor = (
  ctx: CarrierContext,
  userId: number,
  prices: PriceList,
  parcels: readonly Omit<ParcelInput, 'service'>[],
): Promise<PriceList> => {
  const live = prices.services.filter(isLiveForSale)
  return withQuotesFor(
    ctx,
    userId,
    prices,
    live.flatMap(({ uid }) => parcels.map(parcel => ({ ...parcel, service: uid }))),
  )
}

async function findQuotes(
  ctx: CarrierContext,
  userId: number,
  wanted: ReadonlyMap<string, QuotedParcel>,
): Promise<KnownQuotes> {
  const { db } = ctx.database
  const until = performance.now() + PATIENCE_MS
  const since = await databaseTime(db)
  const uids = [...new Set([...wanted.values()].map(({ uid }) => uid))]
  const groups = await sourcesOfServices(ctx, db, uids)
  const found = await Promise.all(
    groups.map(({ services, sources }) => {
      const parcels = [...wanted].filter(([, { uid }]) => services.includes(uid))
      return askSources(sources, userId, { parcels: new Map(parcels), until, since })
    }),
  )
  return new Map(found.flatMap(quotes => [...quotes]))
}

type Questions = { parcels: ReadonlyMap<string, QuotedParcel>; until: number; since: string }

/**
 * Quotes of services with the same sources. The account that sells them now is asked; what another of their
 * accounts told before still counts, so that a price that was shown is paid.
 */
async function askSources<Own extends CarrierContext>(
  sources: readonly [Own, ...Own[]],
  userId: number,
  { parcels, until, since }: Questions,
): Promise<KnownQuotes> {
  const [first] = sources
  const { db } = first.database
  const quotes = new Map<string, KnownQuote>()
  const accounts = sources.map(({ carrier }) => carrier.account)
  let open = [...parcels.keys()]
  const endWith = (quote: KnownQuote): KnownQuotes => {
    for (const key of open) quotes.set(key, quote)
    return quotes
  }
  for (;;) {
    const seller = await sellerOf(first, db, parcels.get(open[0]!)!.uid)
    const { account } = seller.carrier
    const records = await selectQuotes(db, accounts, open, since)
    // The first source last: its quote counts before that of the second, but no refusal before a price.
    for (const source of accounts.toReversed())
      for (const record of records.filter(one => one.account === source)) {
        const quote = quoteOf(record, source === account)
        if (quote && ('cost' in quote || !quotes.has(record.parcel)))
          quotes.set(record.parcel, quote)
      }
    open = open.filter(key => !quotes.has(key))
    if (open.length === 0) return quotes
    if (!seller.carrier.quote) return endWith({ fault: missingFault(NO_QUOTES) })
    if (performance.now() >= until) return endWith({ fault: pendingFault() })
    const claims = await claimQuestions(seller, userId, open)
    if (claims !== null && claims.length > 0) {
      const asked = claims.map(claim => ask(seller, parcels.get(claim.parcel)!, claim, until))
      const failed = (await Promise.allSettled(asked)).find(one => one.status === 'rejected')
      if (failed) throw failed.reason
    } else if (claims !== null || records.some(one => one.isAsked && one.account === account))
      await wait(LOOK_AGAIN_MS)
    else return endWith({ fault: pendingFault(LIMIT_REACHED) })
  }
}

const NO_QUOTES = 'it tells no price before it sells'
const LIMIT_REACHED = 'The carrier takes no more questions now'

/** Null while nothing is known. Of an account that does not sell the service now, only a kept price counts. */
function quoteOf(
  { cost, reason, askedAt, isKept, isAsked, isAnswered }: QuoteRecord,
  isSeller: boolean,
): KnownQuote | null {
  if (isKept && cost !== null) return { cost: cents(cost), askedAt }
  if (!isSeller) return null
  if (isKept) return { fault: missingFault(reason) }
  return isAnswered && !isAsked ? { fault: missingFault(null) } : null
}

/**
 * The next questions, with their calls taken from the account's rate limit; none while others ask
 * for all of the parcels. Null where no question may be asked now.
 */
const claimQuestions = (
  ctx: CarrierContext,
  userId: number,
  parcels: readonly string[],
): Promise<QuoteClaim[] | null> =>
  ctx.database.tx(async tx => {
    const left = QUESTIONS_A_MINUTE - (await lockAsker(tx, userId))
    const most = Math.min(left, QUESTIONS_AT_ONCE, parcels.length)
    if (most <= 0) return null
    const leaseMs = Math.max(ctx.config.carrierTimeoutMs, PATIENCE_MS) + LEASE_MARGIN_MS
    let isAllowed = false
    const claims = await claimWithBudget(tx, ctx.carrier, 'quote', most, available => {
      isAllowed = true
      return claimQuotes(tx, ctx.carrier.account, parcels, { userId, most: available, leaseMs })
    })
    return isAllowed ? claims : null
  })

async function ask(
  ctx: CarrierContext,
  parcel: QuotedParcel,
  claim: QuoteClaim,
  until: number,
): Promise<void> {
  const places = await loadPlaces().catch(() => undefined)
  const shipment = shipmentToQuote(parcel, zip => places?.placeOf(zip))
  const timeoutMs = Math.min(ctx.config.carrierTimeoutMs, Math.max(1, until - performance.now()))
  const result = await callQuote(ctx.carrier, shipment, timeoutMs)
  await applyBackoff(ctx, result)
  if (!result.ok)
    ctx.log.warn({ code: result.code, parcel: claim.parcel }, 'the carrier did not tell a price')
  await ctx.database.tx(tx => setQuoteAnswer(tx, ctx.carrier.account, claim, answerOf(result)))
}

function answerOf(result: QuoteResult): QuoteAnswer {
  if (result.ok) return { cost: result.costCents, reason: null, keptMs: QUOTE_KEPT_MS }
  return result.kind === 'permanent'
    ? { cost: null, reason: result.message, keptMs: REFUSAL_KEPT_MS }
    : { cost: null, reason: null, keptMs: 0 }
}

/** At most `limit`. Returns how many quotes are gone. */
export const sweepQuotes = (
  ctx: Pick<CarrierContext, 'database'>,
  limit: number,
): Promise<number> => ctx.database.tx(tx => deleteOldQuotes(tx, DAYS_STORED, limit))
