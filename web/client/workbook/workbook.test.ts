import fc from 'fast-check'
import { readXlsx, writeXlsx } from 'hucre/xlsx'
import type { CellValue, WriteSheet } from 'hucre/xlsx'
import { expect, test } from 'vitest'
import { isMangledNumber } from '#contract/row-rules.ts'
import { workbookParts, zipFile } from '#tests/support/zip-file.ts'
import { readWorkbook } from './workbook.ts'

const NAME = 'orders.xlsx'
const read = (bytes: Uint8Array, maxRows = 1000) => readWorkbook(bytes, NAME, maxRows)

async function sheetsOf(bytes: Uint8Array) {
  const content = await read(bytes)
  if ('problem' in content) throw new Error(content.problem)
  return content.sheets
}
async function problemOf(bytes: Uint8Array, maxRows?: number) {
  const content = await read(bytes, maxRows)
  if (!('problem' in content)) throw new Error('the workbook was read')
  expect(content.problem).toContain(`'${NAME}'`)
  return content.problem
}
const written = (...sheets: WriteSheet[]) => writeXlsx({ sheets })
const sheet = (sheetData: string, options?: Parameters<typeof workbookParts>[1]) =>
  zipFile(workbookParts([{ name: 'Orders', sheetData }], options))
const rowsOf = async (bytes: Uint8Array) => (await sheetsOf(bytes))[0]?.rows

test('text, numbers, dates, truth values, formulas and errors are read as text', async () => {
  const rows: CellValue[][] = [
    ['Name', 'Quantity', 'Weight', 'Ship by', 'Gift'],
    ['José "Bee" Núñez\nc/o Ann', 18, 0.1 + 0.2, new Date(Date.UTC(2026, 10, 20)), true],
    ['', 2, 1.5, new Date(Date.UTC(2026, 10, 20, 13, 30)), false],
  ]
  expect(await rowsOf(await written({ name: 'Orders', rows }))).toEqual([
    ['Name', 'Quantity', 'Weight', 'Ship by', 'Gift'],
    ['José "Bee" Núñez\nc/o Ann', '18', '0.3', '2026-11-20', 'TRUE'],
    ['', '2', '1.5', '2026-11-20 13:30:00', 'FALSE'],
  ])
  expect(
    await rowsOf(
      sheet(
        '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><r><t>To </t></r><r><t>Zip</t></r></is></c>'
          + '<c r="C1" t="str"><f>A1&amp;"!"</f><v>Name!</v></c></row>'
          + '<row r="2"><c r="A2" t="e"><v>#N/A</v></c><c r="B2"><f>2+2</f><v>4</v></c><c r="D2" t="b"><v>1</v></c></row>',
        { sharedStrings: '<si><r><t>Na</t></r><r><t>me</t></r></si>' },
      ),
    ),
  ).toEqual([
    ['Name', 'To Zip', 'Name!'],
    ['#N/A', '4', '', 'TRUE'],
  ])
})

test('a ZIP that was typed as a number gets its zeros back where its format shows them', async () => {
  const cells = ['4101', '41011234', '4101', '4101', '18.5'].map(
    (value, at) => `<c r="${'ABCDE'[at]}1" s="${[1, 2, 3, 0, 1][at]}"><v>${value}</v></c>`,
  )
  expect(
    await rowsOf(
      sheet(`<row r="1">${cells.join('')}<c r="F1" s="3"><v>41011234</v></c></row>`, {
        formats: ['00000', '00000\\-0000', '[&lt;=99999]00000;00000\\-0000'],
      }),
    ),
  ).toEqual([['04101', '04101-1234', '04101', '4101', '18.5', '04101-1234']])
})

test('an order number of more digits than a spreadsheet keeps is marked, never taken as it is', async () => {
  const ids = ['577384719283746123', '577384719283746000', '5773847192837460', '57738471928374613']
  const values = [...ids.map(Number), 123456789012345, Number.MAX_SAFE_INTEGER]
  const [cells = []] = (await rowsOf(await written({ name: 'Orders', rows: [values] }))) ?? []
  expect(cells.map(isMangledNumber)).toEqual([true, true, true, true, false, false])
  expect(cells[0]).toBe('5.773847192837462E+17')
  expect(cells.slice(4)).toEqual(['123456789012345', '9007199254740991'])
  expect(await rowsOf(await written({ name: 'O', rows: [['577384719283746123']] }))).toEqual([
    ['577384719283746123'],
  ])
})

test('hidden sheets and empty sheets are left out', async () => {
  const content = await read(
    await written(
      { name: 'Lists', rows: [['secret']], hidden: true },
      { name: 'Notes', rows: [] },
      { name: 'Orders', rows: [['Name'], [null], ['Ada']] },
      { name: 'More', rows: [['Name'], ['Ben']] },
    ),
  )
  expect(content).toEqual({
    hiddenSheets: 1,
    sheets: [
      { name: 'Orders', rows: [['Name'], ['Ada']] },
      { name: 'More', rows: [['Name'], ['Ben']] },
    ],
  })
  const hidden = zipFile(
    workbookParts([
      { name: 'A', sheetData: '<row><c><v>1</v></c></row>', state: 'veryHidden' },
      { name: 'B', sheetData: '' },
    ]),
  )
  expect(await problemOf(hidden)).toBe(
    `'${NAME}' has no rows on a visible sheet. Unhide the sheet, or add rows.`,
  )
})

test('a sheet with more rows than a bulk order takes is refused, also below a gap', async () => {
  const rows = (count: number) => Array.from({ length: count }, (_, at) => [`Ada ${at}`])
  const most = 20
  const full = await written({ name: 'Orders', rows: rows(most + 1) })
  expect(await read(full, most)).toMatchObject({ sheets: [{ rows: { length: most + 1 } }] })
  const text = `'${NAME}' has more than 20 rows, the most that a bulk order takes. Split the file.`
  expect(await problemOf(await written({ name: 'Orders', rows: rows(50) }), most)).toBe(text)
  const gap = '<row r="1"><c r="A1"><v>1</v></c></row>'
  const far = (cell: string) => sheet(`${gap}<row r="900"><c r="A900">${cell}</c></row>`)
  expect(await problemOf(far('<v>2</v>'), most)).toBe(text)
  expect(await read(far(''), most)).toMatchObject({ sheets: [{ rows: [['1']] }] })
})

test('a sheet may use 300 columns', async () => {
  const columns = (count: number) => Array.from({ length: count }, (_, at) => `Column ${at}`)
  expect((await rowsOf(await written({ name: 'Orders', rows: [columns(300)] })))?.[0]).toEqual(
    columns(300),
  )
  expect(await problemOf(await written({ name: 'Orders', rows: [columns(301)] }))).toBe(
    `A sheet of '${NAME}' has more than 300 columns. Delete the columns that are not needed and upload it again.`,
  )
  const corner = sheet(
    '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>',
  )
  expect(await problemOf(corner)).toContain('has more than 1,000 rows')
})

test('a protected workbook, an old one and a damaged one each get a sentence with a remedy', async () => {
  const rows = [['Name'], ...Array.from({ length: 200 }, (_, at) => [`Ada ${at}`])]
  const whole = await written({ name: 'Orders', rows })
  expect(await readXlsx(whole)).toBeDefined()
  const locked = await writeXlsx({
    sheets: [{ name: 'Orders', rows }],
    encryption: { password: 'sesame', spinCount: 10 },
  })
  expect(await problemOf(locked)).toContain('is password-protected. Remove the password')
  const macros = await writeXlsx({ sheets: [{ name: 'Orders', rows }], vbaProject: locked })
  expect(await problemOf(macros)).toContain('contains macros')
  expect(await problemOf(whole.slice(0, whole.length / 2))).toContain('is damaged or incomplete')
  const parts = workbookParts([{ name: 'Orders', sheetData: '<row><c><v>1</v></c></row>' }])
  for (const missing of ['_rels/.rels', 'xl/workbook.xml', 'xl/worksheets/sheet1.xml'])
    expect(await problemOf(zipFile(parts.filter(({ name }) => name !== missing)))).toContain(
      'is damaged or incomplete',
    )
  const broken = parts.map(part =>
    part.name === 'xl/workbook.xml' ? { ...part, data: '<workbook><sheets>' } : part,
  )
  expect(await problemOf(zipFile(broken))).toContain('is damaged or incomplete')
})

test('a part that is larger than stated, or a flood of texts, is not unpacked', async () => {
  const parts = workbookParts([{ name: 'Orders', sheetData: ' '.repeat(5_000_000) }])
  const lying = parts.map(part =>
    part.name.endsWith('sheet1.xml') ? { ...part, unpacked: 100 } : part,
  )
  expect(await problemOf(zipFile(lying))).toContain('is damaged or incomplete')
  const flood = sheet('<row><c><v>1</v></c></row>', { sharedStrings: '<si/>'.repeat(8_100_000) })
  expect(await problemOf(flood)).toContain('would take more than 256 MB unpacked')
})

test('a workbook with changed or missing bytes is read or refused with a sentence', async () => {
  const parts = workbookParts(
    [{ name: 'Orders', sheetData: '<row r="1"><c r="A1" s="1" t="s"><v>0</v></c></row>' }],
    { sharedStrings: '<si><t>Name</t></si>', formats: ['00000'] },
  ).map(({ name, data }) => ({ name, data: Buffer.from(data) }))
  const byte = fc.oneof(fc.nat(255), fc.constantFrom(...Buffer.from('<>/"&=9Z ')))
  const change = fc.record({ part: fc.nat(parts.length - 1), at: fc.nat(600), byte })
  const cut = fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { freq: 5 })
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 6 }), cut, async (changes, share) => {
      const changed = parts.map(({ name, data }) => ({ name, data: Buffer.from(data) }))
      for (const { part, at, byte: to } of changes) {
        const { data } = changed[part]!
        data[at % data.length] = to
      }
      const whole = zipFile(changed)
      const content = await read(whole.slice(0, whole.length * (share ?? 1)))
      if ('problem' in content) expect(content.problem).toMatch(/'orders\.xlsx'.*\.$/)
      else expect(content.sheets.length).toBeGreaterThan(0)
    }),
    { numRuns: 300 },
  )
})
