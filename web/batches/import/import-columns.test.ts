import { expect, test } from 'vitest'
import { rowErrors } from '#contract/row-rules.ts'
import { TEMPLATE_HEADERS } from '#contract/rows.ts'
import {
  csv,
  firstImportedRow,
  importText,
  LINE,
  problem,
  SENDER,
  tryImport,
} from '#tests/support/import-text.ts'
import { fingerprintOf, importSheet } from './import-file.ts'

const NAMES = 'Who,Where,Town,Region,Code,Grams'
const MAPPING = {
  columns: [
    { header: 'Who', use: 'LastName' as const },
    { header: 'Where', use: 'ToStreet1' as const },
    { header: 'Town', use: 'ToCity' as const },
    { header: 'Region', use: 'ToStateProvince' as const },
    { header: 'Code', use: 'ToZipPostal' as const },
    { header: 'Grams', use: 'PackageWeight' as const, unit: 'g' as const },
  ],
  constants: { PackageLength: '9', PackageWidth: '6', PackageHeight: '3' },
}
const OWN = `${NAMES}\nLee,9 Oak St,Portland,ME,4101,500\nOsei,"4 Elm Ave\nRear",Reno,NV,89501,`

test('unknown columns are handed on with three values of each and a fingerprint', () => {
  const more = `${OWN}\nFalk,x,Reno,NV,89501,\nLars,x,Reno,NV,89501,1`
  const answer = tryImport(`My orders of today\n\n${more}`)
  expect(answer).toMatchObject({
    unknownColumns: {
      headers: NAMES.split(','),
      fingerprint: fingerprintOf(NAMES.split(',')),
      rows: { length: 5 },
    },
  })
  const { samples } = 'unknownColumns' in answer ? answer.unknownColumns : { samples: [] }
  expect([samples[0], samples[5]]).toEqual([
    ['Lee', 'Osei', 'Falk'],
    ['500', '1'],
  ])
  expect(fingerprintOf(['WHO', 'where ', 'Town', 'Region', 'Code', 'Grams'])).toBe(
    fingerprintOf(NAMES.split(',')),
  )
  expect(fingerprintOf(NAMES.split(',').toReversed())).not.toBe(fingerprintOf(NAMES.split(',')))
})

test('matched columns are read at once, with units and values for all rows', () => {
  const asked: string[] = []
  const { source, rows, columns, headerFingerprint } = importText(OWN, {
    mapping(fingerprint) {
      asked.push(fingerprint)
      return fingerprint === fingerprintOf(NAMES.split(',')) ? MAPPING : undefined
    },
  })
  expect([source, headerFingerprint]).toEqual(['mapped', asked[0]])
  expect(columns).toEqual(MAPPING.columns)
  expect(rows[0]).toMatchObject({
    FromSenderName: 'Wanda Osei',
    ToRecipientName: 'Lee',
    ToZipPostal: '04101',
    PackageWeight: '1.1023',
    PackageLength: '9',
    notices: [
      'Weight: 500 g read as 1.1023 lb.',
      'Zip 4101 read as 04101: a spreadsheet drops leading zeros.',
    ],
  })
  expect(rows[1]).toMatchObject({ ToStreet1: '4 Elm Ave Rear', PackageWeight: '' })
})

test('a street number in a column of its own is put before its street, once', () => {
  const mapping = {
    ...MAPPING,
    columns: [...MAPPING.columns, { header: 'Nr', use: 'StreetNumber' as const }],
  }
  const text = [
    'Oak St,Portland,ME,04101,5,9',
    '9 Oak St,Portland,ME,04101,5,9',
    ',Reno,NV,89501,5,9',
  ]
  const { rows } = importText(`${NAMES},Nr\n${text.map(line => `Lee,${line}`).join('\n')}`, {
    mapping: () => mapping,
  })
  expect(rows.map(one => one.ToStreet1)).toEqual(['9 Oak St', '9 Oak St', ''])
})

test('the user’s columns take the place of those of a known source, and can be asked for', () => {
  const header = TEMPLATE_HEADERS.map(name => ({ header: name, use: 'unused' as const }))
  const columns = header.map(column =>
    column.header === 'TO COMPANY' ? { ...column, use: 'ToRecipientName' as const } : column,
  )
  const text = csv(LINE.replace('Ana Lee,', 'Ana Lee,Lee LLC'))
  const mapped = importText(text, { mapping: () => ({ columns, constants: {} }) })
  expect(mapped).toMatchObject({ source: 'template', rows: [{ ToRecipientName: 'Lee LLC' }] })
  expect(tryImport(text, { askColumns: true })).toMatchObject({
    unknownColumns: { headers: TEMPLATE_HEADERS },
  })
})

test('rows of a workbook are read like those of a text file', () => {
  const rows = [
    ['Orders of September'],
    [],
    ...csv(LINE)
      .split('\r\n')
      .map(line => line.split(',')),
  ]
  const context = { senderAddress: SENDER, skus: [], maxRows: 10 }
  const meta = { fileName: 'orders.xlsx', notices: ['Sheet 2 is hidden.'] }
  expect(importSheet(rows, meta, context)).toMatchObject({
    source: 'template',
    encoding: '',
    notices: ['Sheet 2 is hidden.'],
    rows: [{ line: 1, ToRecipientName: 'Ana Lee' }],
  })
})

test('the header row is found below titles, blank lines and explanations', () => {
  const titles = 'Orders of September\r\n\r\n"for Wanda, to ship; today"\r\n'
  expect(importText(titles + csv(LINE)).rows).toMatchObject([{ line: 1, ToCity: 'Portland' }])
  const semicolons = csv(LINE).replaceAll(',', ';')
  expect(importText(`sep=;\r\n\r\nA, B, C, D\r\n${semicolons}`).rows).toHaveLength(1)
  expect(importText(csv(LINE).replaceAll(',', '\t'), { name: 'orders.tsv' }).rows).toHaveLength(1)
  const late = 'x\n'.repeat(10)
  expect('rows' in tryImport(late + csv(LINE))).toBe(false)
})

test('of two columns of one name the first is read, and the other named', () => {
  const { rows, notices } = importText(`${TEMPLATE_HEADERS.join(',')},TO CITY\n${LINE},Elsewhere`)
  expect(rows[0]?.ToCity).toBe('Portland')
  expect(notices).toEqual(['Ignored columns: TO CITY.'])
})

test('a column named Constructor is ignored like others that are not known', () => {
  const { rows, notices } = importText(`${TEMPLATE_HEADERS.join(',')},Constructor\n${LINE},7`)
  expect(rows[0]?.PackageWeight).toBe(importText(csv(LINE)).rows[0]?.PackageWeight)
  expect(notices).toEqual(['Ignored columns: Constructor.'])
})

test('a bare order id proves nothing', () => {
  const text = 'Order ID,Recipient,Address,City,Region,Code\n1,Ana Lee,9 Oak St,Portland,ME,04101'
  expect(tryImport(text)).toHaveProperty('unknownColumns')
})

test('a column of units is read with the figures of its row', () => {
  const units = `${TEMPLATE_HEADERS.join(',')},WEIGHT UNIT,SIZE UNIT`
  const { rows, notices } = importText(`${units}\n${LINE},oz,cm`)
  const [weight, length] = ['PackageWeight', 'PackageLength'].map(name =>
    Number(rows[0]![name as 'PackageWeight']),
  )
  const plain = importText(csv(LINE)).rows[0]!
  expect(weight).toBeCloseTo(Number(plain.PackageWeight) / 16, 4)
  expect(length).toBeCloseTo(Number(plain.PackageLength) / 2.54, 4)
  expect(notices).toEqual([])
  expect(importText(`${units}\n${LINE},stone,`).rows[0]!.PackageWeight).toBe(
    `${plain.PackageWeight} stone`,
  )
  const withComma = LINE.replace(/[^,]+$/, '"2,5"')
  expect(importText(`${units}\n${withComma},oz,`).rows[0]!.PackageWeight).toBe('2,5 oz')
})

test('services of a file become ours by the user’s match; others are left to the page', () => {
  const header = ['Name', 'Street', 'City', 'State', 'Zip', 'Ship method']
  const text = `${header.join(',')}\nAna Lee,9 Oak St,Portland,ME,04101,Std\nBo,9 Oak St,Portland,ME,04101,Express`
  const uses = [
    'ToRecipientName',
    'ToStreet1',
    'ToCity',
    'ToStateProvince',
    'ToZipPostal',
    'ServiceName',
  ] as const
  const columns = header.map((name, at) => ({
    header: name,
    use: uses[at]!,
    ...(uses[at] === 'ServiceName' && { values: { Std: 'USPS Ground Advantage' } }),
  }))
  const { rows } = importText(text, { mapping: () => ({ columns, constants: {} }) })
  expect(rows.map(row => row.ServiceName)).toEqual(['USPS Ground Advantage', ''])
  expect(rows[1]!.notices).toEqual([
    "Service 'Express' has no match; the service chosen on the page applies.",
  ])
  const asked = tryImport(text, { askColumns: true })
  expect('unknownColumns' in asked && asked.unknownColumns.values.at(-1)).toEqual([
    'Std',
    'Express',
  ])
})

test('a unit in a header that is not known is named with those that are', () => {
  expect(problem(csv(LINE).replace('WEIGHT', 'Weight (stone)'))).toBe(
    'We don’t know the unit of the column Weight (stone) in orders.csv. Use lb, oz, kg or g.',
  )
})

test('a file of 50,001 rows is refused in a sentence', () => {
  const text = csv(...Array<string>(50_001).fill(LINE))
  expect(problem(text, { maxRows: 50_000 })).toBe(
    'orders.csv has 50,001 rows. A bulk order takes up to 50,000. Split the file.',
  )
})

test('a cell of 10 MB is an error of its row', () => {
  const huge = 'x'.repeat(10 * 2 ** 20)
  for (const field of ['Ana Lee', 'Portland', '04101', 'Roseburg']) {
    const row = firstImportedRow(importText(csv(LINE.replace(field, huge))))
    expect(Object.values(rowErrors(row, { needService: false }))).toEqual([
      expect.stringContaining('this has 10485760'),
    ])
  }
})

test('a file name is shown in one line and not too long', () => {
  const name = `${'x'.repeat(100)}\u202e\n.csv`
  expect(problem('', { name })).toBe(
    `${'x'.repeat(60)}…: The file is empty. Choose another file, or export it again.`,
  )
})

test('the delimiter is the one that divides every line', () => {
  const lines = [
    'Who;Where;Town;Region;Code',
    'Ana Lee;"9 Oak St; Rear, left, behind, the, big, red, door";Reno;NV;89501',
    'Bo Osei;4 Elm Ave, a, b, c, d, e, f, g, h, i, j;Reno;NV;89501',
  ]
  expect(tryImport(lines.join('\n'))).toMatchObject({
    unknownColumns: { headers: ['Who', 'Where', 'Town', 'Region', 'Code'] },
  })
})

test('a quote that is never closed does not swallow the lines of a tab-separated file', () => {
  const tabbed = csv(LINE.replace('Ana Lee', '"Ana Lee'), LINE).replaceAll(',', '\t')
  expect(importText(tabbed, { name: 'orders.tsv' }).rows.map(row => row.ToRecipientName)).toEqual([
    '"Ana Lee',
    'Ana Lee',
  ])
})
