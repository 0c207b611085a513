import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { namesOfOwnCarrierAccount } from '#server/carriers/service.ts'
import { requestLabelFiles } from '#server/labels/carrier-label-file-store.ts'
import { walletOf } from '#server/ledger/service.ts'
import { countOpenInOtherAccounts } from '#server/orders/open-labels-store.ts'
import { pollParcels } from '#server/tracking/jobs.ts'
import { voidMany, voidOne } from '#server/voids/service.ts'
import { processDueVoids } from '#server/voids/settle.ts'
import { voidUnusedLabels } from '#server/voids/unused-labels.ts'
import { submitBatch } from '#tests/model/batch-steps.ts'
import {
  withSimulation,
  setCustomerBalance,
  advanceTime,
  TIME_SPANS,
} from '#tests/model/simulation.ts'
import type { Simulation } from '#tests/model/simulation.ts'
import { fetchLabelFiles } from './label-files.ts'
import { lookUpForAdmin } from './look-up.ts'
import { reconcile } from './reconcile.ts'
import { startPurchaseWorker } from './worker.ts'

const labels = async ({
  database,
}: Simulation): Promise<{ id: number; state: string; account: string | null }[]> =>
  (
    await database.pool.query(
      'select id, state, carrier_account as account from shipment_order order by id',
    )
  ).rows

/** The same server with the key of another account; `calls` are its carrier calls. */
function withAnotherKey({ ctx }: Simulation): { ctx: Simulation['ctx']; calls: string[] } {
  const calls: string[] = []
  const refuse = (what: string) => async (): Promise<never> => {
    calls.push(what)
    throw new Error('unknown in this account')
  }
  const carrier = {
    ...ctx.carrier,
    account: 'sandbox:2',
    voidWindowMs: 1_000,
    lookup: refuse('look-up'),
    void: refuse('void'),
    fetchLabel: refuse('file'),
    track: refuse('parcel'),
  }
  return { ctx: { ...ctx, carrier }, calls }
}

test('labels of another account are not looked up, and everything continues with the old key', () =>
  withSimulation({}, async simulation => {
    const {
      database,
      customerIds: [ana],
    } = simulation
    const caller = {
      userId: ana,
      role: 'user' as const,
      sessionId: 0,
      impersonatorId: null,
      key: null,
    }
    await setCustomerBalance(simulation, ana, 10_000)
    await submitBatch(simulation, ana, ['', ''])
    await startPurchaseWorker(simulation.ctx).stop()
    const [bought, voiding] = await labels(simulation)
    simulation.outages.carrierIsSilent = true
    await voidMany(simulation.customerCtx, caller, [voiding!.id])
    await submitBatch(simulation, ana, [''])
    await startPurchaseWorker(simulation.ctx).stop()
    expect((await labels(simulation)).map(({ state, account }) => [state, account])).toEqual([
      ['purchased', 'sandbox'],
      ['voiding', 'sandbox'],
      ['unknown', 'sandbox'],
    ])
    const tries = await database.pool.query('select distinct account from carrier_call')
    expect(tries.rows).toEqual([{ account: 'sandbox' }])

    const other = withAnotherKey(simulation)
    await database.tx(async tx => {
      await requestLabelFiles(tx, [bought!.id])
      await sql`update parcel_tracking set next_check_at = now(), auto_void_at = now() where order_id = ${bought!.id}`.execute(
        tx,
      )
    })
    await advanceTime(simulation, TIME_SPANS.lease)
    expect(await reconcile(other.ctx)).toEqual({ lookedUp: 0, answered: 0 })
    await processDueVoids(other.ctx)
    await fetchLabelFiles(other.ctx)
    await pollParcels(other.ctx)
    await voidUnusedLabels(other.ctx)
    await expect(lookUpForAdmin(other.ctx, simulation.operator, voiding!.id)).rejects.toMatchObject(
      {
        code: 'nothing_to_do',
      },
    )
    await expect(voidOne(other.ctx, caller, bought!.id)).rejects.toMatchObject({
      code: 'carrier_account_missing',
      message: expect.stringContaining('bought with another carrier account') as string,
    })
    expect(await voidMany(other.ctx, caller, [bought!.id])).toMatchObject([{ void: 'refused' }])
    expect(other.calls).toEqual([])
    expect((await labels(simulation)).map(({ state }) => state)).toEqual([
      'purchased',
      'voiding',
      'unknown',
    ])
    expect(await walletOf(database.db, ana)).toMatchObject({
      available: 10_000 - 3 * 650,
      held: 650,
    })
    expect(
      await countOpenInOtherAccounts(database.db, namesOfOwnCarrierAccount(other.ctx)),
    ).toMatchObject([{ account: 'sandbox', count: 2 }])

    simulation.outages.carrierIsSilent = false
    expect(
      await countOpenInOtherAccounts(database.db, namesOfOwnCarrierAccount(simulation.ctx)),
    ).toEqual([])
    await reconcile(simulation.ctx)
    await lookUpForAdmin(simulation.ctx, simulation.operator, voiding!.id)
    await startPurchaseWorker(simulation.ctx).stop()
    expect((await labels(simulation)).map(({ state }) => state)).toEqual([
      'purchased',
      'voided',
      'purchased',
    ])
  }))
