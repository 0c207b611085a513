import { cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { selectConfirmRows } from '#server/orders/service.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { cloneDatabase } from '#tests/support/database.ts'
import { findSeen } from './seen.ts'
import { describeBatches, listEditableRows } from './service.ts'

const MIGRATIONS = join(import.meta.dirname, '..', 'migrations')
/** The last one of a version whose rows had no items. */
const LAST_OLD = '0021_guards.sql'

test('bulk orders of an earlier version keep what they have: no file, no items, and their labels are seen', async () => {
  const { database, drop } = await cloneDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'evenpost-upgrade-'))
  try {
    for (const part of ['migrations', 'schema/functions', 'schema/triggers'])
      await mkdir(join(folder, part), { recursive: true })
    for (const name of await readdir(MIGRATIONS))
      if (name <= LAST_OLD) await cp(join(MIGRATIONS, name), join(folder, 'migrations', name))
    const { pool, db } = database.owner
    await pool.query('drop schema public cascade; create schema public')
    await migrate(pool, { folder })
    await pool.query(`
      insert into app_user (name, email, email_key, password_hash, referral_code) values ('ana', 'a', 'a', '-', 'a');
      insert into batch (user_id, status, accepted_at, total_count, cost_cents) values (1, 'completed_with_errors', now(), 2, 1300);
      insert into shipment_order (user_id, batch_id, row_no, state, service_uid, service_name, price_cents, sender, receiver, package,
          order_ref, item_ref, tracking_number, purchased_at)
        select 1, 1, n, case n when 1 then 'purchased' else 'failed' end, 'usps:GROUND_ADVANTAGE', 'USPS Ground Advantage', 650,
          '{"name": "Ana"}', '{"name": "Ben"}', '{"quantity": "2", "sku": "TEE"}', '#Ab-' || n, '4' || n,
          case n when 1 then '9800' end, case n when 1 then now() end from generate_series(1, 2) n;
      insert into order_list_entry (user_id, position, order_id, placed_at, reference, search_words)
        select 1, row_no, id, now(), lower(order_ref), '' from shipment_order`)
    await migrate(pool)

    const [batch] = await describeBatches(db, [1], 1)
    expect(batch).toMatchObject({
      batch: { fileName: null, source: null },
      outcome: { voided: 0, finalCost: 650 },
    })
    expect(await listEditableRows(db, 1, 0, 10)).toEqual([
      expect.not.objectContaining({ items: expect.anything() }),
    ])
    expect(await selectConfirmRows(db, 1, 0, 10)).toMatchObject([
      { rowNo: 1, items: null, itemRef: '41', quantity: '2', trackingNumber: '9800' },
      { rowNo: 2, items: null },
    ])
    const keys = ['41', '42'].map((itemRef, n) => ({
      row: n + 1,
      reference: `ab-${n + 1}`,
      itemRef,
    }))
    expect((await findSeen(db, 1, { keys, fileHash: null })).rows).toMatchObject([
      { row: 1, trackingNumber: '9800' },
    ])
  } finally {
    await drop()
    await rm(folder, { recursive: true, force: true })
  }
})
