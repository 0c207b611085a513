import { expect, test } from 'vitest'
import { rowsCsv } from '#contract/faulty-rows.ts'
import type { ColumnMapping, MappedUse } from '#contract/imports.ts'
import { importText, SENDER } from '#tests/support/import-text.ts'
import { row } from '#tests/support/rows.ts'
import { SELLER_FILES, sellerFile, SOURCE_OF } from '#tests/support/seller-files.ts'
import type { SellerFormat } from '#tests/support/seller-files.ts'
import { toSubmittedRow } from '#web/batches/bulk/drafts/draft.ts'
import { mappingOf } from '#web/batches/columns/match-columns.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import type { ImportContext } from '#web/batches/import/import-file.ts'

const FORMATS = Object.keys(SELLER_FILES) as SellerFormat[]

type Change = Partial<ColumnMapping['columns'][number]>
type ReadOptions = Partial<ImportContext> & { name?: string }

/** Reads the file as it is, and again after the user has changed these columns in the dialog. */
function withChanges(
  text: string,
  changes: Record<string, MappedUse | Change>,
  { constants = {}, ...context }: ReadOptions & Pick<Partial<ColumnMapping>, 'constants'> = {},
) {
  const first = importText(text, { maxRows: 1000, skus: [], ...context })
  const columns = first.columns.map(column => {
    const change = changes[column.header]
    return { ...column, ...(typeof change === 'string' ? { use: change } : change) }
  })
  const mapping = mappingOf(columns, constants, true)
  const again = importText(text, {
    maxRows: 1000,
    skus: [],
    ...context,
    mapping: fingerprint => (fingerprint === first.headerFingerprint ? mapping : undefined),
  })
  expect(again.columns).toEqual(mapping.columns)
  return { first, again }
}

const inFileOrder = (rows: readonly GridRow[]) => rows.toSorted((a, b) => a.line - b.line)
/** Walmart's rows keep the columns of the sheet for its confirmation, the new one too. */
const plain = ({ items, ...one }: GridRow) => ({
  ...one,
  ...(items && { items: items.map(({ extra: _extra, ...item }) => item) }),
})

test.each(FORMATS)('a place in one cell and a street number in its own are read in %s', format => {
  const { fileName, header, records, text } = sellerFile(format, 60)
  const { columns, rows } = importText(text(header, records), { name: fileName, maxRows: 1000 })
  const at = (use: MappedUse) => columns.findIndex(column => column.use === use)
  const places = (['ToCity', 'ToStateProvince', 'ToZipPostal'] as const).map(at)
  const more = records.map(record => {
    const [city = '', state = '', zip = ''] = places.map(place => record[place] ?? '')
    const hasPlace = [city, state, zip].some(part => part !== '')
    return [...record, hasPlace ? `${city}, ${state} ${zip}` : '', '77 B']
  })
  const { again } = withChanges(
    text([...header, 'Place', 'No.'], more),
    {
      ...Object.fromEntries(places.map(place => [header[place]!, 'unused'] as const)),
      Place: 'CityStateZip',
      'No.': 'StreetNumber',
    },
    { name: fileName },
  )
  expect(again.source).toBe(SOURCE_OF[format])
  const placeOf = ({ ToCity, ToStateProvince, ToZipPostal }: GridRow) =>
    [ToCity, ToStateProvince, ToZipPostal].join()
  expect(again.rows.map(placeOf)).toEqual(rows.map(placeOf))
  expect(again.rows.map(one => one.ToStreet1)).toEqual(rows.map(one => `77 B ${one.ToStreet1}`))
})

test.each(FORMATS)('a column added to those of %s changes nothing else of its rows', format => {
  const { fileName, header, records, text } = sellerFile(format, 60)
  const known = importText(text(header, records), { name: fileName, maxRows: 1000, skus: [] })
  const notes = records.map((record, at) => [...record, `note ${at + 1}`])
  const { again } = withChanges(
    text([...header, 'My note'], notes),
    { 'My note': 'PackageDescription' },
    { name: fileName },
  )
  expect(again.source).toBe(SOURCE_OF[format])
  expect(again.rows.map(plain)).toEqual(
    known.rows.map(one => ({ ...plain(one), PackageDescription: `note ${one.line}` })),
  )
  expect([again.leftOut, again.notices]).toEqual([known.leftOut, known.notices])
  expect(known.leftOut.length > 0).toBe(format !== 'template')
})

const SHOPIFY =
  'Name,Id,Financial Status,Fulfillment Status,Cancelled at,Lineitem quantity,Lineitem name,Lineitem sku,'
  + 'Variant,Shipping Name,Shipping Address1,Shipping City,Shipping Province,Shipping Zip,Shipping Phone,'
  + 'Billing Name,Notes,Ounces'
const shopify = [
  SHOPIFY,
  '#1,901,paid,,,1,Mug,MUG,M-1,Ana Lee,9 Oak St,Portland,ME,04101,2075550101,Jo Lee,leave at door,8',
  '#1,,,,,3,Cap,CAP,,,,,,,,,,',
  '#2,902,paid,fulfilled,,1,Mug,MUG,M-1,Ben Lee,9 Oak St,Portland,ME,04101,,Ben Lee,,8',
  '#3,903,refunded,,2026-01-01,1,Mug,MUG,M-1,Cem Lee,9 Oak St,Portland,ME,04101,,Cem Lee,,8',
].join('\n')

test('fulfilled, cancelled and refunded orders stay left out, also where the user reads their columns otherwise', () => {
  const { first, again } = withChanges(shopify, {
    Notes: 'PackageDescription',
    'Fulfillment Status': 'PackageReference2',
    'Lineitem quantity': 'unused',
  })
  expect(again.source).toBe('shopify')
  expect(again.leftOut).toEqual([
    { reason: 'already fulfilled', lines: 1, orders: 1 },
    { reason: 'cancelled', lines: 1, orders: 1 },
  ])
  expect([again.leftOut, again.notices]).toEqual([first.leftOut, first.notices])
  expect(again.rows.map(one => [one.orderId, one.quantity, one.PackageReference1])).toEqual([
    ['#1', '1', '1'],
    ['#1', '1', '1'],
  ])
})

test('later lines of an order have what its first line says once, and their own items', () => {
  const { again } = withChanges(shopify, {
    Id: 'orderId',
    Name: 'unused',
    'Shipping Name': 'unused',
    'Billing Name': 'ToRecipientName',
    'Shipping Phone': 'unused',
    Notes: 'PackageDescription',
    'Lineitem sku': 'unused',
    Variant: 'skuNumber',
    Ounces: { use: 'PackageWeight', unit: 'oz' },
  })
  expect(inFileOrder(again.rows)).toMatchObject([
    {
      orderId: '901',
      orderItemId: '901-1',
      ToRecipientName: 'Jo Lee',
      ToCity: 'Portland',
      ToPhone: '',
      PackageDescription: 'leave at door',
      skuNumber: 'M-1',
      PackageReference2: 'M-1',
      PackageWeight: '0.5',
      FromSenderName: SENDER.name,
      notices: ['Weight: 8 oz read as 0.5 lb.'],
    },
    {
      orderId: '901',
      orderItemId: '901-2',
      ToRecipientName: 'Jo Lee',
      ToCity: 'Portland',
      PackageDescription: 'leave at door',
      skuNumber: '',
      PackageReference2: '',
      PackageWeight: '',
      quantity: '3',
      PackageReference1: '3',
      notices: [],
    },
  ])
})

test('what the user entered for all rows fills gaps, and a sender of the file is not mixed with the saved one', () => {
  const constants = { ToCity: 'Bath', PackageWeight: '2', PackageLength: '9' }
  const { again } = withChanges(
    shopify,
    { 'Shipping City': 'unused', 'Lineitem sku': 'unused', 'Billing Name': 'FromSenderName' },
    { constants: { ...constants, FromStreet1: '1 Dock St', FromCity: 'Bend' } },
  )
  for (const one of again.rows)
    expect(one).toMatchObject({
      ToCity: 'Bath',
      ToStreet1: '9 Oak St',
      PackageWeight: '2',
      PackageLength: '9',
      FromSenderName: 'Jo Lee',
      FromStreet1: '1 Dock St',
      FromCity: 'Bend',
      FromCompany: '',
      FromZipPostal: '',
    })
})

test('an order without a shipping address is shipped to the address that the user reads instead', () => {
  const names = ['Address1', 'City', 'Province', 'Zip'].map(part => `Billing ${part}`)
  const text = [
    `${SHOPIFY},${names.join(',')}`,
    '#7,907,paid,,,1,Mug,MUG,,,,,,,,Dee Lee,,,5 Elm St,Bath,ME,04530',
  ]
  const sample = '#8,908,paid,,,1,Mug,MUG,,Al,1 A St,Reno,NV,89501,,Al,,,1 A St,Reno,NV,89501'
  const { first, again } = withChanges([...text, sample].join('\n'), {
    'Shipping Name': 'unused',
    'Shipping Address1': 'unused',
    'Shipping City': 'unused',
    'Shipping Province': 'unused',
    'Shipping Zip': 'unused',
    'Billing Name': 'ToRecipientName',
    'Billing Address1': 'ToStreet1',
    'Billing City': 'ToCity',
    'Billing Province': 'ToStateProvince',
    'Billing Zip': 'ToZipPostal',
  })
  expect(first.rows.map(({ orderId }) => orderId)).toEqual(['#8'])
  expect(again.rows).toMatchObject([{ ToRecipientName: 'Dee Lee', ToZipPostal: '04530' }, {}])
})

test('all orders of a shop go to one receiver that the user has entered, but those already sent', () => {
  const parts = ['Name', 'Address1', 'City', 'Province', 'Zip'].map(part => `Shipping ${part}`)
  const constants = {
    ToRecipientName: 'Hub 7',
    ToStreet1: '1 Dock St',
    ToCity: 'Bend',
    ToStateProvince: 'OR',
    ToZipPostal: '97701',
  }
  const unused = Object.fromEntries(parts.map(part => [part, 'unused' as const]))
  const { again } = withChanges(shopify, unused, { constants })
  expect(again.rows.map(one => [one.orderId, one.ToRecipientName, one.ToZipPostal])).toEqual([
    ['#1', 'Hub 7', '97701'],
    ['#1', 'Hub 7', '97701'],
  ])
})

test('refunded items of WooCommerce stay left out when their quantity is read from another column', () => {
  const header =
    'Order Number,Order Status,SKU,Quantity (- Refund),Pieces,First Name (Shipping),Last Name (Shipping),'
    + 'Address 1&2 (Shipping),City (Shipping),State Code (Shipping),Postcode (Shipping)'
  const line = (order: number, left: number) =>
    `${order},Processing,MUG,${left},6,Ana,Lee,9 Oak St,Portland,ME,04101`
  const { again } = withChanges([header, line(1, 0), line(2, 1)].join('\n'), {
    'Quantity (- Refund)': 'unused',
    Pieces: 'quantity',
  })
  expect(again.rows).toMatchObject([{ orderId: '2', quantity: '6', PackageReference1: '6' }])
  expect(again.leftOut).toEqual([{ reason: 'refunded', lines: 1, orders: 1 }])
})

test('Walmart’s confirmation has its columns, and the ids that the user reads', () => {
  const { fileName, header, records, text } = sellerFile('walmart', 6)
  const { first, again } = withChanges(
    text(header, records),
    { SKU: 'PackageDescription' },
    { name: fileName },
  )
  const kept = ({ rows }: typeof first) => rows.map(({ items }) => items?.[0]?.extra)
  expect(inFileOrder(again.rows).map(({ items }) => items?.[0]?.extra)).toEqual(
    kept({ ...first, rows: inFileOrder(first.rows) }),
  )
  expect(kept(again)[0]).toHaveProperty('PO#')
  for (const one of again.rows) {
    expect([one.skuNumber, one.PackageDescription]).toEqual(['', expect.stringMatching(/./)])
    expect(toSubmittedRow(one).items).toMatchObject([{ sku: '' }])
  }
})

test('the template keeps items, emails and services that another file names, beside changed columns', () => {
  const services = ['USPS Ground Advantage', 'USPS Priority Mail'].map(name => ({
    name,
    uid: name,
  }))
  const items = [
    { orderItemId: '11', sku: 'TEE', quantity: '2' },
    { orderItemId: '12', sku: 'MUG', quantity: '1' },
  ]
  const given = [
    {
      ...row(1, { orderId: '7', orderItemId: '11', quantity: '3', PackageReference1: 'box' }),
      items,
      ToEmail: 'ana@example.com',
      signature: 'adult',
    },
  ]
  const file = rowsCsv(given)
  const { again } = withChanges(
    file,
    { 'REFERENCE 1': 'PackageDescription', DESCRIPTION: 'unused' },
    { services },
  )
  expect(again).toMatchObject({
    source: 'template',
    notices: [],
    rows: [
      {
        items,
        ToEmail: 'ana@example.com',
        signature: 'adult',
        PackageDescription: 'box',
        ServiceName: 'USPS Ground Advantage',
      },
    ],
  })
  const mapping = mappingOf(again.columns, {}, true)
  const next = (used: ColumnMapping) =>
    importText(rowsCsv([{ ...given[0]!, ServiceName: 'USPS Priority Mail' }]), {
      services,
      mapping: () => used,
    }).rows[0]?.ServiceName
  expect(next(mapping)).toBe('USPS Priority Mail')
  const ofPage = mappingOf(
    again.columns.map(column =>
      column.use === 'ServiceName' ? { ...column, values: { 'USPS Priority Mail': '' } } : column,
    ),
    {},
    true,
  )
  expect(next(ofPage)).toBe('')
})

/** The names of the columns that are read beside the fields, each with the column whose empty cells it fills. */
const alsoRead = ({ alsoRead: found, columns }: ReturnType<typeof withChanges>['first']) =>
  found.map(({ at, ifEmpty }) => [
    columns[at]!.header,
    ...(ifEmpty === undefined ? [] : [columns[ifEmpty]!.header]),
  ])

test('columns that decide what is shipped are named, also after the user has changed others', () => {
  const { first, again } = withChanges(shopify, { Notes: 'PackageDescription' })
  const status = [['Financial Status'], ['Fulfillment Status'], ['Cancelled at']]
  const expected = [['Lineitem name'], ...status]
  expect([first, again].map(alsoRead)).toEqual([expected, expected])
})

test('a second name of a column is named until the user reads the field from another one', () => {
  const header =
    'Order ID,Order Number,Order Status,SKU,Quantity,First Name (Shipping),Last Name (Shipping),'
    + 'Address 1 (Shipping),City (Shipping),State Name (Shipping),State Code (Shipping),Postcode (Shipping),'
    + 'Phone (Billing),Phone (Shipping),Notes'
  const line = '71,A-1,Processing,MUG,1,Ana,Lee,9 Oak St,Portland,Maine,,04101,2075550101,,'
  const { first, again } = withChanges([header, line].join('\n'), {
    'Phone (Shipping)': 'unused',
    Notes: 'ToPhone',
  })
  const [one] = first.rows
  expect([one?.orderId, one?.ToPhone, one?.ToStateProvince]).toEqual(['A-1', '2075550101', 'ME'])
  const useOf = (name: string) => first.columns.find(({ header }) => header === name)?.use
  expect([useOf('Order Number'), useOf('Order ID')]).toEqual(['orderId', 'unused'])
  const others = [['State Name (Shipping)', 'State Code (Shipping)'], ['Order Status']]
  const number = ['Order ID', 'Order Number']
  expect(alsoRead(first)).toEqual([number, ['Phone (Billing)', 'Phone (Shipping)'], ...others])
  expect(alsoRead(again)).toEqual([number, ...others])
  expect(again.rows[0]?.ToPhone).toBe('')
})

// The second is the name of WebToffee's export.
test.each(['order_item', 'line_item'])(
  'the items of a WooCommerce order are in %s_1 and so on',
  name => {
    const header =
      'order_number,status,shipping_first_name,shipping_last_name,shipping_address_1,shipping_city,'
      + `shipping_state,shipping_postcode,${name}_1,${name}_2`
    const item = (sku: string) => `name:Mug|product_id:7|sku:${sku}|quantity:2|total:9.00`
    const line = `7,processing,Ana,Lee,9 Oak St,Portland,ME,04101,${item('MUG')},${item('CAP')}`
    const { first } = withChanges([header, line].join('\n'), {})
    expect(alsoRead(first)).toEqual([['status'], [`${name}_1`], [`${name}_2`]])
    const items = first.rows[0]?.items?.map(({ sku, quantity }) => `${quantity} ${sku}`)
    expect([items, first.rows[0]?.quantity]).toEqual([['2 MUG', '2 CAP'], '4'])
  },
)

test('the template’s items and emails are named as read', () => {
  const { first: template } = withChanges(rowsCsv([{ ...row(1), ToEmail: 'ana@example.com' }]), {})
  expect(alsoRead(template)).toEqual([['ITEMS'], ['TO EMAIL']])
})
