import type { House } from '#server/platform/house.ts'
import type { Carrier, CarrierService } from './port.ts'
import { upsertRawServices } from './store.ts'

/** A house that can buy labels. */
export type WithCarrier = House & { carrier: Carrier }

/** Looks at what the carrier offers and keeps it; called at start and by 'Sync with Raw Services'. */
export async function refreshRawServices(house: WithCarrier): Promise<CarrierService[]> {
  const services = await house.carrier.services()
  await house.database.tx(tx => upsertRawServices(tx, services))
  return services
}
