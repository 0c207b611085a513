import { expect, test } from 'vitest'
import { OperatorError } from '#server/platform/process/operator-error.ts'
import { submitBatch } from '#tests/model/batch-steps.ts'
import { withSimulation, setCustomerBalance } from '#tests/model/simulation.ts'
import type { Simulation } from '#tests/model/simulation.ts'
import { assertSameCarrier } from './same-carrier.ts'
import { startPurchaseWorker } from './worker.ts'

/** Starts with an account of a carrier, which may have had another name before. */
const startWith = ({ ctx }: Simulation, account: string, before: string[] = []): Promise<void> =>
  assertSameCarrier({
    ...ctx,
    carrier: { ...ctx.carrier, name: account.split(':')[0]!, account },
    config: { ...ctx.config, carrierSameAccount: before },
  })

const OURS = 'shipengine:se-1'
/** A house with this account, and two labels of which nobody knows what became of them. */
const withTwoUnknown = (game: (place: Simulation) => Promise<void>): Promise<void> =>
  withSimulation(
    {
      change: ({ carrier }) => ({ carrier: { ...carrier, name: 'shipengine', account: OURS } }),
    },
    async place => {
      await startWith(place, OURS)
      await setCustomerBalance(place, place.customerIds[0], 100_000)
      await submitBatch(place, place.customerIds[0], ['', 'SANDBOX LOST'])
      place.outages.carrierIsSilent = true
      await startPurchaseWorker(place.ctx).stop()
      await game(place)
    },
  )

test('nobody changes the carrier while it is asked what became of labels; afterwards he may', () =>
  withTwoUnknown(async place => {
    await expect(startWith(place, 'usps:7')).rejects.toThrow(OperatorError)
    await expect(startWith(place, 'usps:7')).rejects.toThrow(
      /2 labels are .* with CARRIER=shipengine, .* Start with CARRIER=shipengine/,
    )
    await expect(startWith(place, OURS)).resolves.toBeUndefined()
    await place.database.pool.query(
      `update shipment_order set state = 'purchased', tracking_number = '98' where state = 'unknown'`,
    )
    await expect(startWith(place, 'usps:7')).resolves.toBeUndefined()
    await expect(startWith(place, OURS)).resolves.toBeUndefined()
  }))

test('nor the account there; one that has only another name goes on', () =>
  withTwoUnknown(async place => {
    await expect(startWith(place, 'shipengine:se-2')).rejects.toThrow(
      /2 labels are .* account shipengine:se-1, and shipengine:se-2 knows .* or, .* with CARRIER_SAME_ACCOUNT=shipengine:se-1\./,
    )
    await expect(startWith(place, 'shipengine:se-2', [OURS])).resolves.toBeUndefined()
  }))

test('labels from before accounts were written down are of the account that was open then', () =>
  withTwoUnknown(async place => {
    await place.database.pool.query(`update shipment_order set carrier_account = null`)
    await place.database.pool.query(`delete from app_setting where key = 'first-carrier-account'`)
    await expect(startWith(place, 'usps:7')).rejects.toThrow(
      /2 labels are .* with CARRIER=shipengine, .* Start with CARRIER=shipengine until/,
    )
    await startWith(place, OURS)
    await expect(startWith(place, 'shipengine:se-2')).rejects.toThrow(
      /2 labels are .* account shipengine:se-1, and/,
    )
  }))
