import { expect, test } from 'vitest'
import { OperatorError } from '#server/platform/process/operator-error.ts'
import { submitBatch } from '#tests/model/batch-steps.ts'
import { withSimulation, setCustomerBalance } from '#tests/model/simulation.ts'
import type { Simulation } from '#tests/model/simulation.ts'
import { copyRow, copyUser } from '#tests/support/copied-rows.ts'
import { claimQueued } from './claim-store.ts'
import { assertSameCarrier } from './same-carrier.ts'
import { startPurchaseWorker } from './worker.ts'

/** `earlier`: another name of the same account. */
const startWith = ({ ctx }: Simulation, account: string, earlier: string[] = []): Promise<void> =>
  assertSameCarrier({
    ...ctx,
    carrier: { ...ctx.carrier, name: account.split(':')[0]!, account },
    config: { ...ctx.config, carrierSameAccount: earlier },
  })

const OURS = 'shipengine:se-1'
/** A server with two unknown labels of this account. */
const withTwoUnknown = (run: (simulation: Simulation) => Promise<void>): Promise<void> =>
  withSimulation(
    {
      change: ({ carrier }) => ({ carrier: { ...carrier, name: 'shipengine', account: OURS } }),
    },
    async simulation => {
      await startWith(simulation, OURS)
      await setCustomerBalance(simulation, simulation.customerIds[0], 100_000)
      await submitBatch(simulation, simulation.customerIds[0], ['', 'SANDBOX LOST'])
      simulation.outages.carrierIsSilent = true
      await startPurchaseWorker(simulation.ctx).stop()
      await run(simulation)
    },
  )

test('the carrier cannot be changed while labels are open, and can be changed afterwards', () =>
  withTwoUnknown(async simulation => {
    await expect(startWith(simulation, 'usps:7')).rejects.toThrow(OperatorError)
    await expect(startWith(simulation, 'usps:7')).rejects.toThrow(
      /2 labels are .* with CARRIER=shipengine, .* Start with CARRIER=shipengine/,
    )
    await expect(startWith(simulation, OURS)).resolves.toBeUndefined()
    await simulation.database.pool.query(
      `update shipment_order set state = 'purchased', tracking_number = '98' where state = 'unknown'`,
    )
    await expect(startWith(simulation, 'usps:7')).resolves.toBeUndefined()
    await expect(startWith(simulation, OURS)).resolves.toBeUndefined()
  }))

test('a label whose answer was lost waits in the queue for its own carrier account, and no other buys it', () =>
  withTwoUnknown(async simulation => {
    const { pool } = simulation.database
    const accounts = async (): Promise<unknown[]> =>
      (
        await pool.query(
          'select state, carrier_account as account, attempt from shipment_order order by id',
        )
      ).rows
    // What a look-up that found no sale leaves behind where a repetition gets the same label.
    await pool.query(
      `update shipment_order set state = 'queued', unknown_since = null, run_after = now()`,
    )
    const queued = await accounts()
    await expect(startWith(simulation, 'usps:7')).rejects.toThrow(/2 labels are .* with CARRIER=/)

    // A label that never was sent is bought by any account.
    await submitBatch(simulation, simulation.customerIds[0], [''])
    simulation.outages.carrierIsSilent = false
    const other = { ...simulation.ctx.carrier, name: 'usps', account: 'usps:7' }
    await startPurchaseWorker({ ...simulation.ctx, carrier: other }).stop()
    expect(await accounts()).toEqual([
      ...queued,
      { state: 'purchased', account: 'usps:7', attempt: 1 },
    ])
    await startPurchaseWorker(simulation.ctx).stop()
    expect(await accounts()).toMatchObject([
      { state: 'purchased', account: OURS, attempt: 2 },
      { account: OURS, attempt: 2 },
      { account: 'usps:7', attempt: 1 },
    ])
  }))

test('labels that wait for another carrier account hold up no one else, not even with one call at a time', () =>
  withTwoUnknown(async simulation => {
    const { database, customerIds } = simulation
    const [tied, free] = customerIds
    await database.pool.query(
      `update shipment_order set state = 'queued', unknown_since = null, run_after = now()`,
    )
    await setCustomerBalance(simulation, free, 100_000)
    await submitBatch(simulation, free, ['', ''])
    const claimOne = (after: number) =>
      database.tx(tx => claimQueued(tx, { names: ['usps:7'], scope: null }, 1, 60_000, after))

    const first = await claimOne(0)
    expect(first.claims.map(({ userId }) => userId)).toEqual([free])
    const second = await claimOne(first.lastUserId)
    expect(second.claims.map(({ userId }) => userId)).toEqual([free])
    expect(await claimOne(second.lastUserId)).toMatchObject({ claims: [], lastUserId: tied })

    // More users with such labels than one claim looks at.
    await database.pool.query(`delete from open_carrier_call`)
    await copyUser(database, tied, 250)
    const owner = `'user_id', n, 'batch_id', null, 'row_no', null`
    await copyRow(database, 'shipment_order', `user_id = ${tied}`, 250, owner)
    let next = await claimOne(free)
    expect(next.claims).toEqual([])
    next = await claimOne(next.lastUserId)
    expect(next.claims.map(({ userId }) => userId)).toEqual([free])
  }))

test('the carrier account cannot be changed either; one with only a new name continues', () =>
  withTwoUnknown(async simulation => {
    await expect(startWith(simulation, 'shipengine:se-2')).rejects.toThrow(
      /2 labels are .* account shipengine:se-1, and shipengine:se-2 knows .* or, .* with CARRIER_SAME_ACCOUNT=shipengine:se-1\./,
    )
    await expect(startWith(simulation, 'shipengine:se-2', [OURS])).resolves.toBeUndefined()
  }))

test('labels from before accounts were recorded belong to the account of the first start', () =>
  withTwoUnknown(async simulation => {
    await simulation.database.pool.query(`update shipment_order set carrier_account = null`)
    await simulation.database.owner.pool.query(
      `delete from app_setting where key = 'first-carrier-account'`,
    )
    await expect(startWith(simulation, 'usps:7')).rejects.toThrow(
      /2 labels are .* with CARRIER=shipengine, .* Start with CARRIER=shipengine until/,
    )
    await startWith(simulation, OURS)
    await expect(startWith(simulation, 'shipengine:se-2')).rejects.toThrow(
      /2 labels are .* account shipengine:se-1, and/,
    )
  }))
