import { expect, test } from 'vitest'
import { emptyRow } from '#contract/rows.ts'
import { columnsOf, extraFields, groupsOf, fieldTitle } from './columns.ts'

test('country, courier and references take no column while they say nothing', () => {
  const row = {
    ...emptyRow(),
    quantity: '2',
    PackageReference1: '2',
    skuNumber: 'MUG',
    PackageReference2: 'MUG',
    FromCountry: 'USA',
  }
  expect(extraFields([row])).toEqual([])
  expect(columnsOf([]).map(column => column.name)).not.toContain('ToCountry')
})

test('a country that cannot be served can be seen and mended', () => {
  const extra = extraFields([
    emptyRow(),
    { ...emptyRow(), ToCountry: 'Canada', PackageReference1: 'gift' },
  ])
  expect(extra).toEqual(['ToCountry', 'PackageReference1'])
  expect(columnsOf(extra).map(column => column.name)).toEqual(expect.arrayContaining(extra))
})

test('the groups stand over their columns', () => {
  expect(groupsOf(columnsOf([]))).toEqual([
    { group: 'Order', span: 5 },
    { group: 'From', span: 8 },
    { group: 'To', span: 8 },
    { group: 'Package', span: 5 },
  ])
})

test('a cell is named with its side where two sides have it', () => {
  expect([fieldTitle('FromCity'), fieldTitle('ToCity'), fieldTitle('PackageWeight')]).toEqual([
    'From City',
    'To City',
    'Weight',
  ])
})
