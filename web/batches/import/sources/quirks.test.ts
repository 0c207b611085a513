import { expect, test } from 'vitest'
import type { ColumnMapping } from '#contract/imports.ts'
import { rowErrors } from '#contract/row-rules.ts'
import { TEMPLATE_HEADERS } from '#contract/rows.ts'
import { SELLER_FILES } from '#tests/support/seller-files.ts'
import type { SellerFormat } from '#tests/support/seller-files.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { importFile } from '#web/batches/import/import-file.ts'
import type { ImportContext, ImportResult } from '#web/batches/import/import-file.ts'

const SENDER = {
  name: 'Wanda Osei',
  street: '1 Mill Rd',
  city: 'Roseburg',
  state: 'OR',
  zip: '97470',
}

type Cells = Record<string, string>
/** A file with the columns of a real export, most of them empty. */
function fileOf(format: SellerFormat, lines: readonly Cells[]): string {
  const header = SELLER_FILES[format].columns.trim().split(/,\s*/)
  const cell = (text = '') => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  return [header, ...lines.map(line => header.map(column => line[column]))]
    .map(cells => cells.map(cell).join(','))
    .join('\n')
}
function readText(text: string, change: Partial<ImportContext> = {}): ImportResult {
  const context = { senderAddress: SENDER, skus: [], maxRows: 100, ...change }
  const answer = importFile(new TextEncoder().encode(text), 'orders.csv', context)
  if (!('rows' in answer)) throw new Error(JSON.stringify(answer))
  return { ...answer, rows: answer.rows.toSorted((a, b) => a.line - b.line) }
}
const read = (format: SellerFormat, ...lines: Cells[]) => readText(fileOf(format, lines))
const pick = <Name extends keyof GridRow>(rows: readonly GridRow[], ...names: Name[]) =>
  rows.map(row => names.map(name => row[name]))

const SHOPIFY = {
  Name: '#1001',
  'Financial Status': 'paid',
  'Lineitem quantity': '1',
  'Lineitem sku': 'MUG',
  'Shipping Name': 'Ana Lee',
  'Shipping Address1': '9 Oak St,\nRear',
  'Shipping City': 'Portland',
  'Shipping Zip': "'04101",
  'Shipping Province': 'ME',
  'Shipping Country': 'US',
}

test('later lines of a Shopify order get its address and status', () => {
  const more = { Name: '#1001', 'Lineitem quantity': '2', 'Lineitem sku': 'TEE' }
  const { rows, leftOut } = read(
    'shopify',
    { ...SHOPIFY, 'Financial Status': 'partially_refunded' },
    more,
    { ...SHOPIFY, Name: '#1002', 'Cancelled at': '2026-09-14' },
    { ...more, Name: '#1002' },
    { ...SHOPIFY, Name: '#1003' },
    { ...more, Name: '#1003', 'Lineitem fulfillment status': 'fulfilled' },
    { ...more, Name: '#1003', 'Lineitem sku': 'BOX' },
  )
  expect(pick(rows, 'orderItemId', 'skuNumber', 'ToStreet1', 'ToZipPostal')).toEqual([
    ['#1001-1', 'MUG', '9 Oak St, Rear', '04101'],
    ['#1001-2', 'TEE', '9 Oak St, Rear', '04101'],
    ['#1003-1', 'MUG', '9 Oak St, Rear', '04101'],
    ['#1003-3', 'BOX', '9 Oak St, Rear', '04101'],
  ])
  expect(rows[1]?.notices).toEqual([
    'This order was partly refunded. Check that this item is still to be shipped.',
    'The lines of To Street were combined into one.',
  ])
  expect(leftOut).toEqual([
    { reason: 'cancelled', lines: 2, orders: 1 },
    { reason: 'already fulfilled', lines: 1, orders: 1 },
  ])
})

test('an item without a SKU is described by its name, as far as it fits and can be printed', () => {
  const noSku = { ...SHOPIFY, 'Lineitem sku': '' }
  const { rows } = read(
    'shopify',
    { ...noSku, 'Lineitem name': 'Poster - Large' },
    { Name: '#1001', 'Lineitem quantity': '2', 'Lineitem name': 'Frame\u0007\nblack' },
    { ...SHOPIFY, Name: '#1002', 'Lineitem name': 'Mug - Blue' },
    { ...noSku, Name: '#1003', 'Lineitem name': `${'x'.repeat(199)}🎁 wrapped` },
    { ...noSku, Name: '#1004' },
  )
  expect(rows.map(row => row.PackageDescription)).toEqual([
    'Poster - Large',
    'Frame black',
    '',
    'x'.repeat(199),
    '',
  ])
  expect(rows.map(row => rowErrors(row).PackageDescription).filter(Boolean)).toEqual([])
})

test('an eBay parent line without item lines is an item, the count of records below it is no order', () => {
  const line = {
    'Order Number': '27-1',
    'Ship To Name': 'Ana Lee',
    'Ship To Address 1': '9 Oak St',
    'Ship To City': 'Portland',
    'Ship To State': 'ME',
    'Ship To Zip': '04101',
    Quantity: '1',
    'Paid On Date': 'Oct-05-26',
  }
  const inOneCell = { 'Sales Record Number': '1 record(s) downloaded' }
  const inCells = { 'Sales Record Number': '1', 'Order Number': 'record(s) downloaded' }
  const { rows, leftOut, notices } = read('ebay', line, inOneCell, inCells)
  expect(pick(rows, 'orderId', 'orderItemId')).toEqual([['27-1', '27-1-1']])
  expect(leftOut).toEqual([{ reason: 'without an order', lines: 2, orders: 0 }])
  expect(notices).toEqual(['2 lines were left out: without an order (lines 2, 3).'])
})

const WALMART = {
  'PO#': '108000000000001',
  'Line#': '1',
  'Customer Name': 'Ana Lee',
  'Ship to Address 1': '9 Oak St',
  City: 'Portland',
  State: 'ME',
  Zip: '04101',
  Status: 'Created',
  Qty: '2',
  SKU: 'MUG',
}

test('a Walmart row keeps the columns of its sheet for the confirmation, up to the limit', () => {
  const long = { ...WALMART, 'Line#': '2', 'Item Description': 'x'.repeat(5000) }
  const wfs = { ...WALMART, 'Fulfillment Entity': 'Walmart Fulfilled' }
  const { rows, leftOut } = read('walmart', WALMART, long, wfs)
  expect(rows[0]?.items).toEqual([
    { orderItemId: '1', sku: 'MUG', quantity: '2', extra: expect.objectContaining(WALMART) },
  ])
  expect(Object.keys(rows[0]?.items?.[0]?.extra ?? {})).toEqual(
    SELLER_FILES.walmart.columns.trim().split(/,\s*/),
  )
  expect(rows[1]?.items?.[0]?.extra).toMatchObject({
    'PO#': '108000000000001',
    'Tracking Number': '',
  })
  expect(rows[1]?.notices.at(-1)).toBe(
    'Too long for the confirmation file, so left out there: Item Description.',
  )
  expect(leftOut).toEqual([{ reason: 'shipped by the marketplace', lines: 1, orders: 1 }])
})

const TIKTOK = {
  'Order ID': '577384719283746123\t',
  'Order Status': 'To ship',
  'Order Substatus': 'Awaiting shipment',
  'Seller SKU': 'MUG',
  Quantity: '3',
  Recipient: 'Ana Lee',
  'Phone #': '(+1)5035550101',
  Country: 'United States',
  State: 'Maine',
  City: 'Portland',
  Zipcode: '04101',
  'Address Line 1': '9 Oak St',
  'Weight(kg)': '0.5',
}

test('masked TikTok addresses stay as rows that cannot be bought, with the remedy', () => {
  const masked = { ...TIKTOK, Recipient: 'A*** L***', 'Phone #': '(+1)503****101' }
  const { rows } = read('tiktok', masked)
  expect(rowErrors(rows[0]!).ToRecipientName).toContain(
    'export the orders again with personal data',
  )
  expect(rows[0]?.ToPhone).toBe('')
  expect(rows[0]?.notices).toContain("Phone '(+1)503****101' is masked and is left out.")
})

test('returned pieces are not shipped, and kilograms are read as pounds', () => {
  const part = { ...TIKTOK, 'Sku Quantity of return': '1' }
  const all = { ...TIKTOK, 'Sku Quantity of return': '3' }
  const { rows, leftOut } = read('tiktok', part, all)
  expect(pick(rows, 'quantity', 'PackageReference1', 'PackageWeight')).toEqual([
    ['2', '2', '1.1023'],
  ])
  expect(rows[0]?.notices).toEqual([
    'Weight: 0.5 kg read as 1.1023 lb.',
    '2 of 3 items are still to ship.',
  ])
  expect(leftOut).toEqual([{ reason: 'refunded', lines: 1, orders: 1 }])
})

test('order ids that a spreadsheet has rounded are never used', () => {
  const rounded = ['577384719283746000', '577384719283747000', '5.77385E+17']
  const { rows } = read('tiktok', ...rounded.map(id => ({ ...TIKTOK, 'Order ID': id })))
  expect(pick(rows, 'orderId', 'orderItemId')).toEqual([
    ['', 'item-0'],
    ['', 'item-1'],
    ['', 'item-2'],
  ])
  expect(rows[0]?.notices).toContain(
    "Order ID '577384719283746000' was changed by a spreadsheet and is left out.",
  )
  const exact = read('tiktok', TIKTOK, { ...TIKTOK, 'Order ID': '577384719283747000' })
  expect(pick(exact.rows, 'orderId')).toEqual([['577384719283746123'], ['577384719283747000']])
})

test('an order on one line keeps its items', () => {
  const { rows } = read('bigcommerce', {
    'Order ID': '7',
    'Order Status': 'Partially Shipped',
    'Shipping Name': 'Ana Lee',
    'Shipping Street 1': '9 Oak St',
    'Shipping City': 'Portland',
    'Shipping State': 'Maine',
    'Shipping Zip Code': '4101',
    'Shipping Country': 'United States',
    'Product Details':
      'Product ID: 1, Product Qty: 2, Product SKU: MUG, Product Name: Mug, blue'
      + '|Product ID: 2, Product Qty: 1, Product SKU: , Product Name: Gift, wrapped',
  })
  expect(rows[0]).toMatchObject({
    ToZipPostal: '04101',
    quantity: '3',
    skuNumber: '',
    PackageDescription: '2x MUG, 1x Gift, wrapped',
    items: [
      { orderItemId: '7-1', sku: 'MUG', quantity: '2' },
      { orderItemId: '7-2', sku: '', quantity: '1' },
    ],
  })
  expect(rows[0]?.notices).toEqual([
    'This order is partly shipped. Check that this item is still to be shipped.',
    'Zip 4101 read as 04101: a spreadsheet drops leading zeros.',
  ])
})

test('an order of one item without a SKU is described by the name of the item', () => {
  const order = {
    'Order ID': '7',
    'Order Status': 'Awaiting Fulfillment',
    'Shipping Name': 'Ana Lee',
    'Shipping Street 1': '9 Oak St',
  }
  const itemOf = (sku: string) =>
    `Product ID: 1, Product Qty: 3, Product SKU: ${sku}, Product Name: Poster, large`
  const { rows } = read(
    'bigcommerce',
    { ...order, 'Product Details': itemOf('') },
    { ...order, 'Order ID': '8', 'Product Details': itemOf('POSTER') },
  )
  expect(pick(rows, 'quantity', 'skuNumber', 'PackageDescription')).toEqual([
    ['3', '', 'Poster, large'],
    ['3', 'POSTER', ''],
  ])
})

test('foreign orders are an error of their row', () => {
  const { rows } = read('etsy', {
    'Order ID': '3100000001',
    'Full Name': 'Ana Lee',
    'Street 1': '9 Oak St',
    'Ship City': 'Toronto',
    'Ship State': 'ON',
    'Ship Zipcode': 'M4B 1B3',
    'Ship Country': 'Canada',
  })
  expect(rowErrors(rows[0]!).ToCountry).toBe(
    "Country 'Canada' is not supported; we ship within the US only",
  )
})

test('a British Etsy shop has other names for the same columns', () => {
  const header =
    'Order ID,Full Name,Street 1,Delivery City,Delivery State,Delivery Zipcode,Delivery Country,Date Posted'
  const { source, rows } = readText(
    `${header}\n31,Ana Lee,9 Oak St,Portland,ME,04101,United States,`,
  )
  expect(source).toBe('etsy')
  expect(pick(rows, 'ToCity', 'ToZipPostal', 'quantity')).toEqual([['Portland', '04101', '1']])
})

const LINE =
  'Wanda Osei,,,1 Mill Rd,,Roseburg,OR,97470,Ana Lee,,,9 Oak St,,Portland,ME,04101,9,6,3,1'
const template = (...lines: string[]) => [TEMPLATE_HEADERS.join(','), ...lines].join('\n')

test('a row without a sender gets the saved address; a sender with a gap keeps its errors', () => {
  const empty = LINE.replace('Wanda Osei,,,1 Mill Rd,,Roseburg,OR,97470', ',,,,,,,')
  const gap = LINE.replace('Roseburg', '')
  const { rows, notices } = readText(template(LINE, empty, gap))
  expect(pick(rows, 'FromSenderName', 'FromCity')).toEqual([
    ['Wanda Osei', 'Roseburg'],
    ['Wanda Osei', 'Roseburg'],
    ['Wanda Osei', ''],
  ])
  expect(notices).toEqual(['1 row has empty sender columns, so your saved address is used there.'])
  expect(readText(template(empty)).notices).toEqual([
    'The sender columns are empty, so your saved address is used.',
  ])
  expect(rowErrors(readText(template(empty), { senderAddress: undefined }).rows[0]!)).toMatchObject(
    {
      FromSenderName: 'Name is required',
    },
  )
})

test('units of columns and cells are read, pounds and ounces are added', () => {
  const header = TEMPLATE_HEADERS.slice(0, 16).join(',')
  const address = LINE.split(',').slice(0, 16).join(',')
  const { rows, notices } = readText(
    `${header},Length (cm),width,Height [in],Pounds,Ounces\n${address},30,12in,1 ft,1,4\n${address},x,2 furlongs,3,,8`,
  )
  expect(notices).toEqual([])
  expect(pick(rows, 'PackageLength', 'PackageWidth', 'PackageHeight', 'PackageWeight')).toEqual([
    ['11.811', '12', '12', '1.25'],
    ['x', '2 furlongs', '3', '0.5'],
  ])
  expect(rows[0]?.notices).toEqual([
    'Length: 30 cm read as 11.811 in.',
    'Height: 1 ft read as 12 in.',
    'Weight: 1 lb 4 oz read as 1.25 lb.',
  ])
  expect(rowErrors(rows[1]!).PackageWidth).toContain('unknown unit; use in, cm, mm or ft')
})

test('a measure that a file names in two units is read once, from its first column', () => {
  const header = TEMPLATE_HEADERS.slice(0, 16).join(',')
  const address = LINE.split(',').slice(0, 16).join(',')
  const file =
    `${header},Length (in),Length (cm),Width,Height,Weight (lb),Weight (kg)\n`
    + `${address},10,25.4,5,5,2,0.907`
  const { rows, columns, headerFingerprint, notices } = readText(file)
  expect(pick(rows, 'PackageLength', 'PackageWeight')).toEqual([['10', '2']])
  expect(notices).toEqual([expect.stringContaining('Length (cm), Weight (kg)')])
  const saved: ColumnMapping = {
    columns: columns.map(column =>
      column.header === 'Weight (kg)' ? { ...column, use: 'PackageWeight', unit: 'kg' } : column,
    ),
    constants: {},
    version: 2,
  }
  const again = readText(file, { mapping: key => (key === headerFingerprint ? saved : undefined) })
  expect(pick(again.rows, 'PackageLength', 'PackageWeight')).toEqual([['10', '2']])
  expect(again.columns.at(-1)).toEqual({ header: 'Weight (kg)', use: 'unused' })
})

test('a part of a weight without a unit is in pounds', () => {
  const header = [...TEMPLATE_HEADERS.slice(0, -1), 'Weight', 'More'].join(',')
  const first = readText(`${header}\n${LINE},8`)
  const mapping: ColumnMapping = {
    columns: first.columns.map(column =>
      column.header === 'More' ? { ...column, use: 'PackageWeight', unit: 'oz' } : column,
    ),
    constants: {},
  }
  const { rows } = readText(`${header}\n${LINE},8\n${LINE},\n${LINE.slice(0, -1)},8`, {
    mapping: () => mapping,
  })
  expect(pick(rows, 'PackageWeight')).toEqual([['1.5'], ['1'], ['0.5']])
})

test('what keeps a spreadsheet from changing a cell is taken off', () => {
  const { rows } = readText(
    template(LINE.replace('04101', "'04101").replace(',,9 Oak', ",'+1 503-555-0101,9 Oak")),
  )
  expect(pick(rows, 'ToZipPostal', 'ToPhone')).toEqual([['04101', '+1 503-555-0101']])
  const formula = readText(template(LINE.replace('04101', '"=""04101"""')))
  expect(formula.rows[0]?.ToZipPostal).toBe('04101')
})

test('a phone number that is none is left out with a note, and an extension is kept', () => {
  const withPhone = (phone: string) => LINE.replace(',,9 Oak', `,${phone},9 Oak`)
  const { rows } = readText(
    template(...['ask Ana', 'n/a', '555-0192 ext. 9', '12x4'].map(withPhone)),
  )
  expect(rows.map(row => [row.ToPhone, row.notices, rowErrors(row).ToPhone])).toEqual([
    ['', ["Phone 'ask Ana' has no digits and is left out."], undefined],
    ['', [], undefined],
    [
      '555-0192 ext. 9',
      ["The carrier gets the phone '555-0192 ext. 9' without its extension."],
      undefined,
    ],
    ['12x4', [], expect.stringContaining("Phone '12x4' is not a phone number")],
  ])
})

test('an address in two lines of a cell becomes one line, and the row says so', () => {
  const address = 'Mason Trading,,,100 Congress Ave,,Austin,TX,78701'
  const { rows } = readText(
    template(
      `${address},Ada Lee,,,"5 Main St\nBack door",,Portland,ME,04101,9,6,3,1`,
      `${address},Ben Roe,,,"6 Main St\n",,Portland,ME,04101,9,6,3,1`,
    ),
  )
  expect(rows.map(({ ToStreet1, notices }) => [ToStreet1, notices])).toEqual([
    ['5 Main St Back door', ['The lines of To Street were combined into one.']],
    ['6 Main St', []],
  ])
})
