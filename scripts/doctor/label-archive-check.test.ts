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
  await putLabelArchive(owner.pool, 24)
  expect(await checkLabelArchive(pool, on)).toMatchObject({
    isOk: false,
    text: expect.stringContaining('no worker has made it yet'),
  })
  await keepLabelArchive(pool, { say() {}, isStopped: () => false })
  expect(await checkLabelArchive(pool, on)).toEqual({
    isOk: true,
    text: 'Archive of labels: labels that were finished 24 months ago move to it; it has about 0 labels',
  })
  expect(await checkLabelArchive(pool, { labelArchiveMonths: undefined })).toMatchObject({
    isOk: false,
  })
})
