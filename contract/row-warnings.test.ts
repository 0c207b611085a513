import { expect, test } from 'vitest'
import { hasNoErrors, rowErrors } from './row-rules.ts'
import { rowWarnings, takeSuggestion } from './row-warnings.ts'
import type { RowWarning } from './row-warnings.ts'
import { emptyRow } from './rows.ts'
import type { BulkRow } from './rows.ts'
import { STATES } from './states.ts'
import { loadPlaces } from './zip-places.ts'

const places = await loadPlaces()

const VALID_ROW: BulkRow = {
  ...emptyRow(),
  FromSenderName: 'Warehouse',
  FromStreet1: '1 Dock Rd',
  FromCity: 'Portland',
  FromStateProvince: 'OR',
  FromZipPostal: '97201',
  ToRecipientName: 'Ada Lee',
  ToStreet1: '12 Main St',
  ToCity: 'Portland',
  ToStateProvince: 'ME',
  ToZipPostal: '04101',
  PackageLength: '6',
  PackageWidth: '4',
  PackageHeight: '2',
  PackageWeight: '1',
  ServiceName: 'USPS Ground Advantage',
}
const to = (city: string, state: string, zip: string): BulkRow => ({
  ...VALID_ROW,
  ToCity: city,
  ToStateProvince: state,
  ToZipPostal: zip,
})
const warningsOf = (row: BulkRow): RowWarning[] => rowWarnings(row, places)
const summaryOf = (row: BulkRow): string[] =>
  warningsOf(row).map(({ code, suggestion }) => `${code}: ${suggestion?.label ?? 'no value'}`)

test('a right place has no warning, in any usual spelling', () => {
  const right = [
    to('PORTLAND', 'Maine', '04101-1234'),
    to('St. Louis', 'MO', '63101'),
    to('Saint Louis', 'MO', '63101'),
    to('Ft. Worth', 'TX', '76102'),
    to('Mt Vernon', 'NY', '10550'),
    to('New York City', 'NY', '10001'),
    to('Washington, DC', 'DC', '20500'),
    to('winston salem', 'NC', '27101'),
    to('APO', 'AE', '09012'),
    to('Pago Pago', 'AS', '96799'),
    to('Islandia', 'NY', '11760'),
    to('Fairgrove', 'MO', '65648'),
  ]
  for (const row of right) expect(warningsOf(row), row.ToCity).toEqual([])
})

test('a ZIP of another state says where it is', () => {
  expect(warningsOf(to('New York', 'ME', '10001'))).toEqual([
    {
      field: 'ToZipPostal',
      code: 'zip_not_in_state',
      message: 'Zip 10001 belongs to New York, NY, not to ME',
      suggestion: { value: 'NY', label: 'Use NY', field: 'ToStateProvince' },
    },
  ])
  const [portland] = warningsOf(to('Portland', 'ME', '10001'))
  expect(portland).toEqual({
    field: 'ToZipPostal',
    code: 'zip_not_in_state',
    message: 'Zip 10001 belongs to New York, NY, not to ME. Portland, ME has 04101 to 04124',
  })
})

test('a value is offered only where no other one is as likely', () => {
  expect(summaryOf(to('Holtsville', 'NY', '04101'))).toEqual(['zip_not_in_state: no value'])
  // Two digits changed places.
  expect(summaryOf(to('Portland', 'ME', '40101'))).toEqual(['zip_unknown: Use 04101'])
  expect(summaryOf(to('Fishers Island', 'NY', '06320'))).toEqual(['zip_not_in_state: Use 06390'])
  // Portland is in both states.
  expect(summaryOf(to('Portland', 'ME', '97201'))).toEqual(['zip_not_in_state: no value'])
  expect(summaryOf(to('Bostn', 'MA', '02108'))).toEqual(['city_not_of_zip: Use Boston'])
  expect(summaryOf(to('Hollywood', 'FL', '33101'))).toEqual(['city_not_of_zip: no value'])
  expect(summaryOf(to('Fishers Island', 'NY', '99998'))).toEqual(['zip_unknown: Use 06390'])
  expect(summaryOf(to('Boston', 'MA', '99998'))).toEqual(['zip_unknown: no value'])
})

test('the sender’s place is checked too', () => {
  const row = { ...VALID_ROW, FromStateProvince: 'WA' }
  expect(warningsOf(row)).toMatchObject([{ field: 'FromZipPostal', code: 'zip_not_in_state' }])
})

test('fields with errors, foreign rows and unread tables have no warnings of places', () => {
  expect(warningsOf(to('Portland', 'ME', '4101'))).toEqual([])
  expect(warningsOf(to('Portland', '', '10001'))).toEqual([])
  expect(warningsOf({ ...to('Toronto', 'ME', '10001'), ToCountry: 'CA' })).toEqual([])
  expect(warningsOf(to('', 'ME', '04101'))).toEqual([])
  expect(warningsOf(to('x'.repeat(400_000), 'ME', '9'.repeat(400_000)))).toEqual([])
  expect(rowWarnings(to('Portland', 'ME', '10001'))).toEqual([])
})

test('of 500 places each wrong state is found, and the right one is offered', () => {
  let found = 0
  let offered = 0
  for (let sample = 0, zip = 501; sample < 500; zip = (zip + 7919) % 100_000) {
    const place = places.placeOf(String(zip).padStart(5, '0'))
    if (!place || !STATES.some(({ code }) => code === place.state)) continue
    sample += 1
    const wrong = STATES.filter(({ code }) => code !== place.state)[sample % 40]!
    const row = to(place.city, place.state, String(zip).padStart(5, '0'))
    expect(warningsOf(row), `${zip} ${place.city}`).toEqual([])
    const [warning, ...more] = warningsOf({ ...row, ToStateProvince: wrong.code })
    expect(more).toEqual([])
    if (warning?.code !== 'zip_not_in_state') continue
    found += 1
    if (warning.suggestion?.value === place.state) offered += 1
  }
  expect(found).toBe(500)
  expect(offered).toBeGreaterThan(400)
})

test('a value that is taken leaves no warning and no error', () => {
  const rows = [
    to('New York', 'ME', '10001'),
    to('Portland', 'ME', '40101'),
    to('Bostn', 'MA', '02108'),
    to('Fishers Island', 'NY', '99998'),
  ]
  for (const row of rows) {
    const [warning] = warningsOf(row)
    const taken = takeSuggestion(row, warning!)
    expect(warningsOf(taken)).toEqual([])
    expect(hasNoErrors(rowErrors(taken))).toBe(true)
  }
})

test('quantity, summed weight and repeated receivers are warnings, never errors', () => {
  const sku = { sku: 'TEE', maxQty: 5, weight: 1, length: 1, width: 1, height: 1, description: '' }
  const row = { ...VALID_ROW, skuNumber: 'TEE', quantity: '12' }
  const warnings = rowWarnings(row, places, {
    sku,
    sameReceiver: 3,
    summedLines: 2,
    boughtBefore: true,
  })
  expect(warnings.map(({ code, field }) => `${field} ${code}`)).toEqual([
    'quantity quantity_over_max',
    'PackageWeight weight_from_parts',
    'ToRecipientName receiver_twice',
    'ToRecipientName bought_before',
  ])
  expect(warnings[0]!.message).toBe(
    'Quantity 12 is more than one package of TEE holds: at most 5. It fills 3 packages',
  )
  expect(warnings[1]!.message).toContain('check the weight')
  expect(rowErrors(row)).toEqual({})
  expect(rowWarnings({ ...row, quantity: '5' }, places, { sku, sameReceiver: 1 })).toEqual([])
})
