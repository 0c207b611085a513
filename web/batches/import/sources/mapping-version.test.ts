import { expect, test } from 'vitest'
import type { ColumnMapping, MappedUse } from '#contract/imports.ts'
import { importText } from '#tests/support/import-text.ts'

const OPTIONS = { maxRows: 10, skus: [] }

/** A file of one order, read by a mapping in which these columns have these uses; all others are as the source reads them. */
function readWith(
  cells: Record<string, string>,
  uses: Record<string, MappedUse>,
  version: Pick<ColumnMapping, 'version'>,
) {
  const text = [Object.keys(cells), Object.values(cells)].map(line => line.join(',')).join('\n')
  const { columns } = importText(text, OPTIONS)
  const mapping = {
    columns: columns.map(column => ({ ...column, use: uses[column.header] ?? column.use })),
    constants: {},
    ...version,
  }
  const read = importText(text, { ...OPTIONS, mapping: () => mapping })
  return { row: read.rows[0]!, uses: new Map(read.columns.map(({ header, use }) => [header, use])) }
}

const SHOPIFY = {
  Name: '#1',
  'Financial Status': 'paid',
  'Fulfillment Status': '',
  'Lineitem quantity': '1',
  'Lineitem name': 'Mug',
  'Lineitem sku': 'MUG',
  'Shipping Name': 'Ana Lee',
  'Shipping Street': '9 Oak St Apt 2',
  'Shipping Address1': '9 Oak St',
  'Shipping Address2': 'Apt 2',
  'Shipping City': 'Portland',
  'Shipping Zip': '04101',
  'Shipping Province': 'ME',
  'Shipping Country': 'US',
  Notes: 'fragile',
}
/** As the dialog showed them before mappings had a version. */
const STREET_FIRST: Record<string, MappedUse> = {
  'Shipping Street': 'ToStreet1',
  'Shipping Address1': 'unused',
  Notes: 'PackageDescription',
}

test('columns that were saved before are read from the preferred column of an address', () => {
  const { row, uses } = readWith(SHOPIFY, STREET_FIRST, {})
  expect([row.ToStreet1, row.ToStreet2, row.PackageDescription]).toEqual([
    '9 Oak St',
    'Apt 2',
    'fragile',
  ])
  expect([uses.get('Shipping Address1'), uses.get('Shipping Street')]).toEqual([
    'ToStreet1',
    'unused',
  ])
})

test('a column that the user has chosen now is read instead of the preferred one', () => {
  const { row, uses } = readWith(SHOPIFY, STREET_FIRST, { version: 2 })
  expect(row.ToStreet1).toBe('9 Oak St Apt 2')
  expect(uses.get('Shipping Street')).toBe('ToStreet1')
})

test('a preferred column that was saved with another field keeps it', () => {
  const { row } = readWith(SHOPIFY, { ...STREET_FIRST, 'Shipping Address1': 'ToCompany' }, {})
  expect([row.ToStreet1, row.ToCompany]).toEqual(['9 Oak St Apt 2', '9 Oak St'])
})

test('of a partly shipped order only the rest is sent, also with columns that were saved before', () => {
  const amazon = {
    'order-id': '111-1',
    'order-item-id': '7',
    sku: 'MUG',
    'product-name': 'Mug',
    'quantity-purchased': '5',
    'quantity-shipped': '3',
    'quantity-to-ship': '2',
    'recipient-name': 'Ana Lee',
    'ship-address-1': '9 Oak St',
    'ship-address-2': '',
    'ship-city': 'Portland',
    'ship-state': 'ME',
    'ship-postal-code': '04101',
    'ship-country': 'US',
  }
  const saved: Record<string, MappedUse> = {
    'quantity-purchased': 'quantity',
    'quantity-to-ship': 'unused',
    'product-name': 'PackageDescription',
  }
  const { row } = readWith(amazon, saved, {})
  expect([row.quantity, row.PackageDescription]).toEqual(['2', 'Mug'])
})
