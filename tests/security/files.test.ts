/** What comes in as a file and goes out as one: lines 39 to 44 of docs/security.md. */
import { connect } from 'node:net'
import { gzipSync, inflateSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { register } from '#contract/accounts.ts'
import { isTerminal } from '#contract/batch-status.ts'
import { batchStatus, initBatch, processBatch } from '#contract/batches.ts'
import { statementCsv } from '#contract/ledger.ts'
import { exportOrdersCsv } from '#contract/orders-admin.ts'
import { placeOrder } from '#contract/orders.ts'
import { fieldByName, TEMPLATE_CSV } from '#contract/rows.ts'
import { STORED_FILE_NAMES } from '#server/labels/file-names.ts'
import { createDiskFileStore } from '#server/platform/storage/disk.ts'
import { PASSWORD, injectOptionsFor, testApp } from '#tests/support/app.ts'
import { readPdf } from '#tests/support/read-pdf.ts'
import { row, rows, singleOrderBody } from '#tests/support/rows.ts'
import { importFile } from '#web/batches/import/import-file.ts'
import { skuCsv } from '#web/skus/sku-file.ts'

const app = await testApp({ env: { BULK_MAX_ROWS: '50' } })
const admin = await app.admin()
const ana = await app.register('Ana')
await app.creditDollars(ana.user._id, 1_000)
const JSON_HEAD = { token: ana.token, 'content-type': 'application/json' }

const init = async () =>
  (await app.call(initBatch, { body: { userId: ana.user._id } }, ana.token)).body.orderId
const submit = (orderId: string, orderData: unknown[]) =>
  app.call(
    processBatch,
    { params: { userId: ana.user._id }, body: { orderId, orderData } },
    ana.token,
  )
async function buyBatch(orderData: unknown[]): Promise<string> {
  const orderId = await init()
  const { status, body } = await submit(orderId, orderData)
  expect(status, body.message).toBe(202)
  const over = async () =>
    isTerminal((await app.call(batchStatus, { params: { orderId } }, ana.token)).body.status)
  await expect.poll(over).toBe(true)
  return orderId
}
const file = (kind: string, name: string) =>
  app.send({ url: `/api/orders/download/${kind}/${name}`, headers: { token: ana.token } })
const read = (text: string | Uint8Array, name = 'orders.csv') =>
  importFile(typeof text === 'string' ? new TextEncoder().encode(text) : text, name, {
    skus: [],
    maxRows: 50,
  })

/** The status line of the response to a request of which only the head was sent. */
async function answerToHead(length: number): Promise<string> {
  const { hostname, port } = new URL(await app.listen())
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  socket.write(
    `POST /api/orders/bulk/process/${ana.user._id} HTTP/1.1\r\nHost: x\r\ntoken: ${ana.token}\r\n`
      + `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`,
  )
  return new Promise((resolve, reject) =>
    socket.once('data', data => resolve(String(data).split('\r\n')[0]!)).once('error', reject),
  )
}

test('39 a file has limits of bytes, rows, columns and cells, and is refused before all of it is read', async () => {
  expect(await answerToHead(70 * 2 ** 20)).toBe('HTTP/1.1 413 Payload Too Large')
  const many = await submit(await init(), rows(51))
  expect([many.status, many.body.message]).toEqual([422, expect.stringMatching(/\b50\b/)])
  expect(read(TEMPLATE_CSV + 'a\r\n'.repeat(51))).toEqual({
    problem: expect.stringContaining('takes up to 50'),
  })
  const columns = (length: number) => [
    { ...row(), ...Object.fromEntries(Array.from({ length }, (_, i) => [`c${i}`, 'x'])) },
  ]
  expect((await submit(await init(), columns(2_000))).status).toBe(202)
  expect((await submit(await init(), columns(5_000))).status).toBe(400)
  const long = await submit(await init(), [
    row(1, { ToCity: 'x'.repeat(fieldByName('ToCity').max + 1) }),
  ])
  expect([long.status, Object.keys(long.body.errors!)]).toEqual([422, ['1.ToCity']])
  // A packed body is not unpacked, so nothing can grow out of it.
  const bomb = gzipSync(Buffer.alloc(50 * 2 ** 20, 0x20))
  const packed = await app.send({
    method: 'POST',
    url: `/api/orders/bulk/process/${ana.user._id}`,
    payload: bomb,
    headers: { ...JSON_HEAD, 'content-encoding': 'gzip' },
  })
  expect(packed.statusCode).toBe(415)
})

const FORMULAS = [
  '=1+1',
  '+1',
  '-1+2',
  '@SUM(A1)',
  "=cmd|' /C calc'!A0",
  '＝1+1',
  '=HYPERLINK("http://evil.example","x")',
]
/** The cells of a .csv, quotes taken away. */
const cellsOf = (text: string): string[] =>
  text
    .replace(/^\ufeff/, '')
    .split('\r\n')
    .flatMap(line =>
      Array.from(line.matchAll(/(?:^|,)("(?:[^"]|"")*"|[^,]*)/g), ([, cell]) => cell!),
    )
    .map(cell => cell.replace(/^"|"$/g, '').replaceAll('""', '"'))
const formulaCells = (cells: string[]): string[] =>
  cells.filter(cell => /^[=+\-@\t\r\0＝＋－＠]/.test(cell) && !/^-?\d+\.\d\d$/.test(cell)) // our own amounts are numbers

test('40 no cell of an export is evaluated by a spreadsheet, and the file for the marketplace contains no such id', async () => {
  for (const [i, name] of FORMULAS.entries()) {
    const { token, user } = (
      await app.call(register, {
        body: {
          name,
          email: `formula${i}@example.com`,
          password: PASSWORD,
          confirmPassword: PASSWORD,
        },
      })
    ).body
    await app.creditDollars(user._id, 20)
    expect(
      (
        await app.call(
          placeOrder,
          { body: singleOrderBody(user._id, { receiver: { receiver_name: name } }) },
          token,
        )
      ).status,
    ).toBe(200)
  }
  const batch = await buyBatch(
    FORMULAS.map((text, i) =>
      row(i + 1, {
        FromCompany: text,
        ToRecipientName: text,
        ToCompany: text,
        ToCity: text,
        orderId: text,
        orderItemId: text,
        skuNumber: text,
        PackageDescription: text,
        ToStreet2: i === 0 ? 'SANDBOX REFUSE' : '',
      }),
    ),
  )
  const result = await file('result-csv', batch)
  const statement = await app.send({
    ...injectOptionsFor(statementCsv, { params: { userId: ana.user._id } }),
    headers: { token: ana.token },
  })
  const orders = await app.send({
    ...injectOptionsFor(exportOrdersCsv, {}),
    headers: { token: admin.token },
  })
  for (const { statusCode, body } of [result, statement, orders])
    expect([statusCode, formulaCells(cellsOf(body))]).toEqual([200, []])
  for (const text of ["'=1+1", "'@SUM(A1)", "'＝1+1"]) expect(cellsOf(result.body)).toContain(text)
  expect(cellsOf(orders.body)).toContain("'=1+1")
  const skus = FORMULAS.map((sku, i) => ({
    _id: String(i),
    sku,
    maxQty: 1,
    weight: 1,
    length: 1,
    width: 1,
    height: 1,
    description: sku,
  }))
  expect(formulaCells(cellsOf(skuCsv(skus)))).toEqual([])
  // Ids that look like formulas are none, so nothing is left to be confirmed.
  expect((await file('auto-csv', batch)).statusCode).toBe(404)
})

const PDF_TEXT = [
  ') Tj ET Q /JS (app.alert\\(1\\)) BT (',
  '>> /OpenAction << /S /JavaScript /JS (app.alert(1)) >>',
  '\\) endstream endobj 9 0 obj <</URI(x)>>',
  '((((',
  '))))',
  '\\\\\\',
  'endstream',
  '%PDF-1.7 %%EOF',
]

/** All objects of a PDF without what is drawn: streams end where their length says, and some of them hold packed objects. */
function objectsOf(pdf: Buffer): string {
  const text = pdf.toString('latin1')
  let [objects, end] = ['', 0]
  for (const { index, 0: head, 1: dictionary, 2: length } of text.matchAll(
    /<<([^>]*)\/Length (\d+)[^>]*>>stream\n/g,
  )) {
    if (index < end) continue // inside of the stream before
    const start = index + head.length
    objects += text.slice(end, start)
    end = start + Number(length)
    if (dictionary!.includes('/ObjStm'))
      objects += inflateSync(pdf.subarray(start, end)).toString('latin1')
  }
  return objects + text.slice(end)
}

test('41 text on a label is text: no object, link or script comes out of it', async () => {
  for (const text of PDF_TEXT) {
    const changes = {
      receiver: { receiver_name: text.slice(0, 60), receiver_company: text },
      package: { package_description: text },
    }
    const { status, body } = await app.call(
      placeOrder,
      { body: singleOrderBody(ana.user._id, changes) },
      ana.token,
    )
    expect(status, body.message).toBe(200)
    const { rawPayload } = await file('v2', body.data.pdfName!)
    const pages = await readPdf(rawPayload)
    expect([pages.length, pages[0]!.text]).toEqual([
      1,
      expect.stringContaining(text.slice(0, 8).trim().toUpperCase()),
    ])
    const objects = objectsOf(rawPayload)
    expect(objects).not.toMatch(
      /\/(JS|JavaScript|OpenAction|AA|URI|Annots?|Launch|SubmitForm|EmbeddedFiles?|RichMedia|XFA|AcroForm)\b/,
    )
    expect(objects.match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
  }
  const control = await app.call(
    placeOrder,
    { body: singleOrderBody(ana.user._id, { receiver: { receiver_name: 'Ana\u0007Bell' } }) },
    ana.token,
  )
  expect(control.status).toBe(422)
})

const PATHS = [
  '../../etc/passwd',
  '..%2f..%2fetc%2fpasswd',
  '/etc/passwd',
  '..\\..\\windows\\win.ini',
  'label.pdf\u0000.txt',
  'SAMPLE-label-1.pdf/..',
  '.env',
  'con.pdf',
  'label-1-' + 'f'.repeat(32) + '.pdf',
  '~root.pdf',
  'file:///etc/passwd',
  '%2e%2e%2f',
  'x'.repeat(290),
]

test('42 a file name is looked up, never used as a path', async () => {
  const store = createDiskFileStore(app.ctx.config.dataDir, STORED_FILE_NAMES)
  for (const name of PATHS) {
    for (const kind of ['v2', 'pdf', 'result-csv', 'auto-csv', '../..']) {
      const answer = await file(encodeURIComponent(kind), encodeURIComponent(name))
      expect([
        kind,
        name,
        [400, 404].includes(answer.statusCode),
        answer.body.includes('root:'),
      ]).toEqual([kind, name, true, false])
    }
    if (/^[A-Za-z0-9_-]+\.pdf$/.test(name)) continue
    await expect(store.read(name)).rejects.toThrow('not a name of a stored file')
    await expect(store.write(name, async () => {})).rejects.toThrow('not a name of a stored file')
  }
})

test('43 a file has a name that needs no quoting, is not cached, and executes nothing', async () => {
  const batch = await buyBatch([
    row(1, {
      orderId: '111-2223334-5556667',
      orderItemId: 'A1',
      ToRecipientName: 'x"; filename="evil.exe',
    }),
  ])
  const urls = ['pdf', 'result-csv', 'auto-csv'].map(
    kind => `/api/orders/download/${kind}/${batch}`,
  )
  for (const url of [...urls, `/api/wallet/${ana.user._id}/statement.csv`]) {
    const { statusCode, headers } = await app.send({ url, headers: { token: ana.token } })
    expect([url, statusCode]).toEqual([url, 200])
    expect(headers['content-disposition']).toMatch(
      /^(inline|attachment); filename="[A-Za-z0-9][A-Za-z0-9._-]*\.(pdf|csv|txt)"$/,
    )
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    })
  }
})

const LINE = 'Ana,,,1 Main St,,Austin,TX,78701,Bo,,,2 Oak St,,Bend,OR,97701,9,6,3,1.5'
const HOSTILE: [what: string, bytes: string | Uint8Array][] = [
  ['a mark and nothing', '\ufeff'],
  ['only NUL', new Uint8Array(1_000)],
  ['NUL inside', `${TEMPLATE_CSV}${LINE.replace('Bo', 'B\0o')}\r\n`],
  ['UTF-16', Buffer.from(`\ufeff${TEMPLATE_CSV}${LINE}\r\n`, 'utf16le')],
  ['half of UTF-16', Buffer.from([0xff, 0xfe, 0x41])],
  ['broken UTF-8', Buffer.from([...Buffer.from(TEMPLATE_CSV), 0xc3, 0x28, 0xf0, 0x9f, 0x0a])],
  ['mixed line ends', TEMPLATE_CSV + `${LINE}\r${LINE}\n${LINE}\r\n\r\n`],
  ['a quote that never ends', `${TEMPLATE_CSV}"${LINE}`],
  ['a line of 10 MB', `${TEMPLATE_CSV}${'x'.repeat(10 * 2 ** 20)}\r\n`],
  ['a megabyte of commas', TEMPLATE_CSV + ','.repeat(2 ** 20)],
  ['a megabyte of quotes', TEMPLATE_CSV + '"'.repeat(2 ** 20)],
  ['a prototype', '__proto__,constructor,TO NAME\r\nx,y,z\r\n'],
]

test('44 for every file and file name, the answer is rows or a sentence', () => {
  for (const [what, bytes] of HOSTILE) {
    const answer = read(bytes)
    const told =
      'problem' in answer
        ? answer.problem.length > 10
        : 'unknownColumns' in answer || answer.rows.length > 0
    expect([what, told]).toEqual([what, true])
  }
  const wide = Buffer.from(`\ufeff${TEMPLATE_CSV}${LINE}\r\n`, 'utf16le')
  expect(read(wide)).toMatchObject({ encoding: 'utf-16le', rows: [{ ToCity: 'Bend' }] })
  expect(read(HOSTILE[6]![1])).toMatchObject({ source: 'template' })
  const names = [
    'orders.csv.exe',
    '../../orders',
    'orders.csv\u0000.png',
    '<img src=x onerror=alert(1)>.html',
    '\u202evsc.exe',
    '',
  ]
  for (const name of names) {
    expect([name, read(TEMPLATE_CSV + LINE, name)]).toEqual([
      name,
      { problem: expect.stringContaining('only .csv, .txt, .tsv and .xlsx files are') },
    ])
  }
  expect(({} as { x?: string }).x).toBeUndefined()
})
