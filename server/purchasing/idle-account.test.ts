import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { SaleScope } from '#server/carriers/source-rules.ts'
import { submitBatch } from '#tests/model/batch-steps.ts'
import { setCustomerBalance, withSimulation } from '#tests/model/simulation.ts'
import type { Simulation } from '#tests/model/simulation.ts'
import { copyRow } from '#tests/support/copied-rows.ts'
import { claimQueued } from './claim-store.ts'

const BACKUP = 'shipengine:se-1'
const WAITING = 2_000

/** What the account claims, and how many rows of orders it read for that. */
const claimAs = ({ database }: Simulation, scope: SaleScope) =>
  database.tx(async tx => {
    const readSoFar = async (): Promise<number> => {
      const { rows } = await sql<{ read: number }>`
        select seq_tup_read + coalesce(idx_tup_fetch, 0) as read from pg_stat_xact_user_tables
          where relname = 'shipment_order'`.execute(tx)
      return rows[0]!.read
    }
    const before = await readSoFar()
    const { claims } = await claimQueued(tx, { names: [BACKUP], scope }, 10, 60_000, 0)
    return { ids: claims.map(({ id }) => id), read: (await readSoFar()) - before }
  })

test('an account that sells nothing now reads none of the labels that wait for another, and claims what is tied to it', () =>
  withSimulation({}, async simulation => {
    const { database, customerIds } = simulation
    await setCustomerBalance(simulation, customerIds[0], 100_000)
    await submitBatch(simulation, customerIds[0], [''])
    const alone = `'batch_id', null, 'row_no', null`
    await copyRow(database, 'shipment_order', `state = 'queued'`, WAITING, alone)
    await database.owner.pool.query('analyze shipment_order')

    const nothing = { all: false, listed: [] }
    const idle = await claimAs(simulation, nothing)
    expect(idle.ids).toEqual([])
    expect(idle.read).toBeLessThan(20)
    // An account that sells another service has to look for it.
    const other = await claimAs(simulation, { all: false, listed: ['usps:NONE'] })
    expect(other.ids).toEqual([])
    expect(other.read).toBeGreaterThan(WAITING)

    const { rows } = await database.pool.query<{ id: number; account: string }>(
      `update shipment_order set answer_missing_at = now(), carrier_account = case id % 2 when 0 then '${BACKUP}' else 'easypost:a' end
        where id in (select id from shipment_order order by id desc limit 2) returning id, carrier_account as account`,
    )
    const { ids, read } = await claimAs(simulation, nothing)
    expect(ids).toEqual(rows.filter(({ account }) => account === BACKUP).map(({ id }) => id))
    expect(read).toBeLessThan(20)
  }))
