import { expect, test } from 'vitest'
import {
  addLabel,
  archiveOldLabels,
  keep,
  MONTHS,
  openInstallation,
  placesOf,
  refusalOf,
  turnOn,
  write,
} from '#tests/support/label-archive.ts'
import { newUser } from '#tests/support/users.ts'
import { keepLabelArchive, putLabelArchive, readLabelArchive } from './label-archive.ts'

const OPEN: [string, { months?: number; changes?: string; rows?: string }][] = [
  ['was purchased a year ago', { months: 12 }],
  [
    'failed and can be bought again',
    { changes: `state = 'failed', tracking_number = null, purchased_at = null` },
  ],
  [
    'has an unknown outcome',
    { changes: `state = 'unknown', tracking_number = null, purchased_at = null` },
  ],
  ['is being voided', { changes: `state = 'voiding', void_requested_at = now()` }],
  [
    'was voided only now',
    { changes: `state = 'voided', void_requested_at = created_at, voided_at = now()` },
  ],
  ['has a void that was refused only now', { changes: 'void_requested_at = now()' }],
  ['was bought long after its order', { changes: 'purchased_at = now()' }],
  [
    'has a file that the carrier has not made',
    { rows: 'insert into carrier_label_file (order_id) values ($1)' },
  ],
  [
    'is looked up after a restore',
    { rows: 'insert into bought_before_restore (order_id) values ($1)' },
  ],
  [
    'is voided when it stays unused',
    {
      rows: `insert into parcel_tracking (order_id, user_id, auto_void_at)
        select id, user_id, now() + interval '1 day' from shipment_order where id = $1`,
    },
  ],
  [
    'has a correction in dispute',
    {
      rows: `insert into carrier_adjustment (line_key, file_name, carrier, tracking_number, amount_cents, line_cents, is_total, reason,
          declared, measured, order_id, user_id, passed_cents, dispute, disputed_at, applied_by)
        select 'l', 'f', 'usps', tracking_number, 1, 1, false, '', '{}', '{}', id, user_id, 1, 'No', now(), user_id
          from shipment_order where id = $1`,
    },
  ],
  [
    'is on a SCAN form that is being made',
    {
      rows: `with form as (insert into scan_form (user_id, sender, day, services, labels, carrier_account, requested_by)
          select user_id, '{}', current_date, '[]', 1, 'usps', user_id from shipment_order where id = $1 returning id)
        update shipment_order set scan_form_id = form.id from form where shipment_order.id = $1`,
    },
  ],
]

test('finished labels older than the retention move, and those of which something is open stay', async () => {
  const { database, userId } = await openInstallation()
  const finished = [
    await addLabel(database, userId),
    await addLabel(database, userId, {
      changes: `state = 'voided', void_requested_at = created_at, voided_at = created_at`,
    }),
  ]
  const open: number[] = []
  for (const [, { rows, ...label }] of OPEN) {
    const id = await addLabel(database, userId, label)
    if (rows) await database.owner.pool.query(rows, [id])
    open.push(id)
  }
  finished.push(await addLabel(database, userId))
  expect(await keep(database.pool)).toEqual([])
  await putLabelArchive(database.owner.pool, MONTHS)
  expect(await keep(database.pool)).toEqual(['archived 3 labels'])
  expect(await placesOf(database)).toEqual({ archived: finished, others: open })
  expect(await readLabelArchive(database.pool)).toMatchObject({
    months: MONTHS,
    isThere: true,
    isWorking: true,
  })
})

test.each(OPEN.map(([what], n) => [what, n] as const))(
  'a label that %s moves once that is over',
  async (_, n) => {
    const { database, userId } = await openInstallation()
    const { rows, ...label } = OPEN[n]![1]
    const id = await addLabel(database, userId, label)
    if (rows) await database.owner.pool.query(rows, [id])
    await putLabelArchive(database.owner.pool, MONTHS)
    await keep(database.pool)
    expect((await placesOf(database)).archived).toEqual([])
    await database.owner.pool.query(`
      update carrier_label_file set state = 'unavailable'; delete from bought_before_restore; delete from parcel_tracking;
      update carrier_adjustment set answered_at = now(); update scan_form set state = 'failed'`)
    await write(
      database.owner.pool,
      `update shipment_order set state = 'purchased', tracking_number = 'T0', purchased_at = now() - interval '14 months',
        created_at = now() - interval '14 months', void_requested_at = null, voided_at = null`,
    )
    // The next pass begins a week after this one.
    await keep(database.pool)
    await database.owner.pool.query(
      `update label_archive set pass_began_at = now() - interval '8 days'`,
    )
    await keep(database.pool)
    expect((await placesOf(database)).archived).toEqual([id])
  },
)

test('nothing moves where the database’s clock may have jumped ahead', async () => {
  const { database, userId } = await openInstallation()
  const id = await addLabel(database, userId)
  await putLabelArchive(database.owner.pool, MONTHS)
  await database.owner.pool.query(`alter table audit_entry disable trigger user;
    update audit_entry set created_at = now() - interval '2 years'; alter table audit_entry enable trigger user;
    update label_archive set set_at = now() - interval '2 years'`)
  await keep(database.pool)
  expect(await placesOf(database)).toEqual({ archived: [], others: [id] })
  // Also after a stop of months, in which case no worker is missing.
  expect(await readLabelArchive(database.pool)).toMatchObject({ isWorking: true })
})

test('while a label is locked, the others move', async () => {
  const { database, userId } = await openInstallation()
  const { owner } = database
  await archiveOldLabels(database)
  const {
    rows: [batch],
  } = await owner.pool.query<{ id: number }>(
    `insert into batch (user_id) values ($1) returning id`,
    [userId],
  )
  const held = [
    await addLabel(database, userId, { changes: `batch_id = ${batch!.id}, row_no = 1` }),
    await addLabel(database, await newUser(database, 'bo')),
    await addLabel(database, userId),
  ]
  const free = await addLabel(database, userId)
  const working = await owner.pool.connect()
  await working.query(`begin; select from batch for update; select from app_user where name = 'bo' for update;
    select from shipment_order where id = ${held[2]} for update`)
  await keep(database.pool)
  await working.query('rollback')
  working.release()
  expect(await placesOf(database)).toEqual({ archived: [free], others: held })
})

test('a label in the archive cannot be deleted, and none is in both tables', async () => {
  const { database, userId } = await openInstallation()
  const { owner } = database
  const id = await addLabel(database, userId)
  const young = await addLabel(database, userId, { months: 1 })
  await archiveOldLabels(database)
  for (const statement of [
    `delete from shipment_order where id = ${id}`,
    `delete from shipment_order_archive`,
    `delete from shipment_order where id = ${young}`,
    // A copy that differs in anything is not the same label.
    `insert into shipment_order_archive select * from only shipment_order;
      update only shipment_order set cost_cents = 1; delete from only shipment_order`,
  ])
    expect(await refusalOf(owner.pool, statement), statement).toBe('23001')
  expect(
    await refusalOf(
      owner.pool,
      'insert into shipment_order_archive select * from only shipment_order',
    ),
  ).toBe('23505')
  expect(
    await refusalOf(
      owner.pool,
      `insert into shipment_order_archive select * from only shipment_order;
        update shipment_order_archive set state = 'failed', tracking_number = null where id = ${young}`,
    ),
  ).toBe('23514')
  expect(await placesOf(database)).toEqual({ archived: [id], others: [young] })
})

test.each([
  'update label_archive set months = 13',
  'insert into label_archive (months) values (13)',
  'delete from label_archive',
  'delete from shipment_order',
  'delete from only shipment_order',
  'delete from shipment_order_archive',
  'insert into shipment_order_archive select * from only shipment_order',
  'update shipment_order_archive set price_cents = 0',
  'alter table shipment_order_archive no inherit shipment_order',
  'drop table shipment_order_archive',
])(
  'the server’s database user cannot change the setting, the archive or what is in it: %s',
  async statement => {
    const { database } = await openInstallation()
    await putLabelArchive(database.owner.pool, MONTHS)
    await keep(database.pool)
    expect(await refusalOf(database.pool, statement)).toBe('42501')
  },
)

test('less than 13 months cannot be set; without the variable nothing moves any more, and what has moved stays', async () => {
  const { database, userId } = await openInstallation()
  const { owner } = database
  await expect(putLabelArchive(owner.pool, 12)).rejects.toThrow('label_archive_months_check')
  const first = await addLabel(database, userId)
  await putLabelArchive(owner.pool, 24)
  await keep(database.pool)
  await archiveOldLabels(database)
  await putLabelArchive(owner.pool, undefined)
  const second = await addLabel(database, userId)
  await keep(database.pool)
  expect(await placesOf(database)).toEqual({ archived: [first], others: [second] })
  expect(await readLabelArchive(database.pool)).toMatchObject({ months: null, isThere: true })
  await archiveOldLabels(database)
  expect((await placesOf(database)).archived).toEqual([first, second])
})

test('a process that dies while it moves labels leaves each of them once', async () => {
  const { database, userId } = await openInstallation()
  const { owner } = database
  const ids = [await addLabel(database, userId), await addLabel(database, userId)]
  await turnOn(database)
  const dying = await owner.pool.connect()
  dying.on('error', () => {})
  for (let step: string | null = ''; step !== null;) {
    // Dies once in each step, before it is committed.
    const killed = await owner.pool.connect()
    killed.on('error', () => {})
    await killed.query('begin; select prepare_label_archive()')
    await owner.pool.query(`select pg_terminate_backend(pid, 10000) from pg_stat_activity
      where state = 'idle in transaction' and datname = current_database()`)
    killed.release(true)
    step = (
      await owner.pool.query<{ done: string | null }>('select prepare_label_archive() as done')
    ).rows[0]!.done
  }
  await dying.query('begin; select archive_labels(1000)')
  expect((await placesOf(database)).others).toEqual(ids)
  await owner.pool.query(`select pg_terminate_backend(pid, 10000) from pg_stat_activity
    where state = 'idle in transaction' and datname = current_database()`)
  dying.release(true)
  expect(await placesOf(database)).toEqual({ archived: [], others: ids })
  await keep(database.pool)
  expect(await placesOf(database)).toEqual({ archived: ids, others: [] })
})

test('several processes that turn the archive on and move labels at once move each label once', async () => {
  const { database, userId } = await openInstallation()
  const ids: number[] = []
  for (let n = 0; n < 50; n++) ids.push(await addLabel(database, userId))
  await Promise.all([1, 2, 3].map(() => putLabelArchive(database.owner.pool, MONTHS)))
  await Promise.all([1, 2, 3, 4].map(() => keep(database.pool)))
  await keep(database.pool)
  expect(await placesOf(database)).toEqual({ archived: ids, others: [] })
})

test('what refers to a label that does not exist is refused, and a label in the archive exists', async () => {
  const { database, userId } = await openInstallation()
  const { owner } = database
  const id = await addLabel(database, userId)
  const young = await addLabel(database, userId, { months: 1 })
  await archiveOldLabels(database)
  const { rows } = await owner.pool.query(
    `select from pg_constraint where confrelid = 'shipment_order'::regclass and contype = 'f'`,
  )
  expect(rows).toEqual([])
  const statements: ((id: number) => string)[] = [
    of => `insert into api_refund (user_id, order_id) values (${userId}, ${of})`,
    of => `insert into bought_before_restore (order_id) values (${of})`,
    of => `insert into carrier_label_file (order_id) values (${of})`,
    of =>
      `insert into order_request (user_id, key, body_hash, order_id) values (${userId}, 'k${of}', '', ${of})`,
    of =>
      `insert into parcel_event (order_id, at, status, text, place) values (${of}, now(), 'in_transit', 'Arrived', '')`,
    of =>
      `insert into receiver_mail (order_id, kind, user_id) values (${of}, 'delivered', ${userId})`,
    of => `insert into postage_loss (order_id, round, account, outcome, price_cents, cost_cents)
      values (${of}, 1, 'usps', 'bought', 1, 2)`,
    of => `update bought_before_restore set order_id = ${of} where order_id = ${young}`,
  ]
  for (const statement of statements) {
    expect(await refusalOf(owner.pool, statement(999_999)), statement(999_999)).toBe('23503')
    for (const of of [id, young])
      if (!statement(of).startsWith('update') || of === young) await owner.pool.query(statement(of))
  }
})

test('orders go on while another connection keeps the archive from being turned on', async () => {
  const { database, userId } = await openInstallation()
  const { owner } = database
  await turnOn(database)
  const dump = await owner.pool.connect()
  await dump.query('begin; lock table order_request in access share mode')
  let stops = 0
  // Gives up after the first step that got no lock.
  const done: string[] = []
  await keepLabelArchive(database.pool, {
    say: step => done.push(step),
    isStopped: () => ++stops > 12,
  })
  await addLabel(database, userId, { months: 1 })
  await dump.query('rollback')
  dump.release()
  expect(done).not.toContain('replaced order_request_order_id_fkey')
  expect(await keep(database.pool)).toContain('replaced order_request_order_id_fkey')
})
