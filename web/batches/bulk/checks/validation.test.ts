import { expect, test } from 'vitest'
import { SERVICE_MISSING_TEXT } from '#contract/row-rules.ts'
import { emptyRow } from '#contract/rows.ts'
import { texts } from '#web/batches/bulk/texts.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import {
  invalidRowIndexes,
  rowValidatorFor,
  stepToError,
  toServerRowErrors,
  invalidFields,
} from './validation.ts'

const GROUND = { uid: 'ground', name: 'USPS Ground Advantage', category: 'Other', maxWeight: 70 }
const LETTER = { uid: 'letter', name: 'Letter', category: 'Other', maxWeight: 1 }
const SERVICES = [GROUND, LETTER]

const good = (index: number, change: Partial<GridRow> = {}): GridRow => ({
  ...emptyRow(),
  id: `row-${index}`,
  line: index + 1,
  notices: [],
  ServiceName: GROUND.name,
  FromSenderName: 'Wanda Osei',
  FromStreet1: '1 Mill Rd',
  FromCity: 'Roseburg',
  FromStateProvince: 'OR',
  FromZipPostal: '97470',
  ToRecipientName: 'Ana Vance',
  ToStreet1: '9 Oak St',
  ToCity: 'Portland',
  ToStateProvince: 'ME',
  ToZipPostal: '04101',
  PackageLength: '9',
  PackageWidth: '6',
  PackageHeight: '3',
  PackageWeight: '2',
  ...change,
})

test('the weight limit is that of the row’s own service', () => {
  const validateRow = rowValidatorFor(SERVICES, true)
  expect(validateRow(good(0))).toEqual({})
  expect(validateRow(good(0, { ServiceName: 'Letter' }))).toEqual({
    PackageWeight: 'Weight must be at most 1 lb',
  })
  expect(validateRow(good(0, { ServiceName: 'letter' }))).toHaveProperty('PackageWeight')
})

test('a service is required once one was chosen or Submit was pressed', () => {
  const row = good(0, { ServiceName: '' })
  expect(rowValidatorFor(SERVICES, false)(row)).toEqual({})
  expect(rowValidatorFor(SERVICES, true)(row)).toEqual({ ServiceName: SERVICE_MISSING_TEXT })
})

test('a service that is no longer offered is an error, but not while services are loading', () => {
  const row = good(0, { ServiceName: 'Pigeon' })
  expect(rowValidatorFor(SERVICES, true)(row)).toEqual({ ServiceName: texts.unavailable })
  expect(rowValidatorFor(undefined, true)(row)).toEqual({})
})

test('a server error stays at its row until the row is changed', () => {
  const rows = [good(0), good(1)]
  const validateRow = rowValidatorFor(
    SERVICES,
    true,
    toServerRowErrors(rows, {
      '2.ToZipPostal': 'To Zip is unknown',
      '9.ToCity': 'nowhere',
      orderId: 'taken',
    }),
  )
  expect(invalidRowIndexes(rows, validateRow)).toEqual([1])
  expect(validateRow(rows[1]!)).toEqual({ ToZipPostal: 'Zip is unknown' })
  expect(validateRow({ ...rows[1]!, ToZipPostal: '04102' })).toEqual({})
})

test('a server error of a row’s order items is shown at its Item ID', () => {
  const rows = [good(0), good(1)]
  const text = 'Order item 2: SKU must be at most 60 characters; this has 61'
  const refused = toServerRowErrors(rows, { '2.items': text })
  const validateRow = rowValidatorFor(SERVICES, true, refused)
  expect(invalidRowIndexes(rows, validateRow)).toEqual([1])
  expect(validateRow(rows[1]!)).toEqual({ orderItemId: text })
})

test('the columns with an error in any row are known', () => {
  const rows = [
    good(0),
    good(1, { ToCity: '', ToZipPostal: '' }),
    good(2),
    good(3, { FromCity: '' }),
  ]
  const validateRow = rowValidatorFor(SERVICES, true)
  const fields = invalidFields(rows, invalidRowIndexes(rows, validateRow), validateRow)
  expect([...fields].toSorted()).toEqual(['FromCity', 'ToCity', 'ToZipPostal'])
})

test('the warning after an upload counts the rows with errors', () => {
  expect(texts.uploadWarning(2)).toBe(
    '2 row(s) have validation errors. Please check the table and fix them.',
  )
})

test('one goes from error to error and back, the sides of a size being one', () => {
  const faulty = [
    good(0),
    { ...good(1), PackageLength: '', PackageWidth: '', ToCity: '' },
    good(2),
    { ...good(3), ToZipPostal: '1' },
  ]
  const invalid = [1, 3]
  const validate = rowValidatorFor(undefined, false)
  const step = (from: { row: number; key: string } | null, direction: 'next' | 'back') =>
    stepToError(faulty, invalid, validate, from, direction)
  const city = { row: 1, key: 'ToCity', field: 'ToCity' }
  const size = { row: 1, key: 'size', field: 'PackageLength' }
  const zip = { row: 3, key: 'ToZipPostal', field: 'ToZipPostal' }
  expect(step(null, 'next')).toEqual(city)
  expect(step(city, 'next')).toEqual(size)
  expect(step(size, 'next')).toEqual(zip)
  expect(step(zip, 'next')).toEqual(city)
  expect(step(city, 'back')).toEqual(zip)
  expect(step({ row: 2, key: 'ToCity' }, 'next')).toEqual(zip)
  expect(step({ row: 2, key: 'ToCity' }, 'back')).toEqual(size)
  expect(stepToError([good(0)], [], validate, null, 'next')).toBeNull()
})

test('a row whose service does not sell what it asks for says so at its service, before it is sent', () => {
  const none = { price: null, reason: 'Saturday delivery is not for sale with Letter' }
  const sold = { price: 3.7, reason: null }
  const letter = { ...LETTER, options: { signature: sold, adult: sold, saturday: none } }
  const validateRow = rowValidatorFor([GROUND, letter], true)
  const asks = (change: Partial<GridRow>) =>
    validateRow(good(0, { ServiceName: LETTER.name, PackageWeight: '1', ...change })).ServiceName
  expect(asks({ signature: 'adult' })).toBeUndefined()
  expect(asks({ saturday: 'yes' })).toBe(none.reason)
  expect(asks({ signature: 'maybe' })).toContain("Signature 'maybe' is not yes, adult or no")
  // While it is not known what a service sells, the server decides.
  expect(validateRow(good(1, { saturday: 'yes' }))).toEqual({})
  const rows = [good(0)]
  const refused = toServerRowErrors(rows, { '1.saturday': 'Saturday delivery is not for sale' })
  expect(refused.get(rows[0]!)).toEqual({ ServiceName: 'Saturday delivery is not for sale' })
})
