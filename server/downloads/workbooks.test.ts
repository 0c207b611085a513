/** Results and failed rows as files that spreadsheets and the bulk page read. */
import { readXlsx } from 'hucre/xlsx'
import Papa from 'papaparse'
import { beforeAll, expect, test, vi } from 'vitest'
import { isTerminal } from '#contract/batch-status.ts'
import { batchStatus, initBatch, processBatch } from '#contract/batches.ts'
import { downloadFailedRows, downloadFile } from '#contract/downloads.ts'
import { FAULTY_ROW_HEADERS } from '#contract/faulty-rows.ts'
import { XLSX_TYPE } from '#contract/table-files.ts'
import { injectOptionsFor, testApp } from '#tests/support/app.ts'
import { row, rows } from '#tests/support/rows.ts'

const app = await testApp()
const ana = await app.register('Ana')
const stranger = await app.register('Stranger')
await app.creditDollars(ana.user._id, 1_000)

/** Texts that a spreadsheet would change or run. */
const ODD = {
  ToRecipientName: '=HYPERLINK("http://x")',
  ToCompany: '\'@SUM(A1), "Inc."',
  FromPhone: '+1 404-555-0192',
  orderId: '0017',
  orderItemId: '577384719283746000',
  skuNumber: '-MUG',
  quantity: '3',
  PackageReference1: '3',
  PackageReference2: '-MUG',
  PackageDescription: 'Two mugs; one lid',
  ToZipPostal: '04101',
  ToStateProvince: 'ME',
  ToCity: 'Portland',
}

const send = (url: string, { token } = ana, method: 'GET' | 'HEAD' = 'GET') =>
  app.send({ method, url, headers: { token } })
const urlOf = (kind: string, name: string, format?: 'csv' | 'xlsx') =>
  injectOptionsFor(downloadFile, { params: { kind, name }, query: { format } }).url as string
const failedUrl = (orderId: string, format?: 'csv' | 'xlsx') =>
  injectOptionsFor(downloadFailedRows, { params: { orderId }, query: { format } }).url as string

async function bought(orderData: object[]): Promise<string> {
  const { orderId } = (await app.call(initBatch, { body: { userId: ana.user._id } }, ana.token))
    .body
  const params = { userId: ana.user._id }
  const sent = await app.call(processBatch, { params, body: { orderId, orderData } }, ana.token)
  expect(sent.status, sent.body.message).toBe(202)
  const over = async () =>
    isTerminal((await app.call(batchStatus, { params: { orderId } }, ana.token)).body.status)
  await vi.waitFor(async () => expect(await over()).toBe(true), { timeout: 300_000 })
  return orderId
}

/** The cells of the only sheet; an empty one is ''. */
async function sheetOf(bytes: Buffer): Promise<unknown[][]> {
  const { sheets } = await readXlsx(bytes)
  expect(sheets).toHaveLength(1)
  return sheets[0]!.rows.map(cells => cells.map(cell => cell ?? ''))
}
const csvOf = (text: string): string[][] =>
  Papa.parse<string[]>(text.replace(/^\ufeff/, ''), { skipEmptyLines: true }).data

let batch = ''
beforeAll(async () => {
  batch = await bought([
    row(1, ODD),
    ...rows(3),
    row(5, { ...ODD, ToStreet2: 'SANDBOX REFUSE' }),
    row(6, { ToStreet2: 'SANDBOX REFUSE', PackageWeight: '0.5' }),
  ])
})

test('the results as a workbook are the results file, with whole tracking numbers as text', async () => {
  const csv = csvOf((await send(urlOf('result-csv', batch))).body)
  const answer = await send(urlOf('result-csv', batch, 'xlsx'))
  expect(answer.headers).toMatchObject({ 'content-type': XLSX_TYPE, 'cache-control': 'no-store' })
  expect(answer.headers['content-disposition']).toMatch(
    /^attachment; filename="SAMPLE-batch-\d+-\w+-result\.xlsx"$/,
  )
  const sheet = await sheetOf(answer.rawPayload)
  const [header, ...lines] = sheet
  expect(header).toEqual(csv[0])
  const [row, tracking, price] = ['row', 'tracking_number', 'price'].map(name =>
    header!.indexOf(name),
  )
  expect(lines).toHaveLength(6)
  lines.forEach((line, at) => {
    const inFile = csv[at + 1]!
    line.forEach((cell, column) => {
      if (column === row) expect(cell).toBe(Number(inFile[column]))
      else if (column === price)
        expect(cell).toBe(inFile[column] === '' ? '' : Number(inFile[column]))
      else if (column === tracking) expect(cell).toBe(inFile[column]!.replaceAll(' ', ''))
      // In CSV an apostrophe keeps a spreadsheet from running the cell.
      else expect(inFile[column]).toBe(/^'*[=+@-]/.test(String(cell)) ? `'${cell}` : cell)
    })
  })
  expect(lines[0]![tracking!]).toMatch(/^\d{20,}$/)
  expect(lines[0]![price!]).toBe(6.5)
  const tracked = csv[0]!.indexOf('tracking_page')
  expect(lines[0]![tracked]).toMatch(/^https?:\/\/.+\/track\/[\w-]{22}$/)
  expect(lines.at(-1)![tracked]).toBe('')
  expect(lines[0]).toContain('=HYPERLINK("http://x")')
  expect(lines[0]).toContain('04101')
})

test('failed rows are a file with their reasons, as CSV and as a workbook', async () => {
  const answer = await send(failedUrl(batch))
  expect(answer.statusCode, answer.body).toBe(200)
  expect(answer.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="failed-rows-${batch}.csv"`,
  })
  const csv = csvOf(answer.body)
  expect(csv[0]).toEqual(FAULTY_ROW_HEADERS)
  expect(csv.slice(1).map(line => line.slice(-2))).toEqual(
    Array(2).fill(['Address not deliverable', 'USPS Ground Advantage']),
  )

  const workbook = await send(failedUrl(batch, 'xlsx'))
  expect(workbook.headers).toMatchObject({
    'content-type': XLSX_TYPE,
    'content-disposition': `attachment; filename="failed-rows-${batch}.xlsx"`,
  })
  const sheet = await sheetOf(workbook.rawPayload)
  expect(sheet[0]).toEqual(FAULTY_ROW_HEADERS)
  const cell = (name: string) => sheet[1]![FAULTY_ROW_HEADERS.indexOf(name)]
  expect({
    'TO NAME': cell('TO NAME'),
    'TO COMPANY': cell('TO COMPANY'),
    'TO ZIP': cell('TO ZIP'),
    'ORDER ID': cell('ORDER ID'),
    'ORDER ITEM ID': cell('ORDER ITEM ID'),
    SKU: cell('SKU'),
    QUANTITY: cell('QUANTITY'),
    WEIGHT: cell('WEIGHT'),
    SERVICE: cell('SERVICE'),
  }).toEqual({
    'TO NAME': ODD.ToRecipientName,
    // The reader takes one apostrophe off.
    'TO COMPANY': `'${ODD.ToCompany}`,
    'TO ZIP': '04101',
    'ORDER ID': '0017',
    'ORDER ITEM ID': '577384719283746000',
    SKU: '-MUG',
    QUANTITY: '3',
    WEIGHT: '1.5',
    SERVICE: 'USPS Ground Advantage',
  })
  expect(sheet).toHaveLength(3)
})

test('files of another user, without rows or of an unknown kind are refused with a sentence', async () => {
  const good = await bought(rows(1))
  const answers = await Promise.all([
    send(failedUrl(batch), stranger),
    send(urlOf('result-csv', batch, 'xlsx'), stranger),
    send(failedUrl('999999')),
    send(failedUrl(good)),
    send(`${failedUrl(batch).split('?')[0]}?format=pdf`),
    send(urlOf('auto-csv', batch, 'xlsx')),
  ])
  expect(
    answers.map(({ statusCode, body }) => [
      statusCode,
      (JSON.parse(body) as { message: string }).message,
    ]),
  ).toEqual([
    [404, 'There is no such bulk order'],
    [404, 'There is no such bulk order'],
    [404, 'There is no such bulk order'],
    [404, 'This bulk order has no failed rows to edit'],
    [400, 'format must be csv or xlsx, not "pdf"'],
    [422, 'The confirmation file of this bulk order is available as txt.'],
  ])
})

test('asking only for the head of a file makes no file', async () => {
  for (const url of [
    failedUrl(batch),
    failedUrl(batch, 'xlsx'),
    urlOf('result-csv', batch, 'xlsx'),
  ]) {
    const { statusCode, headers, rawPayload } = await send(url, ana, 'HEAD')
    expect([statusCode, rawPayload.length]).toEqual([200, 0])
    expect(headers['content-disposition']).toMatch(/^attachment; filename="/)
  }
})
