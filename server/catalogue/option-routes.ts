import { cents, dollars, fromDollars } from '#contract/money.ts'
import { optionPrices, setOptionPrices as setOptionPricesCall } from '#contract/price-options.ts'
import type { ServiceOptionPrices } from '#contract/price-options.ts'
import { optionsOfAccounts } from '#server/carriers/service.ts'
import type { CarrierContext } from '#server/carriers/service.ts'
import type { Router } from '#server/platform/http/router.ts'
import { selectOptionPrices } from './option-prices-store.ts'
import type { OptionPriceRecord } from './option-prices-store.ts'
import { setOptionPrices } from './option-prices.ts'
import type { OptionCents } from './tables.ts'

export function registerOptionPriceRoutes(router: Router, ctx: CarrierContext): void {
  const wire = optionPricesWire(ctx)

  router.handle(optionPrices, async () => (await selectOptionPrices(ctx.database.db)).map(wire))

  router.handle(setOptionPricesCall, async ({ params, body: { prices, seenPrices }, caller }) => {
    const saved = await setOptionPrices(
      ctx,
      Number(params.id),
      centsOf(prices),
      caller.userId,
      seenPrices && centsOf(seenPrices),
    )
    return { ok: true, message: 'Option prices updated successfully', service: wire(saved) }
  })
}

type DollarPrices = Record<keyof OptionCents, number | null>

const centsOf = ({ signature, adult, saturday }: DollarPrices): OptionCents => ({
  signature: signature === null ? null : fromDollars(signature),
  adult: adult === null ? null : fromDollars(adult),
  saturday: saturday === null ? null : fromDollars(saturday),
})

const optionPricesWire =
  (ctx: CarrierContext) =>
  ({ id, uid, cents: prices }: OptionPriceRecord): ServiceOptionPrices => {
    const can = optionsOfAccounts(ctx).options?.(uid)
    const wire = (kind: keyof OptionCents) => {
      const price = prices[kind]
      return { offered: can?.[kind] ?? false, price: price === null ? null : dollars(cents(price)) }
    }
    return {
      _id: String(id),
      uid,
      signature: wire('signature'),
      adult: wire('adult'),
      saturday: wire('saturday'),
    }
  }
