import Papa from 'papaparse'
import { expect, test } from 'vitest'
import { resultHeaderLine, resultLine } from './result-csv.ts'
import type { ResultRow } from './result-csv.ts'

const bought: ResultRow = {
  row: 1,
  orderId: '114-1794598-2115959',
  orderItemId: '00000000000011',
  status: 'completed',
  trackingNumber: '9800000000000000000104',
  priceCents: 650,
  reason: null,
  input: {
    FromSenderName: 'Wanda Osei',
    FromStreet1: '5357 N. Umpqua Hwy',
    FromCity: 'Roseburg',
    FromStateProvince: 'OR',
    FromZipPostal: '07470',
    ToRecipientName: 'José "Pepe" Muñoz',
    ToCompany: 'Meats, Inc.',
    ToPhone: '+1 404-555-0192',
    ToStreet1: '1 A St',
    ToCity: 'Indian',
    ToStateProvince: 'AK',
    ToZipPostal: '99540',
    PackageLength: '9',
    PackageWidth: '6',
    PackageHeight: '3',
    PackageWeight: '1.5',
    skuNumber: 'not a column of the template',
    signature: 'adult',
  },
  trackingPage: 'https://labels.example/track/Zk3v0Qy7xV1mT9cRb2LwHg',
}
const failed: ResultRow = {
  row: 2,
  orderId: null,
  orderItemId: null,
  status: 'cancelled',
  trackingNumber: null,
  priceCents: null,
  reason: 'Address not deliverable',
  input: {},
  trackingPage: null,
}
const file = (...rows: ResultRow[]) => resultHeaderLine() + rows.map(resultLine).join('')

test('a row is what became of it and then what was sent in', () => {
  expect(file(bought, failed)).toBe(
    '\ufeffrow,order_id,order_item_id,status,tracking_number,price,reason,'
      + 'FROM NAME,FROM COMPANY,FROM PHONE,FROM ADDRESS 1,FROM ADDRESS 2,FROM CITY,FROM STATE,FROM ZIP,'
      + 'TO NAME,TO COMPANY,TO PHONE,TO ADDRESS 1,TO ADDRESS 2,TO CITY,TO STATE,TO ZIP,'
      + 'LENGTH,WIDTH,HEIGHT,WEIGHT,tracking_page,signature,saturday\r\n'
      + '1,114-1794598-2115959,00000000000011,completed,9800 0000 0000 0000 0001 04,6.50,,'
      + 'Wanda Osei,,,5357 N. Umpqua Hwy,,Roseburg,OR,07470,'
      + '"José ""Pepe"" Muñoz","Meats, Inc.",\'+1 404-555-0192,1 A St,,Indian,AK,99540,9,6,3,1.5,'
      + 'https://labels.example/track/Zk3v0Qy7xV1mT9cRb2LwHg,adult,\r\n'
      + `2,,,cancelled,,,Address not deliverable${','.repeat(23)}\r\n`,
  )
})

test('another program reads every row back with all its columns', () => {
  const nasty = {
    ...failed,
    reason: 'two\r\nlines, "quoted"; and\ttabs ',
    input: { ToRecipientName: ' spaced ' },
  }
  const { data, errors } = Papa.parse<Record<string, string>>(
    file(bought, nasty, failed).trimEnd(),
    { header: true },
  )
  expect(errors).toEqual([])
  expect(data).toHaveLength(3)
  expect(data[1]).toMatchObject({ row: '2', reason: nasty.reason, 'TO NAME': ' spaced ' })
  expect(data[0]!['tracking_number']!.replaceAll(' ', '')).toBe(bought.trackingNumber)
})

test('an id with zeros in front keeps them, and cents are never rounded away', () => {
  const line = resultLine({ ...bought, priceCents: 123_456 })
  expect(line).toContain(',00000000000011,')
  expect(line).toContain(',1234.56,')
})
