import { expect, test } from 'vitest'
import { rowFaults } from '#contract/row-rules.ts'
import { emptyRow } from '#contract/rows.ts'
import type { BulkRow } from '#contract/rows.ts'
import { shortFault } from './short-faults.ts'
import { codesOf, rowValidatorFor } from './validation.ts'

const RULES = { needService: true, maxWeight: 20, serviceUid: 'USPS Ground Advantage' }

const WRONG: Partial<BulkRow>[] = [
  {},
  { ToRecipientName: 'J*** S***', ToZipPostal: '9.4E+21', ToPhone: '9.4E+21' },
  { ToRecipientName: 'Ana\u0007', ToStreet1: 'x'.repeat(5_000), ToStateProvince: 'Ontario' },
  { ToZipPostal: '4101', ToStateProvince: 'ME', ToCountry: 'Canada', ToPhone: '12x4' },
  { ToZipPostal: 'K1A 0B1', quantity: '0', PackageWeight: '-1', PackageLength: '1e3' },
  { PackageWeight: '88', PackageLength: '300', PackageWidth: '6', PackageHeight: '3' },
  { PackageWeight: '0.001', PackageLength: '9999' },
]

test('each fault of a row has a short form that a cell has room for', () => {
  const faults = WRONG.flatMap(change =>
    Object.values(rowFaults({ ...emptyRow(), ...change }, RULES)),
  )
  expect(new Set(faults.map(({ code }) => code)).size).toBeGreaterThan(10)
  for (const { code, text } of faults) {
    const short = shortFault(code, text)
    expect(short.length, `${code}: ${short}`).toBeLessThanOrEqual(16)
  }
})

test('a ZIP says what it is not, an empty cell that it is required', () => {
  const row = (ToZipPostal: string) => ({
    ...emptyRow(),
    id: 'row-0' as const,
    line: 1,
    notices: [],
    ToZipPostal,
  })
  const shortOf = (zip: string) => {
    const errors = rowValidatorFor(undefined, false)(row(zip))
    return shortFault(codesOf(errors).ToZipPostal, errors.ToZipPostal ?? '')
  }
  expect([shortOf(''), shortOf('ABC'), shortOf('93***')]).toEqual([
    'Required',
    'Not a ZIP',
    'Masked',
  ])
})

test('a sentence without a code, as of the server, stays whole', () => {
  expect(shortFault(undefined, 'Zip is unknown')).toBe('Zip is unknown')
})
