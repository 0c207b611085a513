/** Two carrier accounts at stand-ins, main at EasyPost and backup at ShipEngine. */
import type { CarrierBehavior } from '#tests/support/carriers/behavior.ts'
import { LIVE_ENV } from '#tests/support/live-env.ts'
import { EASYPOST_KEY, openEasypostStub } from './carriers/easypost-stub.ts'
import { openShipEngineStub, SHIPENGINE_KEYS } from './carriers/shipengine-stub.ts'

/**
 * `behavior`: of each from now on. `env`: an installation with both,
 * whose administrator signs in without a second step.
 */
export async function openTwoAccounts() {
  const behavior: Record<'main' | 'backup', CarrierBehavior> = { main: 'fine', backup: 'fine' }
  const main = await openEasypostStub(() => behavior.main)
  const backup = await openShipEngineStub(() => behavior.backup, 1)
  return {
    behavior,
    main,
    backup,
    env: {
      ...LIVE_ENV,
      REQUIRE_TWO_FACTOR: 'no',
      CARRIER_PER_MINUTE: '',
      CARRIER_ACCOUNTS: 'main,backup',
      CARRIER_MAIN_KIND: 'easypost',
      CARRIER_MAIN_EASYPOST_URL: main.urlOn(),
      CARRIER_MAIN_EASYPOST_API_KEY: EASYPOST_KEY,
      CARRIER_MAIN_PER_MINUTE: '100000',
      CARRIER_BACKUP_KIND: 'shipengine',
      CARRIER_BACKUP_SHIPENGINE_URL: backup.urlOn(),
      CARRIER_BACKUP_SHIPENGINE_API_KEY: SHIPENGINE_KEYS.apiKey,
      CARRIER_BACKUP_SHIPENGINE_CARRIER_ID: SHIPENGINE_KEYS.carrierId,
      CARRIER_BACKUP_PER_MINUTE: '100000',
    },
    close: () => Promise.all([main.close(), backup.close()]),
  }
}
