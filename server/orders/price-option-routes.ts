import { dollars } from '#contract/money.ts'
import * as calls from '#contract/price-options.ts'
import { maxPricedWeight } from '#contract/pricing.ts'
import { getUser } from '#server/accounts/service.ts'
import type { CarrierContext } from '#server/carriers/service.ts'
import { deliveryDaysOf } from '#server/carriers/services.ts'
import { hasLivePrices, withAllQuotesFor } from '#server/catalogue/live-prices.ts'
import { priceListWithOptions } from '#server/catalogue/option-prices.ts'
import { offersWire } from '#server/catalogue/option-rules.ts'
import type { PriceList } from '#server/catalogue/rules.ts'
import type { LongList } from '#server/platform/http/long-list.ts'
import { refuseField } from '#server/platform/http/refusal.ts'
import { parseEntries } from '#server/platform/http/request-validation.ts'
import type { Router } from '#server/platform/http/router.ts'
import { yieldToOthers } from '#server/platform/process/turns.ts'
import { createTotals, parcelOptions } from './price-options.ts'
import type { Parcel } from './price-options.ts'

export function registerPriceOptionRoutes(router: Router, ctx: CarrierContext): void {
  const { db } = ctx.database

  const optionsFor = async (userId: number, parcel: calls.ParcelToPrice) => {
    await getUser(db, userId)
    const listed = await priceListWithOptions(ctx, userId)
    const prices = await withAllQuotesFor(ctx, userId, listed, [parcelOf(parcel)])
    const options = parcelOptions(prices, parcelOf(parcel)).map(
      ({ service, price, reason, offers }) => ({
        uid: service.uid,
        name: service.name,
        category: service.category,
        price: price === null ? null : dollars(price),
        maxWeight: maxPricedWeight(service),
        deliveryDays: deliveryDaysOf(service.uid),
        reason,
        ...offersWire(offers),
      }),
    )
    return { options }
  }
  router.handle(calls.priceOptions, ({ params, query }) => optionsFor(Number(params.userId), query))
  router.handle(calls.priceParcelOptions, ({ params, body }) =>
    optionsFor(Number(params.userId), body),
  )

  router.handle(
    calls.priceTotals,
    async ({ params, longList }) => {
      const userId = Number(params.userId)
      await getUser(db, userId)
      const totals = createTotals(
        await pricesForAll(ctx, userId, longList),
        uid => deliveryDaysOf(uid)?.to ?? Infinity,
      )
      let labels = 0
      for (const page of longList.pages()) {
        const at = totals.totals.cheapest.choices.length
        const parcels = parseEntries(calls.ParcelToTotal, page, 'parcels', at)
        labels += parcels.reduce((sum, { count = 1 }) => sum + count, 0)
        if (labels > calls.MAX_TOTALED_PARCELS) throw tooManyLabels()
        totals.add(parcels.map(countedParcelOf))
        await yieldToOthers()
      }
      const { services, cheapest } = totals.totals
      return {
        services: services.map(({ service, total, labels: taken, reason }) => ({
          uid: service.uid,
          name: service.name,
          deliveryDays: deliveryDaysOf(service.uid),
          total: dollars(total),
          labels: taken,
          reason,
        })),
        cheapest: { ...cheapest, total: dollars(cheapest.total) },
      }
    },
    { list: { maxItems: calls.MAX_TOTALED_PARCELS } },
  )
}

/** With what the carrier quotes for each parcel in each live service. */
async function pricesForAll(
  ctx: CarrierContext,
  userId: number,
  longList: LongList,
): Promise<PriceList> {
  const prices = await priceListWithOptions(ctx, userId)
  if (!hasLivePrices(prices)) return prices
  const parcels: Parcel[] = []
  for (const page of longList.pages()) {
    parcels.push(
      ...parseEntries(calls.ParcelToTotal, page, 'parcels', parcels.length).map(parcelOf),
    )
    await yieldToOthers()
  }
  return withAllQuotesFor(ctx, userId, prices, parcels)
}

/** A parcel with what its label asks for, and how many are the same. */
const countedParcelOf = ({ count = 1, signature, saturday, ...parcel }: calls.ParcelToTotal) => ({
  parcel: {
    ...parcelOf(parcel),
    options: { signature: signature ?? 'none', saturday: saturday ?? false },
  },
  count,
})

const tooManyLabels = () =>
  refuseField(
    'parcels',
    'too_many',
    `The counts of parcels must add up to at most ${calls.MAX_TOTALED_PARCELS}`,
  )

const parcelOf = ({ fromZip, toZip, ...measures }: calls.ParcelToPrice): Parcel => ({
  weight: null,
  ...measures,
  fromZip: fromZip?.trim(),
  toZip: toZip?.trim(),
})
