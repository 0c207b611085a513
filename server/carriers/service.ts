import type { Cents } from '#contract/money.ts'
import { within } from '#server/platform/deadline.ts'
import type { House } from '#server/platform/house.ts'
import { Refusal } from '#server/platform/refusal.ts'
import type { Accounts } from './account-store.ts'
import type { Carrier, CarrierService } from './port.ts'
import { upsertRawServices } from './store.ts'

/** A house that can buy labels. */
export type WithCarrier = House & { carrier: Carrier }

/** The names of the account that is open at the carrier, the present one first. */
export const accountsOf = ({ carrier, config }: WithCarrier): Accounts => [
  carrier.account,
  ...config.carrierSameAccount,
]

/** Looks at what the carrier offers and keeps it; called at start and by 'Sync with Raw Services'. */
export async function refreshRawServices(house: WithCarrier): Promise<CarrierService[]> {
  const services = await house.carrier.services()
  await house.database.tx(tx => upsertRawServices(tx, services))
  return services
}

/** What the operator's account at the carrier has left; null where the carrier does not say. Throws Refusal 'unavailable'. */
export async function accountBalance(house: WithCarrier): Promise<Cents | null> {
  try {
    return await within(house.config.carrierTimeoutMs, signal => house.carrier.balance(signal))
  } catch (error) {
    house.log.warn({ err: error }, 'the carrier did not say what its account has left')
    throw new Refusal(
      'unavailable',
      'The carrier did not answer. Please try again in a moment.',
      undefined,
      5,
    )
  }
}
