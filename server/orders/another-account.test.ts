/** Labels that another account at the carrier has sold are left to it: the one that is open now would truly say that it knows none. */
import { expect, test } from 'vitest'
import { accountsOf } from '#server/carriers/service.ts'
import { wantPapers } from '#server/labels/carrier-paper-store.ts'
import { walletOf } from '#server/ledger/service.ts'
import { order } from '#tests/model/batch-steps.ts'
import { atPlace, give, pass, SPANS } from '#tests/model/workplace.ts'
import type { Place } from '#tests/model/workplace.ts'
import { startWorker } from './jobs.ts'
import { lookUpNow } from './look-up.ts'
import { countElsewhere } from './open-store.ts'
import { fetchPapers } from './papers.ts'
import { watchParcels } from './parcel-store.ts'
import { lookAtParcels, voidUnused } from './parcels.ts'
import { reconcile } from './reconcile.ts'
import { voidDue, voidMany, voidOne } from './voids.ts'

const labels = async ({
  database,
}: Place): Promise<{ id: number; state: string; account: string | null }[]> =>
  (
    await database.pool.query(
      'select id, state, carrier_account as account from shipment_order order by id',
    )
  ).rows

/** The same house with another account's key; `asked` counts its questions to the carrier. */
function withAnotherKey({ house }: Place): { house: Place['house']; asked: string[] } {
  const asked: string[] = []
  const refuse = (what: string) => async (): Promise<never> => {
    asked.push(what)
    throw new Error('this account knows nothing of it')
  }
  const carrier = {
    ...house.carrier,
    account: 'sandbox:2',
    voidWindowMs: 1_000,
    lookup: refuse('look-up'),
    void: refuse('void'),
    fetchLabel: refuse('file'),
    track: refuse('parcel'),
  }
  return { house: { ...house, carrier }, asked }
}

test('nothing is asked about labels of another account, and it all goes on with the old key', () =>
  atPlace({}, async place => {
    const {
      database,
      people: [ana],
    } = place
    const caller = { userId: ana, role: 'user' as const, sessionId: 0, actorId: null }
    // A crowded machine must not look like a silent carrier.
    place.house.config.carrierTimeoutMs = 5_000
    await give(place, ana, 10_000)
    await order(place, ana, ['', ''])
    await startWorker(place.house).stop()
    const [bought, voiding] = await labels(place)
    place.trouble.carrierIsSilent = true
    await voidMany(place.counter, caller, [voiding!.id])
    await order(place, ana, [''])
    await startWorker(place.house).stop()
    expect((await labels(place)).map(({ state, account }) => [state, account])).toEqual([
      ['purchased', 'sandbox'],
      ['voiding', 'sandbox'],
      ['unknown', 'sandbox'],
    ])
    const tries = await database.pool.query('select distinct account from carrier_call')
    expect(tries.rows).toEqual([{ account: 'sandbox' }])

    const other = withAnotherKey(place)
    await database.tx(async tx => {
      await wantPapers(tx, [bought!.id])
      await watchParcels(tx, [bought!.id], { lookAfterMs: 0, voidAfterMs: 0 })
    })
    await pass(place, SPANS['a lease'])
    expect(await reconcile(other.house)).toEqual({ lookedUp: 0, answered: 0 })
    await voidDue(other.house)
    await fetchPapers(other.house)
    await lookAtParcels(other.house)
    await voidUnused(other.house)
    await expect(lookUpNow(other.house, place.operator, voiding!.id)).rejects.toMatchObject({
      code: 'conflict',
    })
    await expect(voidOne(other.house, caller, bought!.id)).rejects.toMatchObject({
      code: 'unprocessable',
      message: expect.stringContaining('bought with another carrier account') as string,
    })
    expect(await voidMany(other.house, caller, [bought!.id])).toMatchObject([{ void: 'refused' }])
    expect(other.asked).toEqual([])
    expect((await labels(place)).map(({ state }) => state)).toEqual([
      'purchased',
      'voiding',
      'unknown',
    ])
    expect(await walletOf(database.db, ana)).toMatchObject({
      available: 10_000 - 3 * 650,
      held: 650,
    })
    expect(await countElsewhere(database.db, accountsOf(other.house))).toMatchObject([
      { account: 'sandbox', count: 2 },
    ])

    place.trouble.carrierIsSilent = false
    expect(await countElsewhere(database.db, accountsOf(place.house))).toEqual([])
    await reconcile(place.house)
    await lookUpNow(place.house, place.operator, voiding!.id)
    await startWorker(place.house).stop()
    expect((await labels(place)).map(({ state }) => state)).toEqual([
      'purchased',
      'voided',
      'purchased',
    ])
  }))
