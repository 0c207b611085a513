import { expect, test } from 'vitest'
import { emptyRow } from '#contract/rows.ts'
import { columnsOf, extraFields, groupsOf, fieldTitle } from './columns.ts'

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
  expect(columnsOf([]).map(column => column.name)).not.toContain('ToCountry')
})

test('a country we do not ship to is visible and can be corrected', () => {
  const extra = extraFields([
    emptyRow(),
    { ...emptyRow(), ToCountry: 'Canada', PackageReference1: 'gift' },
  ])
  expect(extra).toEqual(['ToCountry', 'PackageReference1'])
  expect(columnsOf(extra).map(column => column.name)).toEqual(expect.arrayContaining(extra))
})

test('each group head spans its columns', () => {
  expect(groupsOf(columnsOf([]))).toEqual([
    { group: 'Order', span: 5 },
    { group: 'From', span: 8 },
    { group: 'To', span: 8 },
    { group: 'Package', span: 5 },
  ])
})

test('a cell name includes From or To where both sides have the field', () => {
  expect([fieldTitle('FromCity'), fieldTitle('ToCity'), fieldTitle('PackageWeight')]).toEqual([
    'From City',
    'To City',
    'Weight',
  ])
})
