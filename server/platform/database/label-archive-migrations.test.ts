/** Changes of labels by migrations reach the archive. */
import { expect, test } from 'vitest'
import {
  addLabel,
  archiveOldLabels,
  keep,
  MONTHS,
  openInstallation,
  placesOf,
  refusalOf,
} from '#tests/support/label-archive.ts'
import { putLabelArchive } from './label-archive.ts'

test('what later migrations add reaches the archive as well', async () => {
  const { database, userId } = await openInstallation()
  const { owner } = database
  const id = await addLabel(database, userId)
  await archiveOldLabels(database)
  await owner.pool.query(`
    alter table shipment_order add column note text;
    alter table shipment_order add constraint order_note check (length(note) < 9) not valid;
    alter table shipment_order validate constraint order_note;
    create table gift (order_id bigint references shipment_order(id));
    create function refuse_note() returns trigger language plpgsql as $$ begin
      raise exception 'no' using errcode = 'restrict_violation'; end $$;
    create trigger refuse_note before update of note on shipment_order for each row
      when (new.note not in ('a', 'b')) execute function refuse_note()`)
  await owner.pool.query('create index concurrently order_of_note on shipment_order (note)')
  await putLabelArchive(owner.pool, MONTHS)
  expect(await keep(database.pool)).toEqual([])
  await owner.pool.query(`insert into gift values (${id}); update shipment_order set note = 'a'`)
  expect(await refusalOf(owner.pool, `update shipment_order set note = 'c'`)).toBe('23001')
  expect(await refusalOf(owner.pool, 'insert into gift values (999999)')).toBe('23503')
  const { rows } = await owner.pool.query(
    `select note, (select indisvalid from pg_index where indexrelid = to_regclass('archive_order_of_note')) as "isIndexed"
      from shipment_order_archive`,
  )
  expect(rows).toEqual([{ note: 'a', isIndexed: true }])
  const second = await addLabel(database, userId)
  await keep(database.pool)
  expect((await placesOf(database)).archived).toEqual([id, second])
})

test('what later migrations change or drop is changed and dropped in the archive as well', async () => {
  const { database, userId } = await openInstallation()
  const { owner } = database
  const first = await addLabel(database, userId)
  await archiveOldLabels(database)
  await owner.pool.query(`
    alter table shipment_order add constraint order_price check (price_cents >= -1) not valid;
    alter table shipment_order drop constraint shipment_order_price_cents_check;
    alter table shipment_order drop constraint shipment_order_signature;
    alter table shipment_order drop column saturday;
    alter table shipment_order alter column service_uid drop not null;
    alter table shipment_order drop constraint shipment_order_replaced_by_fkey;
    drop trigger refuse_order_transition on shipment_order`)
  await owner.pool.query('drop index order_label_of_service')
  await owner.pool.query('create index order_label_of_service on shipment_order (service_uid)')
  await owner.pool.query('drop index order_replaced')
  await putLabelArchive(owner.pool, MONTHS)
  const second = await addLabel(database, userId)
  await owner.pool.query(`update shipment_order set service_uid = null where id = ${second}`)
  await keep(database.pool)
  expect((await placesOf(database)).archived).toEqual([first, second])
  const { rows } = await owner.pool.query<{ name: string }>(`
    select conname::text as name from pg_constraint where conrelid = 'shipment_order_archive'::regclass
    union all select tgname from pg_trigger where tgrelid = 'shipment_order_archive'::regclass
    union all select pg_get_indexdef(indexrelid) from pg_index where indrelid = 'shipment_order_archive'::regclass`)
  const names = rows.map(({ name }) => name)
  expect(names).toContain(
    'CREATE INDEX archive_order_label_of_service ON public.shipment_order_archive USING btree (service_uid)',
  )
  expect(names).toContain('order_price')
  expect(
    names.filter(name =>
      /^(refuse_order_transition|shipment_order_signature)$|replaced/.test(name),
    ),
  ).toEqual([])
})

test('neither the table of labels nor the archive can be emptied', async () => {
  const { database } = await openInstallation()
  const { owner } = database
  await putLabelArchive(owner.pool, MONTHS)
  for (const table of ['shipment_order', 'shipment_order_archive'])
    expect(await refusalOf(owner.pool, `truncate ${table} cascade`)).toBe('23001')
})
