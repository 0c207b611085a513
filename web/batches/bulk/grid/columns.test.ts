import { expect, test } from 'vitest'
import { emptyRow } from '#contract/rows.ts'
import {
  columnOfField,
  extraFields,
  fieldTitle,
  fitOf,
  foldableColumns,
  gridColumns,
  groupsOf,
} from './columns.ts'

const NONE: ReadonlySet<string> = new Set()

test('country, courier and references have no column while they have their usual values', () => {
  const row = {
    ...emptyRow(),
    quantity: '2',
    PackageReference1: '2',
    skuNumber: 'MUG',
    PackageReference2: 'MUG',
    FromCountry: 'USA',
  }
  expect(extraFields([row])).toEqual([])
  expect(gridColumns([]).map(column => column.key)).not.toContain('ToCountry')
})

test('a country we do not ship to is visible and can be corrected', () => {
  const extra = extraFields([
    emptyRow(),
    { ...emptyRow(), ToCountry: 'Canada', PackageReference1: 'gift' },
  ])
  expect(extra).toEqual(['ToCountry', 'PackageReference1'])
  expect(gridColumns(extra).map(column => column.key)).toEqual(expect.arrayContaining(extra))
})

test('who, where, what and how much come first', () => {
  expect(
    gridColumns([])
      .map(({ label }) => label)
      .join(', '),
  ).toBe(
    'Name, Street, Street 2, City, State, Zip, Weight, Size, Service, Price, SKU, Quantity, Order ID, Item ID, '
      + 'Company, Phone, Description, Name, Company, Phone, Street, Street 2, City, State, Zip',
  )
})

test('on a narrow screen who, where and how much come first, and each column still has its group', () => {
  const narrow = gridColumns([], false, 'narrow')
  expect(narrow.slice(0, 8).map(({ label }) => label)).toEqual([
    'Name',
    'City',
    'State',
    'Zip',
    'Weight',
    'Service',
    'Price',
    'Street',
  ])
  expect(narrow.map(({ key }) => key).toSorted()).toEqual(
    gridColumns([])
      .map(({ key }) => key)
      .toSorted(),
  )
  expect(groupsOf(narrow).map(({ group, more }) => `${group}${more ? ' more' : ''}`)).toEqual([
    'To',
    'Package',
    'Order',
    'To more',
    'Package more',
    'Order more',
    'To more',
    'Package more',
    'From',
  ])
  expect([fitOf(712), fitOf(1022), fitOf(1186), fitOf(null)]).toEqual([
    'narrow',
    'compact',
    'wide',
    'wide',
  ])
  expect([fitOf(1186, true), fitOf(1022, true)]).toEqual(['compact', 'narrow'])
})

test('each group head spans its columns, and says when it continues a group', () => {
  expect(groupsOf(gridColumns([]))).toEqual([
    { group: 'To', more: false, span: 6 },
    { group: 'Package', more: false, span: 2 },
    { group: 'Order', more: false, span: 6 },
    { group: 'To', more: true, span: 2 },
    { group: 'Package', more: true, span: 1 },
    { group: 'From', more: false, span: 8 },
  ])
})

test('length, width and height share the column of the size', () => {
  expect(columnOfField('PackageWidth').label).toBe('Size')
  expect(columnOfField('ToCity').key).toBe('ToCity')
})

const sent = (change: object = {}) => ({
  ...emptyRow(),
  FromSenderName: 'Wanda Osei',
  FromCity: 'Roseburg',
  ToRecipientName: 'Ana',
  ...change,
})

test('a sender that is the same in all rows is folded, a second sender is not', () => {
  const rows = [sent(), sent({ ToRecipientName: 'Bo' })]
  const folded = foldableColumns(rows, gridColumns([]), NONE)
  expect([folded.isOneSender, folded.sender.size]).toEqual([true, 8])
  const mixed = [...rows, sent({ FromCity: 'Bend' })]
  expect(foldableColumns(mixed, gridColumns([]), NONE)).toMatchObject({
    isOneSender: false,
    sender: new Set(),
  })
})

test('columns that are empty in every row are folded, required ones and faulty ones never', () => {
  const folded = (rows: ReturnType<typeof sent>[], wrong = NONE) =>
    [...foldableColumns(rows, gridColumns([]), wrong).empty].toSorted()
  expect(folded([sent(), sent({ ToCompany: 'Acme' })])).toEqual([
    'PackageDescription',
    'ToPhone',
    'ToStreet2',
    'orderId',
    'orderItemId',
    'skuNumber',
  ])
  expect(folded([sent()], new Set(['ToPhone', 'FromCity']))).not.toContain('ToPhone')
  expect(foldableColumns([sent()], gridColumns([]), new Set(['FromCity'])).sender).not.toContain(
    'FromCity',
  )
})

test('item ids that no marketplace gave are folded', () => {
  const isFolded = (change: object) =>
    foldableColumns([sent(change)], gridColumns([]), NONE).empty.has('orderItemId')
  expect(isFolded({ orderItemId: 'item-0' })).toBe(true)
  expect(isFolded({ orderId: '#1001', orderItemId: '#1001-2' })).toBe(true)
  expect(isFolded({ orderId: '111-1', orderItemId: '44000000000003' })).toBe(false)
})

test('a cell name includes From or To where both sides have the field', () => {
  expect([fieldTitle('FromCity'), fieldTitle('ToCity'), fieldTitle('PackageWeight')]).toEqual([
    'From City',
    'To City',
    'Weight',
  ])
})
