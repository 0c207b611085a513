/** What signature and Saturday delivery cost with each default service, for all users. */
import { OPTION_KINDS } from '#contract/label-options.ts'
import { usd } from '#contract/money.ts'
import { insertAuditEntry } from '#server/accounts/audit-store.ts'
import type { Carrier } from '#server/carriers/port.ts'
import { optionsOfAccounts } from '#server/carriers/service.ts'
import type { CarrierContext } from '#server/carriers/service.ts'
import type { Db } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { insertOptionPrices, selectOptionPrices } from './option-prices-store.ts'
import type { OptionPriceRecord } from './option-prices-store.ts'
import { optionPricesText, optionsWith } from './option-rules.ts'
import type { OptionsOf } from './option-rules.ts'
import type { PriceList } from './rules.ts'
import { priceList } from './service.ts'
import { lockCatalogue } from './store.ts'
import type { OptionCents } from './tables.ts'

/** What a label may ask for with each service, and at which price. */
export async function readOptions(db: Db, carrier: Pick<Carrier, 'options'>): Promise<OptionsOf> {
  const rows = await selectOptionPrices(db)
  return optionsWith(new Map(rows.map(({ uid, cents }) => [uid, cents])), carrier.options)
}

/** With the prices of options; without live prices. */
export async function priceListWithOptions(
  ctx: CarrierContext,
  userId: number,
): Promise<PriceList> {
  const { db } = ctx.database
  const [prices, optionsOf] = await Promise.all([
    priceList(db, userId),
    readOptions(db, optionsOfAccounts(ctx)),
  ])
  return { ...prices, optionsOf }
}

/**
 * Appends new prices, unless they equal the current ones. Throws Refusal: 404 unknown service, 409
 * when the current prices differ from `expected`, 422 for what the carrier does not have.
 */
export function setOptionPrices(
  ctx: CarrierContext,
  defaultId: number,
  prices: OptionCents,
  actorId: number,
  expected?: OptionCents,
): Promise<OptionPriceRecord> {
  return ctx.database.tx(async tx => {
    await lockCatalogue(tx)
    const before = (await selectOptionPrices(tx)).find(({ id }) => id === defaultId)
    if (!before) throw new Refusal('catalogue_service_unknown', 'Service not found')
    if (areEqual(prices, before.cents)) return before
    if (expected && !areEqual(expected, before.cents))
      throw new Refusal(
        'changed_meanwhile',
        `The option prices of ${before.name} have changed in the meantime, to ${optionPricesText(before.cents, usd)}. Nothing was saved.`,
      )
    assertPossible(optionsOfAccounts(ctx), before, prices)
    const version = await insertOptionPrices(tx, defaultId, prices, actorId)
    await insertAuditEntry(tx, {
      actorId,
      subjectId: null,
      action: 'service-options-priced',
      detail: {
        service: before.name,
        version,
        from: optionPricesText(before.cents, usd),
        to: optionPricesText(prices, usd),
      },
    })
    return { ...before, cents: prices }
  })
}

const areEqual = (a: OptionCents, b: OptionCents): boolean =>
  OPTION_KINDS.every(kind => a[kind] === b[kind])

function assertPossible(
  carrier: Pick<Carrier, 'options'>,
  { uid, name, cents }: OptionPriceRecord,
  prices: OptionCents,
): void {
  const can = carrier.options?.(uid)
  // A price that was set under another carrier may stay.
  const wrong = OPTION_KINDS.filter(
    kind => prices[kind] !== null && prices[kind] !== cents[kind] && !can?.[kind],
  )
  if (wrong.length === 0) return
  const text = `The carrier has no such option with ${name}: leave its price empty`
  throw new Refusal('option_not_offered', text, {
    fields: Object.fromEntries(wrong.map(kind => [kind, { code: 'option_not_offered', text }])),
  })
}
