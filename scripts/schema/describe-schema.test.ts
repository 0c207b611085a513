import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testDatabase } from '#tests/support/database.ts'
import { ROOT } from '../command.ts'
import { describeSchema, SCHEMA_FILE } from './describe-schema.ts'

const {
  owner: { pool },
} = await testDatabase()

test('server/schema/schema.sql shows the database as the migrations make it', async () => {
  const snapshot = (await readFile(join(ROOT, SCHEMA_FILE), 'utf8')).replaceAll('\r\n', '\n')
  expect(
    await describeSchema(pool),
    `${SCHEMA_FILE} is out of date: write it again with npm run schema, and review the difference`,
  ).toBe(snapshot)
})

test('a column, a constraint, an index, a trigger and a function each change the snapshot', async () => {
  const former = await describeSchema(pool)
  for (const [change, undo] of [
    ['alter table sku add column colour text', 'alter table sku drop column colour'],
    [
      `alter table sku add constraint sku_named check (sku <> '')`,
      'alter table sku drop constraint sku_named',
    ],
    ['create index sku_by_weight on sku (weight_lb)', 'drop index sku_by_weight'],
    [
      'create trigger sku_immutable before update on sku for each row execute function refuse_change()',
      'drop trigger sku_immutable on sku',
    ],
    [`create function answer() returns int language sql as 'select 42'`, 'drop function answer()'],
    ['alter table sku set (fillfactor = 60)', 'alter table sku reset (fillfactor)'],
    ['create sequence serial', 'drop sequence serial'],
  ]) {
    await pool.query(change!)
    expect(await describeSchema(pool), change).not.toBe(former)
    await pool.query(undo!)
    expect(await describeSchema(pool), undo).toBe(former)
  }
})
