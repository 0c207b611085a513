import fc from 'fast-check'
import { writeXlsx } from 'hucre/xlsx'
import type { CellValue, WriteSheet } from 'hucre/xlsx'
import Papa from 'papaparse'
import { expect, test } from 'vitest'
import { TEMPLATE_FIELDS, TEMPLATE_HEADERS } from '#contract/rows.ts'
import { workbookParts, zipFile } from '#tests/support/zip-file.ts'
import { readFile } from './read-file.ts'
import type { FileAnswer, FileColumns, FileResult, ReadContext } from './read-file.ts'

const CONTEXT: ReadContext = { skus: [], maxRows: 100 }
const SENDER = { name: 'Fir', street: '1 Dock St', city: 'Portland', state: 'ME', zip: '04101' }
const read = (file: File, context: Partial<ReadContext> = {}): Promise<FileAnswer> =>
  readFile(file, { ...CONTEXT, ...context })
async function result(file: File, context?: Partial<ReadContext>): Promise<FileResult> {
  const answer = await read(file, context)
  if (!('source' in answer)) throw new Error(`not read: ${JSON.stringify(answer)}`)
  return answer
}
async function unknown(file: File, context?: Partial<ReadContext>): Promise<FileColumns> {
  const answer = await read(file, context)
  if (!('unknownColumns' in answer)) throw new Error(`known: ${JSON.stringify(answer)}`)
  return answer
}
const workbook = async (...sheets: WriteSheet[]) =>
  new File([(await writeXlsx({ sheets })) as Uint8Array<ArrayBuffer>], 'orders.xlsx')
const csv = (rows: readonly (readonly unknown[])[]) =>
  new File([Papa.unparse(rows as unknown[][])], 'orders.csv')

const TEMPLATE_ROW = TEMPLATE_FIELDS.map(field =>
  field.startsWith('From')
    ? ({ FromZipPostal: '04101', FromStateProvince: 'ME' }[field as string] ?? 'Fir')
    : ({ ToZipPostal: '97030', ToStateProvince: 'OR', PackageWeight: '1' }[field as string] ?? '5'),
)

test('a workbook and a .csv file of the same rows give the same table', async () => {
  const cell = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 12 }).filter(text => !/[\r\n\0]/.test(text)),
    fc.constantFrom('', '04101', '1 Elm St', 'José', '8 oz', 'OR', '577384719283746123', "'04101"),
  )
  const row = fc.array(cell, {
    minLength: TEMPLATE_HEADERS.length,
    maxLength: TEMPLATE_HEADERS.length,
  })
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 5 }), async rows => {
      const table = [[...TEMPLATE_HEADERS], TEMPLATE_ROW, ...rows]
      const fromWorkbook = await result(await workbook({ name: 'Orders', rows: table }))
      const fromText = await result(csv(table))
      expect(fromWorkbook.rows).toEqual(fromText.rows)
      expect(fromWorkbook.headerFingerprint).toBe(fromText.headerFingerprint)
    }),
    { numRuns: 25 },
  )
})

test('rows that a filter of the spreadsheet hides are in the table, and are told', async () => {
  const rows = [[...TEMPLATE_HEADERS], TEMPLATE_ROW, TEMPLATE_ROW, [], TEMPLATE_ROW]
  const rowDefs = new Map([2, 3, 4].map(at => [at, { hidden: true }] as const))
  const { rows: read, notices } = await result(await workbook({ name: 'Orders', rows, rowDefs }))
  expect(read).toHaveLength(3)
  expect(notices).toEqual([
    '2 hidden rows of the sheet are in the table too. Delete those that you don’t ship.',
  ])
})

test('numbers, dates and truth values of cells are read as a .csv file has them', async () => {
  const typed = (field: string): CellValue =>
    ({ ToZipPostal: 97030, PackageWeight: 1.5, ToStreet1: 18, ToCity: true, ToPhone: 4045550192 })[
      field
    ] ?? 'Fir'
  const rows = [[...TEMPLATE_HEADERS], TEMPLATE_FIELDS.map(typed)]
  const [row] = (await result(await workbook({ name: 'Orders', rows }))).rows
  expect(row).toMatchObject({
    ToZipPostal: '97030',
    PackageWeight: '1.5',
    ToStreet1: '18',
    ToCity: 'TRUE',
    ToPhone: '4045550192',
  })
})

test('of several sheets the first with known columns is read, or the one that was chosen', async () => {
  const notes = {
    name: 'Notes',
    rows: [
      ['Who', 'What', 'When', 'Where'],
      ['Ann', 'x', 'y', 'z'],
    ],
  }
  const orders = { name: 'Orders', rows: [[...TEMPLATE_HEADERS], TEMPLATE_ROW] }
  const hidden = { name: 'Lists', rows: [[...TEMPLATE_HEADERS], TEMPLATE_ROW], hidden: true }
  const file = await workbook(hidden, notes, orders)
  const found = await result(file)
  expect(found).toMatchObject({ sheet: 'Orders', sheets: ['Notes', 'Orders'], source: 'template' })
  expect(found.notices[0]).toBe('1 hidden sheet was left out.')
  const chosen = await unknown(file, { sheet: 'Notes' })
  expect(chosen).toMatchObject({ sheet: 'Notes', sheets: ['Notes', 'Orders'] })
  expect(chosen.unknownColumns).toMatchObject({
    headers: ['Who', 'What', 'When', 'Where'],
    samples: [['Ann'], ['x'], ['y'], ['z']],
    rows: [],
  })
  const more = {
    name: 'More',
    rows: [
      ['A', 'B', 'C', 'D'],
      ['1 Elm St', 'x', 'y', 'z'],
    ],
  }
  const { unknownColumns, fingerprints } = await unknown(await workbook(notes, more))
  expect(unknownColumns.headers).toEqual(['Who', 'What', 'When', 'Where'])
  expect(fingerprints).toHaveLength(2)
  const columns = more.rows[0]!.map(header => ({ header, use: 'unused' as const }))
  const mappings = { [fingerprints[1]!]: { columns, constants: {} } }
  expect(await result(await workbook(notes, more), { mappings })).toMatchObject({ sheet: 'More' })
})

test('columns that were matched before are read at once, also of a known file', async () => {
  const file = csv([
    ['Wer', 'Straße', 'Ort', 'Land', 'PLZ', 'Unzen'],
    ['Ada', '1 Elm St', 'Bath', 'Maine', '04530', '8'],
  ])
  const { unknownColumns } = await unknown(file)
  const uses = ['ToRecipientName', 'ToStreet1', 'ToCity', 'ToStateProvince', 'ToZipPostal'] as const
  const mapping = {
    columns: unknownColumns.headers.map((header, at) =>
      at === 5
        ? { header, use: 'PackageWeight' as const, unit: 'oz' as const }
        : { header, use: uses[at]! },
    ),
    constants: { PackageLength: '9', PackageWidth: '6', PackageHeight: '1' },
  }
  const mappings = { [unknownColumns.fingerprint]: mapping }
  const read = await result(file, { mappings, senderAddress: SENDER })
  expect(read).toMatchObject({
    source: 'mapped',
    headerFingerprint: unknownColumns.fingerprint,
    mapping,
  })
  expect(read.rows).toMatchObject([
    { ToCity: 'Bath', ToStateProvince: 'ME', PackageWeight: '0.5', PackageLength: '9' },
  ])
  const template = csv([[...TEMPLATE_HEADERS], TEMPLATE_ROW])
  expect(await unknown(template, { askColumns: true })).toMatchObject({
    unknownColumns: { headers: [...TEMPLATE_HEADERS] },
  })
})

test('the same file has the same hash under every name', async () => {
  const text = [[...TEMPLATE_HEADERS], TEMPLATE_ROW]
  const [one, two] = [await result(csv(text)), await result(csv(text))]
  expect(one.sha256).toMatch(/^[0-9a-f]{64}$/)
  expect(two.sha256).toBe(one.sha256)
  expect((await result(csv([...text, TEMPLATE_ROW]))).sha256).not.toBe(one.sha256)
})

test('a file that is too large, unreadable or no table is refused by name', async () => {
  const large = new File([new Uint8Array(100 * 1024 * 1024)], 'all.csv')
  expect(await read(large)).toEqual({
    problem: "'all.csv' is larger than 64 MB. Split it into smaller files.",
  })
  const gone = Object.assign(new File(['a'], 'gone.csv'), {
    arrayBuffer: () => Promise.reject(new Error('NotReadableError')),
  })
  expect(await read(gone)).toEqual({
    problem: "'gone.csv' can’t be read. Check that the file still exists.",
  })
  const zip = zipFile([{ name: 'orders.csv', data: 'a,b' }])
  expect(await read(new File([zip], 'orders.xlsx'))).toEqual({
    problem: "'orders.xlsx' is a ZIP archive. Unpack it and upload the file inside.",
  })
  const rows = Array.from({ length: 102 }, (_, at) => `<row><c><v>${at}</v></c></row>`)
  const sheet = zipFile(workbookParts([{ name: 'Orders', sheetData: rows.join('') }]))
  expect(await read(new File([sheet], 'orders.xlsx'))).toMatchObject({
    problem: expect.stringContaining('orders.xlsx'),
  })
})

test('progress goes forward, and a reading that is cancelled answers nothing', async () => {
  const steps: number[] = []
  const file = await workbook({ name: 'Orders', rows: [[...TEMPLATE_HEADERS], TEMPLATE_ROW] })
  await readFile(file, CONTEXT, { onProgress: ({ fraction }) => steps.push(fraction) })
  expect(steps).toEqual(steps.toSorted((a, b) => a - b))
  expect(steps.length).toBeGreaterThan(2)
  await expect(
    readFile(file, CONTEXT, undefined, AbortSignal.abort(new Error('cancelled'))),
  ).rejects.toThrow('cancelled')
})
