import { expect, test } from 'vitest'
import type { MappedUse } from '#contract/imports.ts'
import {
  MAPPED_FIELDS,
  fieldTitle,
  fieldsWithoutColumn,
  findClash,
  firstMissing,
  firstRowParts,
  isStillRead,
  mappingOf,
  proposeColumn,
  suggestColumns,
} from './match-columns.ts'
import type { MappedColumn } from './match-columns.ts'

const uses = (headers: string[], samples: string[][] = []) =>
  suggestColumns(headers, samples).map(({ use, unit }) => (unit ? `${use} ${unit}` : use))

const columnsOf = (...list: MappedUse[]): MappedColumn[] =>
  list.map(use => ({ header: use.toLowerCase(), use }))

test.each([
  ['Ship To Name', 'ToRecipientName'],
  ['Recipient', 'ToRecipientName'],
  ['Customer Name', 'ToRecipientName'],
  ['shipping_address_1', 'ToStreet1'],
  ['Delivery Address Line 2', 'ToStreet2'],
  ['Ship City', 'ToCity'],
  ['Destination State', 'ToStateProvince'],
  ['ZIP/Postal Code', 'ToZipPostal'],
  ['Postcode (Shipping)', 'ToZipPostal'],
  ['Country Code', 'ToCountry'],
  ['Recipient’s phone', 'ToPhone'],
  ['First Name', 'FirstName'],
  ['Shipping Last Name', 'LastName'],
  ['Sender Name', 'FromSenderName'],
  ['Return Address', 'FromStreet1'],
  ['Ship From Zip', 'FromZipPostal'],
  ['City / State / Zip', 'CityStateZip'],
  ['Buyer E-mail', 'ToEmail'],
  ['Order #', 'orderId'],
  ['Order Number', 'orderId'],
  ['Line Item ID', 'orderItemId'],
  ['Seller SKU', 'skuNumber'],
  ['Order ID (required)', 'orderId'],
  ['Qty', 'quantity'],
  ['Item - Qty', 'quantity'],
  ['Product', 'PackageDescription'],
  ['Reference', 'PackageReference1'],
  ['Courier', 'courier'],
  ['Weight', 'PackageWeight'],
  ['Weight (oz)', 'PackageWeight oz'],
  ['Weight(kg)', 'PackageWeight kg'],
  ['weight_lbs', 'PackageWeight lb'],
  ['Package weight in grams', 'PackageWeight g'],
  ['Ounces', 'PackageWeight oz'],
  ['Length [cm]', 'PackageLength cm'],
  ['Dimensions - Length', 'PackageLength'],
  ['Width (inches)', 'PackageWidth in'],
  ['H', 'PackageHeight'],
  ['Shippping Address', 'ToStreet1'],
  ['Recipent Name', 'ToRecipientName'],
  ['Billing City', 'unused'],
  ['Buyer Name', 'unused'],
  ['Total', 'unused'],
  ['Date', 'unused'],
  ['Constructor', 'unused'],
  ['', 'unused'],
])('a column named %j is suggested as %s', (header, use) => {
  expect(uses([header])).toEqual([use])
})

test('columns of exports in German and Spanish are suggested by their names', () => {
  const german = ['Bestell-Nr.', 'Empfänger', 'Straße', 'Adresszusatz', 'PLZ', 'Ort', 'Bundesland']
  expect(uses([...german, 'Land', 'Telefon', 'Gewicht (kg)', 'Länge in cm', 'Hoehe'])).toEqual([
    'orderId',
    'ToRecipientName',
    'ToStreet1',
    'ToStreet2',
    'ToZipPostal',
    'ToCity',
    'ToStateProvince',
    'ToCountry',
    'ToPhone',
    'PackageWeight kg',
    'PackageLength cm',
    'PackageHeight',
  ])
  expect(uses(['Vorname', 'Nachname', 'Liefer-PLZ', 'Absender Ort', 'Rechnungsadresse'])).toEqual([
    'FirstName',
    'LastName',
    'ToZipPostal',
    'FromCity',
    'unused',
  ])
  const spanish = ['Nº de pedido', 'Nombre', 'Apellidos', 'Dirección', 'Código postal', 'Ciudad']
  expect(uses([...spanish, 'Provincia', 'País', 'Teléfono', 'Peso en kg', 'Cantidad'])).toEqual([
    'orderId',
    'FirstName',
    'LastName',
    'ToStreet1',
    'ToZipPostal',
    'ToCity',
    'ToStateProvince',
    'ToCountry',
    'ToPhone',
    'PackageWeight kg',
    'quantity',
  ])
  const sided = ['Ciudad de envío', 'Código postal del remitente', 'Dirección de facturación']
  expect(uses(sided)).toEqual(['ToCity', 'FromZipPostal', 'unused'])
  const lines = ['Dirección de envío 1', 'Dirección de envío 2']
  expect(uses(lines)).toEqual(['ToStreet1', 'ToStreet2'])
})

test('a street number has a column of its own only by its name, or right after the street', () => {
  expect(uses(['Straße', 'Hausnummer'])).toEqual(['ToStreet1', 'StreetNumber'])
  expect(uses(['Street', 'Delivery House No.'])).toEqual(['ToStreet1', 'StreetNumber'])
  const numbers = [['Main St'], ['12', '7 B']]
  expect(uses(['Calle', 'Número'], numbers)).toEqual(['ToStreet1', 'StreetNumber'])
  expect(uses(['Straße', 'Nr.'], numbers)).toEqual(['ToStreet1', 'StreetNumber'])
  expect(uses(['Número', 'Calle'], numbers.toReversed())).toEqual(['unused', 'ToStreet1'])
  expect(uses(['Calle', 'Número'], [['Main St'], ['A-1047-2']])).toEqual(['ToStreet1', 'unused'])
})

test('a column Estado is read as states only where it has states', () => {
  expect(uses(['Estado', 'Estado'], [['ME', 'Texas'], ['Completado']])).toEqual([
    'ToStateProvince',
    'unused',
  ])
})

test('columns without a known name are recognized by what is in them', () => {
  expect(
    uses(
      ['A', 'B', 'C', 'D', 'Billing X'],
      [
        ['04101', '97030-1234'],
        ['Maine', 'OR'],
        ['(404) 555-0192', '+1 404-555-0193'],
        ['12.5', '3'],
        ['04101'],
      ],
    ),
  ).toEqual(['ToZipPostal', 'ToStateProvince', 'ToPhone', 'unused', 'unused'])
})

test('the surest column gets a field, and no field is suggested twice', () => {
  expect(
    uses(['Name', 'City', 'Shipping Name', 'Shipping City', 'City'], [['#1001'], ['Rome']]),
  ).toEqual(['unused', 'unused', 'ToRecipientName', 'ToCity', 'unused'])
  expect(uses(['Name', 'Street'], [['1001', '1002'], ['1 Elm St']])).toEqual([
    'unused',
    'ToStreet1',
  ])
  expect(uses(['Full Name', 'First Name', 'Last Name'])).toEqual([
    'ToRecipientName',
    'unused',
    'unused',
  ])
  expect(uses(['Pounds', 'Ounces', 'Weight'])).toEqual([
    'PackageWeight lb',
    'PackageWeight oz',
    'unused',
  ])
  expect(uses(['Weight (lb)', 'Weight (kg)', 'Length (in)', 'Length (cm)'])).toEqual([
    'PackageWeight lb',
    'unused',
    'PackageLength in',
    'unused',
  ])
  expect(uses(['Weight', 'Weight (oz)'])).toEqual(['PackageWeight', 'unused'])
})

test('a column with names of people is proposed for the receiver, not chosen', () => {
  const propose = (header: string, values: string[]) =>
    proposeColumn([{ header, use: 'unused' }], [values], ['ToRecipientName'])
  expect(propose('Kunde', ['June Rivera', 'José O’Neill-Park', 'Otto van Lindgren'])).toEqual({
    at: 0,
    use: 'ToRecipientName',
  })
  expect(propose('Kunde', ['June Rivera', '22 Huot Circle'])).toBe(null)
  expect(propose('Kunde', ['Gresham'])).toBe(null)
  expect(propose('Kunde', [])).toBe(null)
  expect(propose('Billing contact', ['June Rivera'])).toBe(null)
  expect(proposeColumn([{ header: 'Kunde', use: 'unused' }], [['June Rivera']], [])).toBe(null)
})

test('required fields without a column are named; senders and measures may come from elsewhere', () => {
  const address = columnsOf(
    'ToRecipientName',
    'ToStreet1',
    'ToCity',
    'ToStateProvince',
    'ToZipPostal',
  )
  const measures = ['PackageLength', 'PackageWidth', 'PackageHeight', 'PackageWeight']
  expect(fieldsWithoutColumn(address, true)).toEqual(measures)
  expect(fieldsWithoutColumn([...address, ...columnsOf('skuNumber')], true)).toEqual([])
  expect(fieldsWithoutColumn([...address, ...columnsOf('FromCity')], true)).toEqual([
    'FromSenderName',
    'FromStreet1',
    'FromStateProvince',
    'FromZipPostal',
    ...measures,
  ])
  expect(fieldsWithoutColumn(address, false)).toContain('FromCity')
  expect(fieldsWithoutColumn(columnsOf('LastName'), true)).not.toContain('ToRecipientName')
  expect(fieldsWithoutColumn([], true)).toContain('ToRecipientName')
})

test('a mapping keeps constants of missing fields only, and units of measures only', () => {
  const columns: MappedColumn[] = [
    { header: 'Oz', use: 'PackageWeight', unit: 'oz' },
    { header: 'Town', use: 'ToCity', unit: 'oz' },
  ]
  const mapping = mappingOf(columns, { PackageWeight: '3', ToZipPostal: ' 04101 ' }, true)
  expect(mapping).toEqual({
    columns: [columns[0], { header: 'Town', use: 'ToCity' }],
    constants: { ToZipPostal: '04101' },
    version: 2,
  })
  expect(firstMissing(mapping, true)?.name).toBe('ToRecipientName')
})

test('two columns of one field are found, except pounds and ounces of one weight', () => {
  expect(findClash(columnsOf('ToCity', 'unused', 'unused', 'ToCity'))).toEqual([0, 3])
  expect(findClash(columnsOf('ToCity', 'FromCity'))).toBe(null)
  const weights: MappedColumn[] = [
    { header: 'lb', use: 'PackageWeight' },
    { header: 'oz', use: 'PackageWeight', unit: 'oz' },
  ]
  expect(findClash(weights)).toBe(null)
  expect(findClash([weights[0]!, { header: 'kg', use: 'PackageWeight', unit: 'kg' }])).toEqual([
    0, 1,
  ])
  expect(findClash([...weights, { header: 'w', use: 'PackageWeight', unit: 'lb' }])).toEqual([0, 2])
})

test('a second column of a field is read until the field has another column or unit', () => {
  const before = columnsOf('ToStreet1', 'unused', 'unused', 'PackageWeight')
  const isReadAfter = (at: number, use: MappedUse, ifEmpty: number | undefined = 0) =>
    isStillRead({ at: 1, ifEmpty }, before, before.with(at, { ...before[at]!, use }))
  expect(isReadAfter(0, 'ToStreet1')).toBe(true)
  expect(isReadAfter(2, 'PackageDescription')).toBe(true)
  expect(isReadAfter(1, 'PackageDescription')).toBe(true)
  expect(isReadAfter(0, 'unused')).toBe(false)
  expect(isReadAfter(0, 'ToStreet2')).toBe(false)
  for (const at of [1, 2]) expect(isReadAfter(at, 'ToStreet1')).toBe(false)
  expect(isStillRead({ at: 1 }, before, columnsOf('unused', 'ToStreet1'))).toBe(true)
  const inUnit = (unit: 'lb' | 'oz') =>
    isStillRead({ at: 2, ifEmpty: 3 }, before, before.with(3, { ...before[3]!, unit }))
  expect([inUnit('lb'), inUnit('oz')]).toEqual([true, false])
})

test('fields are named as the table names them', () => {
  const titles = MAPPED_FIELDS.map(fieldTitle)
  expect(titles).toContain('To Zip')
  expect(titles).toContain('From City')
  expect(titles).toContain('Weight')
  expect(new Set(titles).size).toBe(titles.length)
  expect(titles).not.toContain('Service')
})

test('the first row says who gets it and what it weighs, as the columns are matched', () => {
  const cells = ['Ada', 'Quill', '1 Elm St', 'Bath', 'ME', '04530', '8']
  const uses = [
    'FirstName',
    'LastName',
    'ToStreet1',
    'ToCity',
    'ToStateProvince',
    'ToZipPostal',
    'PackageWeight',
  ] as const
  const columns = uses.map((use, at) => ({
    header: cells[at]!,
    use,
    ...(use === 'PackageWeight' && { unit: 'oz' as const }),
  }))
  expect(firstRowParts(columns, {}, cells)).toEqual([
    'Ada Quill',
    '1 Elm St',
    'Bath ME 04530',
    '8 oz',
  ])
  expect(firstRowParts(columns.slice(2, 4), { PackageWeight: '2' }, cells.slice(2))).toEqual([
    '1 Elm St',
    'Bath',
    '2 lb',
  ])
  const weights = [
    { header: 'Weight', use: 'PackageWeight' as const },
    { header: 'Ounces', use: 'PackageWeight' as const, unit: 'oz' as const },
  ]
  expect(firstRowParts(weights, {}, ['1', '4'])).toEqual(['1 lb 4 oz'])
  expect(firstRowParts([], {}, cells)).toEqual([])
})
