import { hasOptions, NO_OPTIONS } from '#contract/label-options.ts'
import { usd, ZERO } from '#contract/money.ts'
import { pricedParcelOf } from '#contract/pricing.ts'
import type { ParcelToAsk } from '#server/catalogue/live-prices.ts'
import { addOptionPrices } from '#server/catalogue/option-rules.ts'
import { findPriceOrProblem } from '#server/catalogue/rules.ts'
import type { PriceList } from '#server/catalogue/rules.ts'
import { newOrderFromRow, orderInputFaults } from '#server/orders/rules.ts'
import type { NewOrder, OrderInput } from '#server/orders/rules.ts'
import { Refusal, refuseFields } from '#server/platform/http/refusal.ts'

/** A service that does not exist has no options; the order is refused for it. */
const UNKNOWN = { uid: '', name: '' }

export const needsOptions = ({ options }: OrderInput): boolean => hasOptions(options ?? NO_OPTIONS)

/**
 * The order with its price; `ask`: the carrier tells the price, and `mayAsk`. `prices` has what the carriers offer, if the order has
 * options. Throws Refusal if it cannot be ordered.
 */
export function priceOrder(
  prices: PriceList,
  input: OrderInput,
  mayAsk: boolean,
): NewOrder | { ask: ParcelToAsk } {
  const known = prices.find(input.row.ServiceName)
  const faults = orderInputFaults(input, known)
  const parcel = pricedParcelOf(input.row, faults)
  const found = findPriceOrProblem(prices, input.row.ServiceName, parcel)
  const isUnasked = 'fault' in found && found.fault.code === 'carrier_price_pending'
  if (isUnasked && mayAsk && Object.keys(faults).length === 0)
    return { ask: { service: input.row.ServiceName, parcel } }
  if ('fault' in found) faults[found.field] ??= found.fault
  const { options = NO_OPTIONS } = input
  const priced = addOptionPrices(
    'price' in found ? found.price : ZERO,
    known ?? UNKNOWN,
    options,
    prices.optionsOf,
  )
  const optionFaults = known && 'faults' in priced ? priced.faults : {}
  if (Object.keys(faults).length > 0 || 'fault' in found || 'faults' in priced)
    throw refuseFields({ ...faults, ...optionFaults })
  const { price } = priced
  if (input.agreedPrice !== undefined && input.agreedPrice !== price)
    throw new Refusal(
      'price_changed',
      `The price of ${found.service.name} is ${usd(price)} now, not ${usd(input.agreedPrice)}. Nothing was bought.`,
    )
  return {
    ...newOrderFromRow(input.row, found.service, { ...priced, options }, found.quote),
    manifested: input.manifested,
  }
}
