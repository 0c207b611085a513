import type { Cents } from '#contract/money.ts'
import type { Context } from '#server/platform/context.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { withTimeout } from '#server/platform/process/timeout.ts'
import type { CarrierAccount } from './accounts.ts'
import { carrierAccounts } from './accounts.ts'
import type { Carrier, CarrierService } from './port.ts'
import { upsertRawServices } from './store.ts'

export {
  belongsToAccounts,
  currentAccount,
  labelAccount,
  accountsOfLastStart,
  isNotOf,
  storeCarrierAccounts,
  storeTestAccounts,
} from './account-store.ts'
export type { CarrierAccountNames } from './account-store.ts'
export {
  accountContexts,
  carrierAccounts,
  contextOfAccount,
  namesOfAccount,
  namesOfCarrierAccounts,
  namesOfOtherCarrierAccounts,
  namesOfOwnCarrierAccount,
  optionsOfAccounts,
} from './accounts.ts'
export type { CarrierAccount } from './accounts.ts'
export {
  allowTryDuringPause,
  findPause,
  lockLosses,
  pauseForAdministrator,
} from './budget-store.ts'
export {
  closeCarrierCalls,
  insertEndedCalls,
  insertVoidCalls,
  rememberCalls,
  selectRawServices,
} from './store.ts'
export type { EndedCall } from './store.ts'

/** `carrier`: the account that is called. `carrierAccounts`: all of them, if there are several. */
export type CarrierContext = Context & {
  carrier: Carrier
  carrierAccounts?: readonly CarrierAccount[]
}

/** Reads the services of all accounts and stores them; at start and by 'Sync with Raw Services'. */
export async function refreshRawServices(ctx: CarrierContext): Promise<CarrierService[]> {
  const offered = await Promise.all(carrierAccounts(ctx).map(({ carrier }) => carrier.services()))
  const services = [...new Map(offered.flat().map(one => [one.uid, one])).values()]
  await ctx.database.tx(tx => upsertRawServices(tx, services))
  return services
}

/** The operator's balance at the carrier; null if not reported. Throws Refusal 503. */
export async function fetchCarrierBalance(ctx: CarrierContext): Promise<Cents | null> {
  try {
    return await withTimeout(ctx.config.carrierTimeoutMs, signal => ctx.carrier.balance(signal))
  } catch (error) {
    ctx.log.warn({ err: error }, 'the carrier did not say what its account has left')
    throw new Refusal(
      'carrier_unavailable',
      'The carrier did not answer. Please try again in a moment.',
      { retryAfter: 5 },
    )
  }
}
