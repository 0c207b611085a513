import { expect, test } from 'vitest'
import { keepLabelArchive, putLabelArchive } from '#server/platform/database/label-archive.ts'
import { testDatabase } from '#tests/support/database.ts'
import { checkLabelArchive } from './label-archive-check.ts'

const { pool, owner } = await testDatabase()

test('the doctor says whether labels move to the archive, and that the setting is in force', async () => {
  expect(await checkLabelArchive(pool, { labelArchiveMonths: undefined })).toEqual({
    isOk: true,
    text: 'Archive of labels: off',
  })
  const on = { labelArchiveMonths: 24 }
  expect(await checkLabelArchive(pool, on)).toMatchObject({
    isOk: false,
    text: expect.stringContaining(
      'moves no labels to it, and LABEL_ARCHIVE_MONTHS says labels that were',
    ),
  })
  await owner.pool.query('insert into label_archive (months) values (24)')
  expect(await checkLabelArchive(pool, on)).toMatchObject({
    isOk: false,
    text: expect.stringContaining('no worker has made it yet'),
  })
  await putLabelArchive(owner.pool, 24)
  await owner.pool.query(`update label_archive set set_at = now() - interval '2 days'`)
  expect(await checkLabelArchive(pool, on)).toMatchObject({
    isOk: false,
    text: expect.stringContaining('for more than a day no worker has come to the end'),
  })
  await owner.pool.query(
    `insert into audit_entry (action, created_at) values ('login', now() - interval '20 days')`,
  )
  await keepLabelArchive(pool, { say() {}, isStopped: () => false })
  expect(await checkLabelArchive(pool, on)).toEqual({
    isOk: true,
    text: 'Archive of labels: labels that were finished 24 months ago move to it; it has about 0 labels',
  })
  expect(await checkLabelArchive(pool, { labelArchiveMonths: undefined })).toMatchObject({
    isOk: false,
  })
})
