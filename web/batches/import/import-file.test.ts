import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hasNoErrors, rowErrors } from '#contract/row-rules.ts'
import { TEMPLATE_HEADERS } from '#contract/rows.ts'
import {
  csv,
  firstImportedRow,
  importText,
  LINE,
  problem,
  tryImport,
  utf8,
} from '#tests/support/import-text.ts'
import { readSkuFile } from '#web/skus/sku-file.ts'

const AMAZON =
  'order-id order-item-id buyer-phone-number sku quantity-purchased quantity-to-ship recipient-name'
  + ' ship-address-1 ship-address-2 ship-address-3 ship-city ship-state ship-postal-code ship-country'
const ORDER = {
  'order-id': '111-0000001-0000001',
  'order-item-id': '11',
  sku: 'MUG',
  'quantity-purchased': '1',
  'recipient-name': 'Ana Lee',
  'ship-address-1': '9 Oak St',
  'ship-city': 'Portland',
  'ship-state': 'me',
  'ship-postal-code': '04101',
  'ship-country': 'US',
}
type Order = Record<string, string>
const amazon = (orders: Order[], header = AMAZON, end = '\n') => {
  const columns = header.split(' ')
  return [columns, ...orders.map(order => columns.map(column => order[column] ?? ''))]
    .map(cells => cells.join('\t'))
    .join(end)
}

test('a template file becomes rows with ids, lines and default item ids', () => {
  const { source, rows, notices, encoding } = importText(`${csv(LINE, LINE)}\r\n\r\n , ,\r\n`)
  expect([source, encoding, notices]).toEqual(['template', 'utf-8', []])
  expect(rows.map(({ id, line, orderItemId }) => [id, line, orderItemId])).toEqual([
    ['row-0', 1, 'item-0'],
    ['row-1', 2, 'item-1'],
  ])
  expect(rows[0]).toMatchObject({
    ToZipPostal: '04101',
    ToCountry: 'US',
    courier: 'usps',
    quantity: '1',
    ServiceName: '',
  })
  expect(
    hasNoErrors(rowErrors(firstImportedRow(importText(csv(LINE))), { needService: false })),
  ).toBe(true)
})

test('headers may be in any order and spelling; unknown ones are listed and ignored', () => {
  const header =
    'To Zip Code;to_name;COLOUR;to street;To City;to state;LENGTH;width;height;Weight (lb)'
  const row = firstImportedRow(
    importText(`${header}\n4101;"Lee; Ana";red;9 Oak St;Portland;ME;9;6;3;1`),
  )
  expect(row).toMatchObject({
    ToRecipientName: 'Lee; Ana',
    ToZipPostal: '04101',
    PackageWeight: '1',
    FromSenderName: 'Wanda Osei',
  })
  expect(row.notices).toEqual(['Zip 4101 read as 04101: a spreadsheet drops leading zeros.'])
  expect(importText(`COLOUR,${csv(`red,${LINE}`)}`).notices).toEqual(['Ignored columns: COLOUR.'])
})

test('the courier of a file is read, so that a row for another one is refused', () => {
  const { rows, notices } = importText(
    `Courier,${csv(`FedEx,${LINE}`, `USPS,${LINE}`, `,${LINE}`)}`,
  )
  expect(notices).toEqual([])
  expect(rows.map(({ courier }) => courier)).toEqual(['FedEx', 'USPS', 'usps'])
  expect(rows.map(one => rowErrors(one, { needService: false }))).toEqual([
    { courier: "Courier 'FedEx' is not sold here; type USPS, or leave it empty" },
    {},
    {},
  ])
})

test('quotes, commas and line breaks in cells stay in their cells', () => {
  expect(
    firstImportedRow(importText(csv(LINE.replace('9 Oak St', '"9 ""Oak"" St,\r\nRear"')))),
  ).toMatchObject({
    ToStreet1: '9 "Oak" St, Rear',
    ToCity: 'Portland',
  })
  expect(problem(csv(LINE.replace('Ana Lee', '"Ana Lee'), LINE))).toContain('is never closed')
})

test('any kind of line ending is accepted', () => {
  for (const end of ['\n', '\r', '\r\n'])
    expect(importText(csv(LINE, LINE).replaceAll('\r\n', end)).rows).toHaveLength(2)
  expect(importText(`sep=,\r\n${csv(LINE)}`).rows).toHaveLength(1)
  expect(importText(`${csv(LINE)}\n${LINE}`).rows).toHaveLength(2)
})

test('a row with too many commas gets a notice', () => {
  expect(
    firstImportedRow(importText(csv(LINE.replace('9 Oak St,', '9 Oak St, Rear,')))).notices,
  ).toEqual([expect.stringContaining('more cells than the header')])
})

test('a result file can be uploaded again and shows which rows have a label', () => {
  const header = `row,order_id,order_item_id,status,tracking_number,price,reason,${TEMPLATE_HEADERS.join(',')},tracking_page`
  const line = LINE.replace(',,,1 Mill', ",,'+1 503-555-0101,1 Mill")
  const imported = importText(
    `${header}\r\n1,111-1,22,completed,9800 1000 0000 0000 0000 17,6.5,,${line},https://labels.example/track/Zk3v0Qy7xV1mT9cRb2LwHg`,
  )
  expect(imported.notices).toEqual([])
  expect(firstImportedRow(imported)).toMatchObject({
    orderId: '111-1',
    orderItemId: '22',
    FromPhone: '+1 503-555-0101',
  })
  expect(firstImportedRow(imported).notices).toEqual([
    'This row already has a label: 9800 1000 0000 0000 0000 17.',
  ])
})

test('rows with a SKU come first, by SKU and descending quantity, with measures from the record', () => {
  const lines = [',,1', 'MUG,,5', 'BOX,2,1', 'MUG,3,2', ',,1', 'MUG,,5']
  const cells = LINE.split(',').slice(0, 16).join(',')
  const header = `${TEMPLATE_HEADERS.slice(0, 16).join(',')},SKU,WEIGHT,QUANTITY`
  const { rows } = importText([header, ...lines.map(line => `${cells},${line}`)].join('\n'))
  expect(rows.map(row => [row.line, row.skuNumber, row.quantity, row.PackageWeight])).toEqual([
    [3, 'BOX', '1', '2'],
    [2, 'MUG', '5', '1.5'],
    [6, 'MUG', '5', '1.5'],
    [4, 'MUG', '2', '3'],
    [1, '', '1', ''],
    [5, '', '1', ''],
  ])
  expect(rows[1]).toMatchObject({ id: 'row-1', PackageLength: '8', PackageDescription: 'Mug' })
  expect(rows[1]).toMatchObject({ PackageReference1: '5', PackageReference2: 'MUG' })
  // The quantity is a warning of the table, which follows the row's changes.
  expect(rows[1]?.notices).toEqual([])
})

test('a SKU that a spreadsheet forced to text is found in the SKU records of such a file', () => {
  const records = "sku,maxQty,weight,length,width,height\r\n'00123,1,2,9,6,3\r\n"
  const skus = readSkuFile(utf8(records), 'skus.csv')
  if (!('records' in skus)) throw new Error(skus.text)
  const { rows } = importText(amazon([{ ...ORDER, sku: "'00123" }]), { skus: skus.records })
  expect(rows).toMatchObject([{ skuNumber: '00123', PackageWeight: '2', PackageLength: '9' }])
})

test('a marketplace export becomes rows from the saved address', () => {
  const { source, rows, notices } = importText(
    amazon([{ ...ORDER, 'buyer-phone-number': '(503) 555-0101 Ext. 9' }]),
    { name: 'orders.txt' },
  )
  expect(source).toBe('amazon')
  expect(notices).toEqual([
    "1 phone number had an extension, such as 'Ext. 9', which is left out: the carrier takes the number only.",
  ])
  expect(rows[0]).toMatchObject({
    FromSenderName: 'Wanda Osei',
    FromZipPostal: '97470',
    ToPhone: '(503) 555-0101',
    ToStateProvince: 'ME',
    PackageWeight: '1.5',
    orderId: '111-0000001-0000001',
    orderItemId: '11',
    PackageReference1: '1',
    PackageReference2: 'MUG',
  })
  expect(problem(amazon([ORDER]), { senderAddress: undefined })).toBe('Please add an address first')
})

test('quotes are ordinary characters in a marketplace export', () => {
  const orders = ['"XL ruler 5in', 'a "b" c', '"whole, one"', '"'].map(sku => ({
    ...ORDER,
    sku,
    'ship-address-1': sku,
  }))
  expect(
    importText(amazon(orders))
      .rows.toSorted((a, b) => a.line - b.line)
      .map(row => row.ToStreet1),
  ).toEqual(['"XL ruler 5in', 'a "b" c', 'whole, one', '"'])
})

test('a marketplace export saved with commas is still recognized', () => {
  expect(
    importText(amazon([{ ...ORDER, 'ship-address-1': '"9 Oak St, Rear"' }]).replaceAll('\t', ',')),
  ).toMatchObject({ source: 'amazon', rows: [{ ToStreet1: '9 Oak St, Rear' }] })
})

test('only items left to ship get a label', () => {
  const { rows, notices } = importText(
    amazon([
      { ...ORDER, 'quantity-purchased': '4', 'quantity-to-ship': '1' },
      { ...ORDER, 'order-item-id': '', 'quantity-to-ship': '0' },
      { ...ORDER, 'order-item-id': '' },
    ]),
  )
  expect(rows.map(row => [row.line, row.quantity, row.orderItemId])).toEqual([
    [1, '1', '11'],
    [3, '1', 'item-2'],
  ])
  expect(rows[0]?.notices).toEqual(['1 of 4 items are still to ship.'])
  expect(notices[0]).toBe('1 line (1 order) was left out: nothing left to ship (line 2).')
  expect(problem(amazon([{ ...ORDER, 'quantity-to-ship': '0' }]))).toContain(
    'Nothing in orders.csv is left to ship. 1 line (1 order) was left out',
  )
})

test('later items of an order get its address, and duplicates get a notice', () => {
  const bare = {
    'order-id': ORDER['order-id'],
    'order-item-id': '12',
    sku: 'BOX',
    'quantity-purchased': '2',
  }
  const { rows, notices } = importText(amazon([ORDER, bare, bare]))
  expect(rows.map(row => row.skuNumber)).toEqual(['BOX', 'BOX', 'MUG'])
  expect(rows.map(row => [row.ToCity, row.ToZipPostal])).toEqual(
    Array(3).fill(['Portland', '04101']),
  )
  expect(rows.map(row => row.notices)).toEqual([
    [],
    ['Line 2 has the same order item. Both would get a label.'],
    [],
  ])
  expect(notices).toEqual(['1 order with several items: each of the 3 lines gets its own label.'])
})

test('the third address line is kept', () => {
  const street2 = (change: Order) =>
    firstImportedRow(importText(amazon([{ ...ORDER, ...change }]))).ToStreet2
  expect(street2({ 'ship-address-2': 'Apt 4', 'ship-address-3': 'Side door' })).toBe(
    'Apt 4, Side door',
  )
  expect(street2({ 'ship-address-3': 'Side door' })).toBe('Side door')
  expect(
    firstImportedRow(
      importText(amazon([{ ...ORDER, 'ship-address-1': '', 'ship-address-2': '9 Oak St' }])),
    ),
  ).toMatchObject({ ToStreet1: '9 Oak St', ToStreet2: '' })
})

test('company and phone are found under the column names of real reports', () => {
  const header = AMAZON.replace(
    'buyer-phone-number',
    'buyer-company buyer-company-name ship-phone-number',
  )
  expect(
    firstImportedRow(
      importText(
        amazon(
          [{ ...ORDER, 'buyer-company-name': 'Lee LLC', 'ship-phone-number': '503-555-0102' }],
          header,
        ),
      ),
    ),
  ).toMatchObject({ ToCompany: 'Lee LLC', ToPhone: '503-555-0102' })
})

test('an international order is an error of its own row; Puerto Rico is domestic', () => {
  const island = { ...ORDER, 'order-item-id': '9', 'ship-country': 'PR', 'ship-state': 'PR' }
  const { rows } = importText(
    amazon([{ ...ORDER, 'ship-country': 'CA', 'ship-state': 'ON' }, island]),
  )
  expect(rows.map(row => rowErrors(row).ToCountry)).toEqual([
    "Country 'CA' is not supported; we ship within the US only",
    undefined,
  ])
})

test('numbers rounded by a spreadsheet are not used', () => {
  const row = firstImportedRow(
    importText(
      amazon([{ ...ORDER, 'order-item-id': '1.82636E+13', 'buyer-phone-number': '1.5036E+10' }]),
    ),
  )
  expect(row.orderItemId).toBe('item-0')
  expect(row.notices).toHaveLength(2)
})

test('every unusable file gets an error that says what to do', () => {
  const bytes = (...head: number[]) => new Uint8Array([...head, 1, 2, 3])
  expect(problem(bytes(0x50, 0x4b, 3, 4), { name: 'a.xlsx' })).toContain('spreadsheet workbook')
  expect(problem(bytes(0xd0, 0xcf, 0x11, 0xe0), { name: 'a.csv' })).toContain(
    'spreadsheet workbook',
  )
  expect(problem(bytes(0x25, 0x50, 0x44, 0x46), { name: 'a.txt' })).toContain('PDF')
  expect(problem(bytes(0x89, 0x50, 0x4e, 0x47))).toContain('image')
  const empty = 'orders.csv: The file is empty. Choose another file, or export it again.'
  expect(problem('')).toBe(empty)
  expect(problem('\n \r\n')).toBe(empty)
  expect(problem(csv(LINE), { name: 'orders.doc' })).toBe(
    'orders.doc is not accepted: only .csv, .txt, .tsv and .xlsx files are. Save the rows as one of these.',
  )
  expect(problem(csv(LINE), { name: 'orders.xlsx' })).toContain('is damaged or incomplete')
  const noRows = 'orders.csv has a header line but no rows. Add rows, or export the file again.'
  expect([problem(csv()), problem(amazon([]))]).toEqual([noRows, noRows])
  expect(problem('Dear Sir,\nplease find')).toContain(
    'We don’t recognize the columns in orders.csv',
  )
  expect(problem(csv(LINE).replace('TO ZIP', 'TO ZAP').replace('WEIGHT', 'MASS'))).toBe(
    'orders.csv is missing the columns TO ZIP, WEIGHT. Download the Bulk Template CSV to see all columns.',
  )
  expect(problem(csv(LINE, LINE, LINE), { maxRows: 2 })).toBe(
    'orders.csv has 3 rows. A bulk order takes up to 2. Split the file.',
  )
  expect(problem('sku,maxQty,weight,length,width,height\nMUG,1,1,1,1,1')).toContain(
    'SKU Management',
  )
  expect(problem('amazon-order-id\tsku\n1\t2')).toContain('"All orders" report')
  expect(problem('order-id\tcarrier-code\ttracking-number\n1\t2\t3')).toContain(
    'shipping confirmation',
  )
  expect(problem(amazon([ORDER], AMAZON.replace('recipient-name', 'name')))).toContain(
    'missing the column recipient-name',
  )
})

test('a file that is not Unicode is read and says so', () => {
  const latin = Uint8Array.from(csv(LINE.replace('Ana Lee', 'Zoë Núñez')), letter =>
    letter.charCodeAt(0),
  )
  const imported = importText(latin)
  expect(imported).toMatchObject({
    encoding: 'windows-1252',
    rows: [{ ToRecipientName: 'Zoë Núñez' }],
  })
  expect(imported.notices).toEqual([expect.stringContaining('Windows-1252')])
})

test('a letter that cannot be read is an error of its row, and the file says so', () => {
  const [before, after] = csv(
    LINE.replace('Ana Lee', 'Zoë Lee'),
    LINE.replace('Ana Lee', 'X Lee'),
  ).split('X')
  const bytes = Uint8Array.of(...utf8(`\ufeff${before}Jos`), 0xe9, ...utf8(after!))
  const { rows, notices } = importText(bytes)
  expect(rows.map(row => row.ToRecipientName)).toEqual(['Zoë Lee', 'Jos\ufffd Lee'])
  expect(rows.map(row => rowErrors(row, { needService: false }).ToRecipientName)).toEqual([
    undefined,
    expect.stringContaining('cannot be printed'),
  ])
  expect(notices).toEqual([expect.stringContaining('shown as \ufffd')])
})

test('any file content gives rows or an error sentence', () => {
  const piece = fc.constantFrom(
    '"',
    '""',
    ',',
    '\t',
    '\n',
    '\r',
    ';',
    '=',
    "'",
    '\0',
    'sep=;',
    '111-1',
    'MUG',
    'é',
    '😀',
    '\ud800',
  )
  const body = fc.array(piece, { maxLength: 60 }).map(pieces => pieces.join(''))
  const template = TEMPLATE_HEADERS.join(',')
  const header = fc.constantFrom(
    '',
    `${template}\n`,
    `${AMAZON.replaceAll(' ', '\t')}\n`,
    `SKU,${template}\r\n`,
  )
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.tuple(header, body).map(parts => utf8(parts.join(''))),
  )
  fc.assert(
    fc.property(bytes, file => {
      const answer = tryImport(file)
      const rows = 'rows' in answer ? answer.rows : []
      expect('problem' in answer ? answer.problem : 'orders.csv has rows.').toMatch(
        /orders\.csv.*\.$/s,
      )
      expect(rows.map(row => row.id)).toEqual(rows.map((_, index) => `row-${index}`))
      expect(rows.length > 0 || !('rows' in answer)).toBe(true)
      for (const row of rows) rowErrors(row)
    }),
    { numRuns: 500 },
  )
})
