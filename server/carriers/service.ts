import type { Cents } from '#contract/money.ts'
import type { Context } from '#server/platform/context.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { withTimeout } from '#server/platform/process/timeout.ts'
import type { CarrierAccountNames } from './account-store.ts'
import type { Carrier, CarrierService } from './port.ts'
import { upsertRawServices } from './store.ts'

export {
  belongsToAccounts,
  currentAccount,
  labelAccount,
  storeCarrierAccount,
} from './account-store.ts'
export type { CarrierAccountNames } from './account-store.ts'
export { expirePause, findPause } from './budget-store.ts'
export { closeCarrierCalls, insertCarrierCalls, selectRawServices } from './store.ts'

/** A house that can buy labels. */
export type CarrierContext = Context & { carrier: Carrier }

/** The names of the account that is open at the carrier, the present one first. */
export const carrierAccountNames = ({ carrier, config }: CarrierContext): CarrierAccountNames => [
  carrier.account,
  ...config.carrierSameAccount,
]

/** Looks at what the carrier offers and keeps it; called at start and by 'Sync with Raw Services'. */
export async function refreshRawServices(ctx: CarrierContext): Promise<CarrierService[]> {
  const services = await ctx.carrier.services()
  await ctx.database.tx(tx => upsertRawServices(tx, services))
  return services
}

/** What the operator's account at the carrier has left; null where the carrier does not say. Throws Refusal 'unavailable'. */
export async function fetchCarrierBalance(ctx: CarrierContext): Promise<Cents | null> {
  try {
    return await withTimeout(ctx.config.carrierTimeoutMs, signal => ctx.carrier.balance(signal))
  } catch (error) {
    ctx.log.warn({ err: error }, 'the carrier did not say what its account has left')
    throw new Refusal(
      'unavailable',
      'The carrier did not answer. Please try again in a moment.',
      undefined,
      5,
    )
  }
}
