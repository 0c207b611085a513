import { expect, test } from 'vitest'
import { LAST_MIGRATION_ALONE } from '#server/platform/database/apply-migration.ts'
import { readMigrations } from '#server/platform/database/migrate.ts'
import { findMigrationFaults } from '#tests/support/migration-forms.ts'

test('every new migration may be applied while orders come in and the version before still works', async () => {
  const checked = (await readMigrations()).filter(({ number }) => number > LAST_MIGRATION_ALONE)
  expect(checked.flatMap(findMigrationFaults)).toEqual([])
})

const faultsOf = (sql: string): string[] =>
  findMigrationFaults({ number: 60, name: '0060_x.sql', sql })

test.each([
  ['a nullable column', 'alter table shipment_order add column note text'],
  [
    'a column with a default',
    "alter table shipment_order add column note text not null default 'a, b'",
  ],
  [
    'a check for new rows',
    'alter table shipment_order add constraint c check (length(note) < 9) not valid',
  ],
  ['a check that is proved afterwards', 'alter table shipment_order validate constraint c'],
  [
    'a check that accepts more, as a new one',
    'alter table account drop constraint k; alter table account add constraint k check (true) not valid',
  ],
  [
    'an index that is built beside orders',
    '-- Why.\ncreate index concurrently i on shipment_order (note)',
  ],
  [
    'a new table with keys, indexes and rows',
    'create table gift (id bigint references shipment_order, a int); create index i on gift (a); insert into gift values (1)',
  ],
  [
    'a table that takes the place of another, which becomes a part of it',
    'alter table parcel_event rename to old; create table parcel_event (like old) partition by range (at)',
  ],
  [
    'a trigger that moves to another table',
    'drop trigger t on sku; create trigger t before update on sku for each row execute function f()',
  ],
  [
    'a column that no program has used since an earlier version',
    '-- Oldest program: 0058\nalter table shipment_order drop column note',
  ],
])('allowed: %s', (_, sql) => {
  expect(faultsOf(sql)).toEqual([])
})

test.each([
  ['an index that locks the table', 'create index i on shipment_order (note)', 'CONCURRENTLY'],
  [
    'an index among other statements',
    'create index concurrently i on shipment_order (note); select 1',
    'alone in its file',
  ],
  [
    'a check of all rows',
    'alter table shipment_order add constraint c check (note is null)',
    'NOT VALID',
  ],
  [
    'a foreign key of all rows',
    'alter table transfer add constraint f foreign key (a) references b',
    'NOT VALID',
  ],
  [
    'a foreign key within a column',
    'alter table transfer add column b bigint references b',
    'constraint of its own',
  ],
  [
    'a check within a column',
    'alter table transfer add column b bigint check (b > 0)',
    'constraint of its own',
  ],
  ['a key of all rows', 'alter table transfer add constraint u unique (a)', 'USING INDEX'],
  [
    'a check added and proved under one lock',
    'alter table transfer add constraint c check (true) not valid; alter table transfer validate constraint c',
    'alone in its file',
  ],
  ['another type', 'alter table transfer alter column cents type numeric', 'keeps its type'],
  [
    'a value for each row',
    'alter table transfer add column key uuid default gen_random_uuid()',
    'fill it in a job',
  ],
  ['all rows written', 'update shipment_order set note = null', 'by a job'],
  ['all rows read', 'insert into gift select id from shipment_order', 'by a job'],
  [
    'two tables at once',
    'alter table transfer add column a int; alter table account add column a int',
    'one table',
  ],
  [
    'a reference of an old table to labels, which may be in the archive',
    'alter table sku add constraint f foreign key (order_id) references shipment_order(id) not valid',
    'require_orders',
  ],
  ['a lock', 'lock table transfer in access exclusive mode', 'LOCK'],
  ['a column gone', 'alter table shipment_order drop column note', 'since an earlier version'],
  ['a table gone', 'drop table sku', 'since an earlier version'],
  ['an index gone', 'drop index order_queue', 'since an earlier version'],
  ['a table under a new name', 'alter table sku rename to goods', 'two versions later'],
  ['a new name', 'alter table sku rename column a to b', 'two versions later'],
  ['a value demanded of old programs', 'alter table sku add column a int not null', 'default'],
  ['a value demanded later', 'alter table sku alter column a set not null', 'default'],
  ['a unique key', 'create unique index concurrently i on sku (a)', 'unique key'],
  [
    'an end of support that leaves no version before',
    '-- Oldest program: 0060\ndrop table sku',
    'two versions can work at once',
  ],
])('refused: %s', (_, sql, remedy) => {
  expect(faultsOf(sql).join('\n')).toContain(remedy)
})

test('the rules find what the migrations before them did', async () => {
  const earlier = (await readMigrations()).filter(({ number }) => number <= LAST_MIGRATION_ALONE)
  const faulty = earlier.filter(one => findMigrationFaults(one).length > 0).map(({ name }) => name)
  expect(faulty).toEqual(
    expect.arrayContaining([
      '0026_orders_by_service.sql',
      '0037_scan_forms.sql',
      '0038_adjustments.sql',
    ]),
  )
  expect(faulty).not.toContain('0042_delayed_refunds.sql')
})
