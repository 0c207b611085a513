import { expect, test } from 'vitest'
import {
  cellError,
  invalidRowsText,
  hasNoErrors,
  parseMeasure,
  rowErrors,
  withGroupName,
  SERVICE_MISSING_TEXT,
  suggestZip,
} from './row-rules.ts'
import { emptyRow, FIELDS, isUs, toBulkRow, TEMPLATE_CSV, tidyPhone, tidyRow } from './rows.ts'
import type { BulkRow } from './rows.ts'

const good = (change: Partial<BulkRow> = {}): BulkRow => ({
  ...emptyRow(),
  FromSenderName: 'Wanda Osei',
  FromStreet1: '1 Mill Rd',
  FromCity: 'Roseburg',
  FromStateProvince: 'OR',
  FromZipPostal: '97470',
  ToRecipientName: 'Ana Muñoz-Vance',
  ToStreet1: '9 Oak St',
  ToCity: 'Portland',
  ToStateProvince: 'ME',
  ToZipPostal: '04101',
  PackageLength: '9',
  PackageWidth: '6',
  PackageHeight: '3',
  PackageWeight: '1',
  ServiceName: 'USPS Priority Mail',
  ...change,
})

test('a complete row is valid', () => {
  expect(hasNoErrors(rowErrors(good()))).toBe(true)
  expect(hasNoErrors(rowErrors(good({ PackageWeight: '69.9999' }), { maxWeight: 70 }))).toBe(true)
})

test('each of the 14 required cells and the service is required by name', () => {
  const missing = rowErrors(emptyRow())
  expect(Object.keys(missing)).toHaveLength(15)
  expect(missing).toMatchObject({
    ToCity: 'City is required',
    PackageWeight: 'Weight is required',
    ServiceName: SERVICE_MISSING_TEXT,
  })
  expect(withGroupName('ToCity', missing.ToCity ?? '')).toBe('To City is required')
  expect(withGroupName('PackageWeight', missing.PackageWeight ?? '')).toBe('Weight is required')
  expect(SERVICE_MISSING_TEXT).toBe('Service name must be selected from the dropdown')
  expect(rowErrors(good({ ServiceName: ' ' }))).toEqual({ ServiceName: SERVICE_MISSING_TEXT })
  expect(rowErrors(good({ ServiceName: '' }), { needService: false })).toEqual({})
})

const INVALID_MEASURES = [
  '0',
  '-1',
  '0.000',
  'ten',
  '1e309',
  '1e1',
  'NaN',
  'Infinity',
  '0x10',
  '1 2',
  '.',
  '٣',
  '9'.repeat(96),
]
test.each(INVALID_MEASURES)('%s is not a measure', text => {
  expect(rowErrors(good({ PackageLength: text }))).toEqual({
    PackageLength: 'Length must be a positive number',
  })
})

test('fractions are valid measures', () => {
  for (const text of ['13.625', '.5', '3.', ' 2 ', '0.30000000000000004', '+1'])
    expect(rowErrors(good({ PackageHeight: text }))).toEqual({})
  expect(parseMeasure('13.625')).toBe(13.625)
})

test('a parcel heavier than the service allows is refused', () => {
  expect(rowErrors(good({ PackageWeight: '70.01' }), { maxWeight: 70 })).toEqual({
    PackageWeight: 'Weight must be at most 70 lb',
  })
  expect(rowErrors(good({ PackageLength: '1000' }))).toEqual({
    PackageLength: 'Length must be at most 999 inches',
  })
})

test('a parcel larger than the service takes is refused, with the figure that breaks the rule', () => {
  const long = good({ PackageLength: '999', PackageWidth: '999', PackageHeight: '999' })
  const ground = { serviceUid: 'usps:GROUND_ADVANTAGE' }
  expect(rowErrors(long, ground)).toEqual({
    PackageLength: 'Length plus girth is 4,995 in; USPS Ground Advantage takes at most 130 in',
  })
  expect(cellError('PackageLength', '999', long, ground)).toBe(
    'Length plus girth is 4,995 in; USPS Ground Advantage takes at most 130 in',
  )
  expect(cellError('PackageWidth', '999', long, ground)).toBeNull()
  expect(rowErrors(long)).toEqual({})
  expect(rowErrors({ ...long, PackageWidth: 'wide' }, ground)).toEqual({
    PackageWidth: 'Width must be a positive number',
  })
})

test('a weight below a hundredth of a pound is a typing error', () => {
  for (const text of ['0.00000000000000001', '0.009'])
    expect(rowErrors(good({ PackageWeight: text }))).toEqual({
      PackageWeight: 'Weight must be at least 0.01 lb',
    })
  expect(cellError('PackageWeight', '0.009', good())).toBe('Weight must be at least 0.01 lb')
  expect(rowErrors(good({ PackageWeight: '0.01' }))).toEqual({})
})

test('a phone number never invalidates a row', () => {
  expect(
    rowErrors(good({ ToPhone: '(404) 555-0192', FromPhone: '+1 404-555-0192 ext. 12345' })),
  ).toEqual({})
})

test('a row is for USPS or names no courier', () => {
  const names = ['', 'usps', ' USPS ', 'U.S.P.S.', 'USPS®', 'US Postal Service', 'U.S. Post Office']
  names.push('United States Postal Service (USPS)', 'USPS - U.S. Postal Service', 'stamps_com')
  for (const courier of names) expect(rowErrors(good({ courier })), courier).toEqual({})
  for (const courier of ['UPS', 'U.P.S.', 'USPS Priority', 'FedEx', 'DHL eCommerce', 'Canada Post'])
    expect(Object.keys(rowErrors(good({ courier }))), courier).toEqual(['courier'])
  const refused = "Courier 'UPS' is not sold here; type USPS, or leave it empty"
  expect(rowErrors(good({ courier: 'UPS' }))).toEqual({ courier: refused })
  expect(cellError('courier', 'UPS', good())).toBe(refused)
  expect(cellError('courier', 'USPS Ground Advantage', good())).toBe(
    "Courier 'USPS Ground Advantage' names a service too; type USPS here, and the service in Service",
  )
})

test('a country in another script is foreign, however it is written', () => {
  for (const country of ['中国', 'Österreich', '840']) expect(isUs(country)).toBe(false)
  for (const country of ['', ' ', 'us', 'U.S.A.', 'United States of America'])
    expect(isUs(country)).toBe(true)
})

test('states and countries are accepted in their usual spellings; unknown ones are named', () => {
  expect(rowErrors(good({ ToStateProvince: 'maine', ToCountry: 'usa', FromCountry: '' }))).toEqual(
    {},
  )
  expect(rowErrors(good({ ToStateProvince: 'ON', ToCountry: 'CA' }))).toEqual({
    ToStateProvince: "State 'ON' is not a US state",
    ToCountry: "Country 'CA' is not supported; we ship within the US only",
  })
})

test('a ZIP without its leading zero is suggested only where the state proves it', () => {
  expect(rowErrors(good({ ToZipPostal: '4101' }))).toEqual({
    ToZipPostal: "Zip '4101' is missing its leading zero; use 04101",
  })
  expect(rowErrors(good({ ToZipPostal: '4101', ToStateProvince: 'OR' }))).toEqual({
    ToZipPostal: 'Zip must be a 5-digit ZIP or ZIP+4 (97030-1234)',
  })
  const cases = [
    ['901', 'PR'],
    ['7030', 'nj'],
    ['4101-1234', 'ME'],
    ['41011234', 'ME'],
    ['9011234', 'PR'],
    ['501', 'NY'],
    ['544-1234', 'New York'],
    ['6390', 'NY'],
    ['502', 'NY'],
    ['1001', 'NY'],
    ['901', 'ME'],
    ['12345', 'ME'],
    ['', 'ME'],
  ]
  expect(cases.map(([zip = '', state = '']) => suggestZip(zip, state))).toEqual([
    '00901',
    '07030',
    '04101-1234',
    '04101-1234',
    '00901-1234',
    '00501',
    '00544-1234',
    '06390',
    null,
    null,
    null,
    null,
    null,
  ])
  expect(rowErrors(good({ ToZipPostal: '9.4E+21' })).ToZipPostal).toContain(
    'was changed by a spreadsheet',
  )
  expect(
    ['04101-1234', '041011234', '04101 1234'].map(zip => rowErrors(good({ ToZipPostal: zip }))),
  ).toEqual([{}, {}, {}])
})

test('a cell of more than four times its limit is refused with its length, and is not read', () => {
  const cells = Object.fromEntries(FIELDS.map(({ name, max }) => [name, ' '.repeat(4 * max + 1)]))
  const row = tidyRow({ ...good(), ...cells })
  expect(row).toEqual(cells)
  const errors = Object.fromEntries(
    FIELDS.map(({ name, label, max }) => [
      name,
      `${label} must be at most ${max} characters; this has ${4 * max + 1}`,
    ]),
  )
  expect(rowErrors(row)).toEqual(errors)
  for (const { name } of FIELDS) expect(cellError(name, row[name], row)).toBe(errors[name])
  expect(rowErrors(tidyRow(good({ ToCity: ` Reno${' '.repeat(235)}` })))).toEqual({})
})

test('text that is too long or unprintable is refused; accents are accepted', () => {
  expect(rowErrors(good({ ToCity: 'x'.repeat(61) }))).toEqual({
    ToCity: 'City must be at most 60 characters; this has 61',
  })
  expect(rowErrors(good({ ToCity: 'A\u0000B' })).ToCity).toContain('cannot be printed')
  expect(rowErrors(good({ ToCity: 'A\ud800B' })).ToCity).toContain('cannot be printed')
  expect(rowErrors(good({ ToCity: 'Cañon 😀 City' }))).toEqual({})
  const unreadable = good({ ToRecipientName: 'Zo\ufffd Lee', PackageDescription: 'Caf\ufffd mug' })
  expect(rowErrors(unreadable)).toEqual({
    ToRecipientName: 'Name contains a character that cannot be printed; type it again',
  })
})

test('a quantity is a whole number from 1', () => {
  expect(['1', '24', ''].map(quantity => rowErrors(good({ quantity })))).toEqual([{}, {}, {}])
  for (const quantity of ['0', '-1', '1.5', 'two']) {
    expect(rowErrors(good({ quantity }))).toEqual({
      quantity: 'Quantity must be a whole number of at least 1',
    })
  }
})

test('an edited cell has its own error texts', () => {
  const row = good()
  expect(cellError('ToCity', ' ', row)).toBe('City is required')
  expect(cellError('ToCompany', '', row)).toBeNull()
  expect(cellError('PackageWeight', 'abc', row)).toBe('Weight must be a number')
  expect(cellError('PackageWeight', '-1', row)).toBe('Weight must be greater than 0')
  expect(cellError('PackageWeight', '71', row, { maxWeight: 70 })).toBe(
    'Weight must be less than or equal to 70',
  )
  expect(cellError('PackageWeight', '70', row, { maxWeight: 70 })).toBeNull()
  expect(cellError('ToPhone', 'call me', row)).toBe('Invalid phone number')
  for (const phone of ['+1 404-555-0192', '4045550192', '(404) 555.0192', ''])
    expect(cellError('ToPhone', phone, row)).toBeNull()
  expect(cellError('ToZipPostal', '4101', row)).toContain('use 04101')
  expect(cellError('ServiceName', '', row)).toBeNull()
})

test('a row is tidied for the label; its phone is unchanged', () => {
  const typed = {
    ToStateProvince: 'oregon',
    ToZipPostal: '972011234',
    ToCountry: 'United States',
    ToPhone: '(404) 555-0192',
  }
  const row = tidyRow(good({ ...typed, ToRecipientName: '  Ana\u00a0 Lee\u200b ' }))
  expect(row).toMatchObject({
    ToStateProvince: 'OR',
    ToZipPostal: '97201-1234',
    ToCountry: 'US',
    ToRecipientName: 'Ana Lee',
  })
  expect(row.ToPhone).toBe('(404) 555-0192')
  expect(tidyRow(good({ ToStateProvince: '', ToCountry: 'PR' }))).toMatchObject({
    ToStateProvince: 'PR',
    ToCountry: 'US',
  })
  expect(tidyRow(good({ ToStateProvince: 'ON', ToCountry: 'CA' }))).toMatchObject({
    ToStateProvince: 'ON',
    ToCountry: 'CA',
  })
  for (const [ToCountry, ToStateProvince] of [
    ['Puerto Rico', 'PR'],
    ['Guam', 'GU'],
    ['U.S. Virgin Islands', 'VI'],
    ['Virgin Islands (US)', 'VI'],
    ['United States (US)', 'ME'],
  ] as const) {
    const expected = { ToStateProvince, ToCountry: 'US' }
    expect(tidyRow(good({ ToCountry, ToStateProvince }))).toMatchObject(expected)
    if (ToStateProvince !== 'ME')
      expect(tidyRow(good({ ToCountry, ToStateProvince: '' }))).toMatchObject(expected)
  }
  // The country of that name, although a state has it too.
  expect(tidyRow(good({ ToStateProvince: '', ToCountry: 'Georgia' })).ToCountry).toBe('Georgia')
  expect(
    ['(404) 555-0192', '404.555.0192', '+1 404-555-0192 EXT 9', ' 404 ', '12x4'].map(tidyPhone),
  ).toEqual(['404 555-0192', '404-555-0192', '+1 404-555-0192 ext. 9', '404', '12x4'])
})

test('a phone number that a spreadsheet kept as a decimal loses the zero behind the point', () => {
  const row = good({ ToPhone: '2075551234.0', FromPhone: '+12075551234.00' })
  expect(tidyRow(row)).toMatchObject({ ToPhone: '2075551234', FromPhone: '+12075551234' })
  expect(['2075551234.0', '207.555.1230', '207.0'].map(tidyPhone)).toEqual([
    '2075551234',
    '207-555-1230',
    '207-0',
  ])
})

test('what an export writes in place of a phone number is none', () => {
  for (const none of ['-', '--', '0', '000-000-0000', '0.0', 'n/a', 'N/A', 'na', 'None', '+']) {
    const row = tidyRow(good({ ToPhone: none, FromPhone: ` ${none} ` }))
    expect([row.ToPhone, row.FromPhone, tidyPhone(none)]).toEqual(['', '', ''])
    expect([rowErrors(good({ ToPhone: none })), cellError('ToPhone', none, row)]).toEqual([
      {},
      null,
    ])
  }
  expect(tidyRow(good({ ToPhone: '10' })).ToPhone).toBe('10')
  expect(rowErrors(good({ ToPhone: 'no' })).ToPhone).toContain('is not a phone number')
})

test('a phone number is accepted with all its digits, or refused', () => {
  const phones = ['555-0192 ext. 9', '(404) 555-0192, x12', '+1 404.555.0192 #7', '']
  for (const ToPhone of phones) {
    expect([ToPhone, rowErrors(good({ ToPhone })).ToPhone]).toEqual([ToPhone, undefined])
    expect(tidyPhone(ToPhone).replace(/\D/g, '')).toBe(ToPhone.replace(/\D/g, ''))
  }
  for (const ToPhone of ['12x4', '404-555-0192 ext. nine', '404-555-0192 or 3', 'call me'])
    expect(rowErrors(good({ ToPhone })).ToPhone).toBe(
      `Phone '${ToPhone}' is not a phone number; type it like 404-555-0192 ext. 9, or leave it empty`,
    )
  expect(rowErrors(good({ ToPhone: '4.04556E+9' })).ToPhone).toContain('changed by a spreadsheet')
})

test('a receiver whom a marketplace hides is never bought a label', () => {
  const masked = { ToRecipientName: 'J*** S***', ToStreet1: '12 E*** St', ToZipPostal: '972**' }
  expect(rowErrors(good(masked))).toEqual(
    Object.fromEntries(
      Object.entries(masked).map(([name, text]) => [
        name,
        expect.stringContaining(`'${text}' is masked with *; export the orders again`),
      ]),
    ),
  )
})

test('a measure with a unit is refused with the figure to type, or the units that are known', () => {
  const weight = (PackageWeight: string) => rowErrors(good({ PackageWeight })).PackageWeight
  expect(weight('8 oz')).toBe("Weight must be a positive number; type 0.5 for '8 oz'")
  expect(weight('3 stone')).toBe(
    "Weight must be a positive number; '3 stone' has an unknown unit; use lb, oz, kg or g",
  )
  expect(weight('abc')).toBe('Weight must be a positive number')
  for (const sides of ['12x9x4', '12 x 9 x 4 in', '12.5" × 9" × 4"', '30cm X 20cm X 4cm'])
    expect(rowErrors(good({ PackageLength: sides })).PackageLength).toBe(
      'Length must be a positive number; type length, width and height in cells of their own',
    )
})

test('a comma in a measure is refused with the figure to type, if it is sure to separate decimals', () => {
  const weight = (PackageWeight: string) => rowErrors(good({ PackageWeight })).PackageWeight
  const hints = {
    '2,5': "type 2.5 for '2,5'",
    ',5': "type .5 for ',5'",
    '0,500': "type 0.500 for '0,500'",
    '2,5 lb': "type 2.5 for '2,5 lb'",
    '1,5 kg': "type 3.3069 for '1,5 kg'",
    '1,500': 'type it without a comma',
    '1,500 g': 'type it without a comma',
    '1,234.5': 'type it without a comma',
  }
  for (const [text, hint] of Object.entries(hints)) {
    expect(weight(text)).toBe(`Weight must be a positive number; ${hint}`)
    expect(cellError('PackageWeight', text, good())).toBe(`Weight must be a number; ${hint}`)
  }
  expect(rowErrors(good({ PackageLength: '9,5' })).PackageLength).toContain("type 9.5 for '9,5'")
})

test('only known fields of unchecked input become a row', () => {
  expect(
    toBulkRow({
      ToCity: 'Reno',
      PackageWeight: 2.5,
      quantity: '',
      ToPhone: null,
      ToStreet1: {},
      hack: 'x',
    }),
  ).toEqual({ ...emptyRow(), ToCity: 'Reno', PackageWeight: '2.5' })
  expect(toBulkRow(null)).toEqual(emptyRow())
  expect(Object.keys(emptyRow()).sort()).toEqual(FIELDS.map(field => field.name).sort())
})

test('the template has the specified headers', () => {
  expect(TEMPLATE_CSV).toBe(
    'FROM NAME,FROM COMPANY,FROM PHONE,FROM ADDRESS 1,FROM ADDRESS 2,FROM CITY,FROM STATE,FROM ZIP,'
      + 'TO NAME,TO COMPANY,TO PHONE,TO ADDRESS 1,TO ADDRESS 2,TO CITY,TO STATE,TO ZIP,LENGTH,WIDTH,HEIGHT,WEIGHT\r\n',
  )
})

test('the error count has singular and plural', () => {
  expect([invalidRowsText(1), invalidRowsText(2)]).toEqual([
    '1 row has validation errors',
    '2 rows have validation errors',
  ])
})
