/** Downloads of labels that are drawn here, over HTTP. */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { isTerminal } from '#contract/batch-status.ts'
import { batchStatus, initBatch, processBatch } from '#contract/batches.ts'
import { downloadFile, LABEL_FORMATS, downloadTestPage } from '#contract/downloads.ts'
import { listOrders, placeOrder } from '#contract/orders.ts'
import type { BulkRow } from '#contract/rows.ts'
import { injectOptionsFor, testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { voidAndWait } from '#tests/support/patient-calls.ts'
import { readPdf } from '#tests/support/read-pdf.ts'
import { rows, singleOrderBody } from '#tests/support/rows.ts'

const app = await testApp()
const ana = await app.register('Ana')
await app.creditDollars(ana.user._id, 1_000)
const stranger = await app.register('Stranger')

type PrintQuery = { format?: string; rows?: string; first?: number }
const file = (kind: string, name: string, query: PrintQuery = {}, { token } = ana) =>
  app.send({
    ...injectOptionsFor(downloadFile, { params: { kind, name }, query }),
    headers: { token },
  })
const headOf = (kind: string, name: string, query: PrintQuery) =>
  app.send({
    ...injectOptionsFor(downloadFile, { params: { kind, name }, query }),
    method: 'HEAD',
    headers: { token: ana.token },
  })
const messageOf = ({ body }: { body: string }): string =>
  (JSON.parse(body) as { message: string }).message

async function bought(orderData: BulkRow[]): Promise<string> {
  const {
    body: { orderId },
  } = await app.call(initBatch, { body: { userId: ana.user._id } }, ana.token)
  const { status, body } = await app.call(
    processBatch,
    { params: { userId: ana.user._id }, body: { orderId, orderData } },
    ana.token,
  )
  expect(status, body.message).toBe(202)
  const over = async () =>
    isTerminal((await app.call(batchStatus, { params: { orderId } }, ana.token)).body.status)
  // Also called in a hook, where expect.poll is not allowed.
  await vi.waitFor(async () => expect(await over()).toBe(true), { timeout: 300_000 })
  return orderId
}
const labelsOf = async (batchId: string) =>
  (
    await app.call(listOrders, { params: { userId: ana.user._id }, query: {} }, ana.token)
  ).body.orders
    .filter(order => order.batch_id === batchId)
    .toSorted((a, b) => a.row! - b.row!)
/** 'n/total' in the margin of each page or half page. */
const numbersIn = async (pdf: Buffer): Promise<string[]> =>
  (await readPdf(pdf)).flatMap(({ text }) =>
    Array.from(text.matchAll(/(\d+\/\d+)(?= ·|\s*$)/gm), ([, number]) => number!),
  )

const {
  body: { data: single },
} = await app.call(placeOrder, { body: singleOrderBody(ana.user._id) }, ana.token)
let batch = ''
beforeAll(async () => {
  batch = await bought(
    rows(6, n => (n === 4 ? { ToStreet2: 'SANDBOX REFUSE' } : { orderId: `ORDER-${n}` })),
  )
})

test('a single label is available in every format, under its own name', async () => {
  const name = single.pdfName!
  const stem = name.replace('.pdf', '')
  const usual = await file('v2', name)
  expect((await file('v2', name, { format: 'pdf' })).rawPayload.equals(usual.rawPayload)).toBe(true)
  const wanted: [PrintQuery, string, string, string][] = [
    [{ format: 'pdf' }, 'application/pdf', 'inline', name],
    [{ format: 'letter' }, 'application/pdf', 'inline', `${stem}-letter.pdf`],
    [{ format: 'letter', first: 2 }, 'application/pdf', 'inline', `${stem}-letter.pdf`],
    [{ format: 'zpl' }, 'application/zpl', 'attachment', `${stem}.zpl`],
    [{ format: 'png' }, 'image/png', 'inline', `${stem}.png`],
  ]
  for (const [query, type, how, called] of wanted) {
    const { statusCode, headers, rawPayload } = await file('v2', name, query)
    expect([
      statusCode,
      headers['content-type'],
      headers['content-disposition'],
      headers['content-length'],
    ]).toEqual([200, type, `${how}; filename="${called}"`, String(rawPayload.length)])
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; sandbox",
    })
    expect(called).toMatch(/^SAMPLE-/)
  }
  const sheet = async (first: number) =>
    (await readPdf((await file('v2', name, { format: 'letter', first })).rawPayload))[0]!
  const [upper, lower] = [await sheet(1), await sheet(2)]
  expect([upper.width, upper.height, upper.text, (await upper.barcode())?.text]).toEqual([
    612,
    792,
    lower.text,
    (await lower.barcode())?.text,
  ])
  expect((await file('v2', name, { format: 'zpl' })).body).toMatch(/^\^XA[^]*SAMPLE[^]*\^XZ\n$/)
})

test('a format that does not exist is refused', async () => {
  for (const query of [{ format: 'csv' }, { format: 'txt' }, { rows: '1' }]) {
    const refused = await file('v2', single.pdfName!, query)
    expect([query, refused.statusCode]).toEqual([query, 422])
  }
  expect(messageOf(await file('v2', single.pdfName!, { format: 'csv' }))).toBe(
    'Labels are available as 4x6 PDF, on Letter sheets, as ZPL and, one at a time, as PNG.',
  )
  const odd = await file('v2', single.pdfName!, { format: 'letter', first: 3 })
  expect([odd.statusCode, messageOf(odd)]).toEqual([400, 'first must be 1 or 2, not 3'])
})

test('a bulk order is available on Letter sheets, as ZPL, or as selected rows, in the order of its table', async () => {
  const all = ['1/6', '2/6', '3/6', '5/6', '6/6']
  const usual = await file('pdf', batch)
  expect(await numbersIn(usual.rawPayload)).toEqual(all)
  const stem = /filename="(SAMPLE-batch-.*)\.pdf"/.exec(
    String(usual.headers['content-disposition']),
  )![1]!

  const letter = await file('pdf', batch, { format: 'letter', first: 2 })
  expect(letter.headers['content-disposition']).toBe(`inline; filename="${stem}-letter.pdf"`)
  expect((await readPdf(letter.rawPayload)).map(({ height }) => height)).toEqual([792, 792, 792])
  expect((await numbersIn(letter.rawPayload)).toSorted()).toEqual(all)

  const zpl = await file('pdf', batch, { format: 'zpl' })
  expect([
    zpl.statusCode,
    zpl.headers['content-disposition'],
    zpl.headers['content-length'],
  ]).toEqual([200, `attachment; filename="${stem}.zpl"`, undefined])
  expect(zpl.body.match(/\^XA/g)).toHaveLength(5)
  for (const { tracking_number: tracking } of (await labelsOf(batch)).filter(
    label => label.tracking_number,
  )) {
    expect(zpl.body.replaceAll(/[^\d]/g, '')).toContain(tracking)
  }

  const some = await file('pdf', batch, { rows: ' 5-6, 2,5 ,3-5' })
  expect([await numbersIn(some.rawPayload), some.headers['content-disposition']]).toEqual([
    ['2/6', '3/6', '5/6', '6/6'],
    `inline; filename="${stem}-rows-2-6.pdf"`,
  ])
  // By the name of the file.
  const named = await file('v2', `${stem}.pdf`, { rows: '6,1', format: 'letter' })
  expect([
    (await numbersIn(named.rawPayload)).toSorted(),
    named.headers['content-disposition'],
  ]).toEqual([['1/6', '6/6'], `inline; filename="${stem}-rows-1_6-letter.pdf"`])
})

test('HEAD of a bulk file has the headers of GET, and renders and builds nothing', async () => {
  const headers = async (method: 'GET' | 'HEAD', kind: string, query: PrintQuery) => {
    const ask = method === 'GET' ? file : headOf
    const { statusCode, headers } = await ask(kind, batch, query)
    return [statusCode, headers['content-type'], headers['content-disposition']]
  }
  const requests: [string, PrintQuery][] = [
    ['pdf', {}],
    ['pdf', { format: 'zpl' }],
    ['pdf', { format: 'letter', rows: '2-3' }],
    ['pdf', { rows: '4' }],
    ['pdf', { format: 'png' }],
    ['result-csv', {}],
    ['auto-csv', {}],
    ['auto-csv', { format: 'csv' }],
  ]
  for (const [kind, query] of requests) {
    expect(await headers('HEAD', kind, query), JSON.stringify([kind, query])).toEqual(
      await headers('GET', kind, query),
    )
  }

  // The files are not built again for a HEAD request.
  const folder = join(app.ctx.config.dataDir, 'files')
  for (const entry of await readdir(folder)) await rm(join(folder, entry), { recursive: true })
  for (const [kind, query] of requests.filter(([, { rows }]) => rows === undefined))
    expect((await headers('HEAD', kind, query))[0]).toBe(query.format === 'png' ? 422 : 200)
  expect(await readdir(folder)).toEqual([])
})

test('a list without rows, or with rows that do not exist, is refused with the wrong part', async () => {
  for (const [list, text] of [
    ['', 'No rows'],
    ['1,x', 'x'],
    ['3-1', '3-1'],
    ['0', '0'],
    ['2,5-7', '5-7'],
    ['99', '99'],
  ] as const) {
    const refused = await file('pdf', batch, { rows: list })
    expect([list, refused.statusCode, messageOf(refused).includes(text)]).toEqual([list, 422, true])
  }
  const png = await file('pdf', batch, { format: 'png' })
  expect([png.statusCode, messageOf(png)]).toEqual([
    422,
    expect.stringContaining('PNG is available for single labels'),
  ])
  for (const [kind, query] of [
    ['pdf', { format: 'csv' }],
    ['result-csv', { format: 'letter' }],
    ['result-csv', { rows: '1' }],
    ['auto-csv', { format: 'zpl' }],
  ] as const)
    expect([kind, query, (await file(kind, batch, query)).statusCode]).toEqual([kind, query, 422])
  expect((await file('result-csv', batch, { format: 'csv' })).statusCode).toBe(200)
})

test('voided and unbought labels are never printed, and rows without a label are listed with the reason', async () => {
  const orderId = await bought(rows(4, n => (n === 2 ? { ToStreet2: 'SANDBOX REFUSE' } : {})))
  const [, , third] = await labelsOf(orderId)
  expect(await voidAndWait(app, third!._id, ana.token)).toBe(200)
  expect((await file('pdf', orderId, { format: 'zpl' })).body.match(/\^XA/g)).toHaveLength(2)
  for (const format of ['pdf', 'letter', 'zpl']) {
    const none = await file('pdf', orderId, { rows: '2-3', format })
    expect([none.statusCode, messageOf(none)]).toEqual([
      404,
      expect.stringMatching(
        /^None of these rows has a label that can be printed\. Row 2: .+\. Row 3: Voided\.$/,
      ),
    ])
  }
  for (const format of LABEL_FORMATS) {
    const none = await file('v2', third!.pdfName ?? '', { format })
    expect([format, none.statusCode]).toEqual([format, 404])
  }
  expect(await numbersIn((await file('pdf', orderId, { rows: '2-4' })).rawPayload)).toEqual(['4/4'])
})

/** A void that the carrier has not decided, or has refused. */
const setVoid = (orderId: string, state: 'voiding' | 'purchased') =>
  app.database.pool.query(
    `update shipment_order set state = $2, void_reason = case when $2 = 'purchased' then 'Already used' end,
        void_requested_at = clock_timestamp(), run_after = clock_timestamp() + interval '1 day' where id = $1`,
    [orderId, state],
  )

test('while the carrier decides about a void, no file has the label; once the void is refused, all have it', async () => {
  const orderId = await bought(
    rows(2, n => ({ orderId: `111-4820448-000000${n}`, orderItemId: `00${n}` })),
  )
  const [first, second] = await labelsOf(orderId)
  const confirmed = async (format?: string) =>
    (await file('auto-csv', orderId, { format })).body
      .split('\r\n')
      .slice(1, -1)
      .map(line => line.split(format === 'csv' ? ',' : '\t')[0]!.at(-1))
  const files = async () => ({
    pdf: await numbersIn((await file('pdf', orderId)).rawPayload),
    txt: await confirmed(),
    csv: await confirmed('csv'),
    results: (await file('result-csv', orderId)).body
      .split('\r\n')
      .slice(1, -1)
      .map(line => line.split(',').slice(5, 7).join(' ').trim()),
  })
  const before = await files()
  expect(before).toMatchObject({ pdf: ['1/2', '2/2'], txt: ['1', '2'], csv: ['1', '2'] })

  await setVoid(first!._id, 'voiding')
  expect(await files()).toEqual({
    pdf: ['2/2'],
    txt: ['2'],
    csv: ['2'],
    results: [`${before.results[0]} Being voided`, before.results[1]],
  })
  await setVoid(second!._id, 'voiding')
  expect((await file('pdf', orderId)).statusCode).toBe(404)
  for (const format of ['txt', 'csv']) {
    const none = await file('auto-csv', orderId, { format })
    expect([none.statusCode, messageOf(none)]).toEqual([
      404,
      'No order can be confirmed: the labels with order ids are voided, being voided or were not bought',
    ])
    expect((await headOf('auto-csv', orderId, { format })).statusCode).toBe(404)
  }

  await setVoid(first!._id, 'purchased')
  await setVoid(second!._id, 'purchased')
  expect(await files()).toEqual(before)
})

test('labels are printed only for their owner and for administrators', async () => {
  const admin: TestUser = await app.admin()
  for (const [kind, name, query] of [
    ['v2', single.pdfName!, { format: 'png' }],
    ['pdf', batch, { format: 'zpl' }],
    ['pdf', batch, { rows: '1' }],
  ] as const) {
    expect((await file(kind, name, query, admin)).statusCode).toBe(200)
    expect((await file(kind, name, query, stranger)).statusCode).toBe(404)
    expect(
      (await app.send(injectOptionsFor(downloadFile, { params: { kind, name }, query })))
        .statusCode,
    ).toBe(401)
  }
})

test('rendered labels need no stored file', async () => {
  const folder = join(app.ctx.config.dataDir, 'files')
  for (const entry of await readdir(folder)) await rm(join(folder, entry), { recursive: true })
  expect(await numbersIn((await file('pdf', batch, { rows: '3' })).rawPayload)).toEqual(['3/6'])
  expect(await numbersIn((await file('pdf', batch)).rawPayload)).toHaveLength(5)
})

test('a test page is available in every format, for every signed-in user', async () => {
  const page = (query: { format?: string; first?: number }, token?: string) =>
    app.send({
      ...injectOptionsFor(downloadTestPage, { query }),
      ...(token && { headers: { token } }),
    })
  expect((await page({})).statusCode).toBe(401)
  const names = []
  for (const format of LABEL_FORMATS) {
    const { statusCode, headers, rawPayload } = await page({ format, first: 2 }, stranger.token)
    expect([statusCode, headers['content-length']]).toEqual([200, String(rawPayload.length)])
    names.push(headers['content-disposition'])
  }
  expect(names).toEqual([
    'inline; filename="test-page.pdf"',
    'inline; filename="test-page-letter.pdf"',
    'attachment; filename="test-page.zpl"',
    'inline; filename="test-page.png"',
  ])
  expect((await page({}, stranger.token)).headers['content-type']).toBe('application/pdf')
})
