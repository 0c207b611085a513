import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { LabelContext } from '#server/orders/context.ts'
import { openPurchasing } from '#server/purchasing/open.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { bulkOrdersOf } from '#tests/support/bulk-orders.ts'
import { findDiscrepancies } from '#tests/support/discrepancies.ts'
import { voidAndWait } from '#tests/support/patient-calls.ts'
import { readPdf } from '#tests/support/read-pdf.ts'
import { rows } from '#tests/support/rows.ts'
import { drawFilesAhead } from './files-ahead.ts'
import { findBatch } from './store.ts'

const app = await testApp()
const ctx: LabelContext = openPurchasing(app.ctx, app.carrier.wrap)
const { seller, submit, bought, finished, progress } = bulkOrdersOf(app)

const batchOf = async (orderId: string) => (await findBatch(app.database.db, Number(orderId)))!
const download = async (by: TestUser, orderId: string): Promise<Buffer> =>
  (
    await app.send({
      url: `/api/orders/download/pdf/${orderId}`,
      headers: { token: by.token },
    })
  ).rawPayload
const voidRow = async (by: TestUser, batchId: string, row: number) => {
  const { id } = await app.database.db
    .selectFrom('shipment_order')
    .select('id')
    .where('batch_id', '=', Number(batchId))
    .where('row_no', '=', row)
    .executeTakeFirstOrThrow()
  return voidAndWait(app, String(id), by.token)
}

test('a label that is voided while others are still being purchased is not in the file', async () => {
  const ana = await seller(10_000)
  const release = app.carrier.hold('purchase', ({ receiver }) => receiver.name === 'Receiver 600')
  const { body } = await submit(ana, rows(600))
  const { orderId } = body
  await expect.poll(async () => (await progress(ana, orderId)).processedCount).toBe(599)
  expect(await voidRow(ana, orderId, 2)).toBe(200)
  release()
  await finished(ana, orderId)
  const pages = await readPdf(await download(ana, orderId))
  expect(pages.map(page => Number(/RECEIVER (\d+)/.exec(page.text)?.[1]))).toEqual(
    rows(600).flatMap((_, index) => (index === 1 ? [] : [index + 1])),
  )
  expect(await findDiscrepancies(app.database)).toEqual([])
})

test('files that were drawn while labels were purchased are the same bytes as files that are written at the end', async () => {
  const ana = await seller(10_000)
  const orderId = await bought(
    ana,
    rows(510, n => (n === 7 ? { ToStreet2: 'SANDBOX REFUSE' } : {})),
  )
  const kept = await app.database.db
    .selectFrom('label_file')
    .select(['kind', 'sha256'])
    .where('batch_id', '=', Number(orderId))
    .execute()
  const drawn = await drawFilesAhead(ctx, await batchOf(orderId)).finish()
  expect(kept.map(({ kind, sha256 }) => [kind, sha256])).toEqual(
    expect.arrayContaining([
      ['pdf', drawn!.pdf!.sha256],
      ['result-csv', drawn!.result.sha256],
    ]),
  )
})

test('files are not used when a label has changed after it was drawn', async () => {
  const ana = await seller(10_000)
  const orderId = await bought(ana, rows(30))
  const { promise: isDrawn, resolve } = Promise.withResolvers<void>()
  const files: LabelContext['files'] = {
    ...ctx.files,
    write: (name, produce) =>
      ctx.files.write(name, sink =>
        produce({
          write(chunk) {
            if (Buffer.from(chunk).includes('Receiver 3')) resolve()
            return sink.write(chunk)
          },
        }),
      ),
  }
  const ahead = drawFilesAhead({ ...ctx, files }, await batchOf(orderId))
  await isDrawn
  expect(await voidRow(ana, orderId, 2)).toBe(200)
  expect(await ahead.finish()).toBeNull()
})

test('files that are discarded leave those of the order as they are, and nothing behind', async () => {
  const ana = await seller(10_000)
  const orderId = await bought(ana, rows(3))
  const before = await download(ana, orderId)
  const ahead = drawFilesAhead(ctx, await batchOf(orderId))
  ahead.advance()
  await ahead.discard()
  expect(await ahead.finish()).toBeNull()
  expect(await download(ana, orderId)).toEqual(before)
  const names = await readdir(join(app.ctx.config.dataDir, 'files'), { recursive: true })
  expect(names.filter(name => name.endsWith('.part'))).toEqual([])
})
