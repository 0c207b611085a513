import { expect, test } from 'vitest'
import { importText } from '#tests/support/import-text.ts'
import { readPlace } from './city-state-zip.ts'

test.each([
  ['Fresno, CA 93701', 'Fresno', 'CA', '93701'],
  ['Portland ME 04101-1234', 'Portland', 'ME', '04101-1234'],
  ['Portland / ME / 4101', 'Portland', 'ME', '4101'],
  ['New York, NY 10001 1234', 'New York', 'NY', '10001-1234'],
  ['New York, NY 10001 - 1234', 'New York', 'NY', '10001-1234'],
  ['New York, New York 100011234', 'New York', 'NY', '10001-1234'],
  ['New York New York 10001', 'New York', 'NY', '10001'],
  ['Charleston West Virginia, 25301', 'Charleston', 'WV', '25301'],
  ['St. Louis MO 63101', 'St. Louis', 'MO', '63101'],
  ['Washington, D.C. 20001', 'Washington', 'DC', '20001'],
  ['Fresno - CA - 93701', 'Fresno', 'CA', '93701'],
  ['Winston-Salem NC 27101', 'Winston-Salem', 'NC', '27101'],
  ['Fresno, CA 93701,', 'Fresno', 'CA', '93701'],
  ['Fresno, CA 93701, USA', 'Fresno', 'CA', '93701'],
  ['Fresno CA 93701 United States', 'Fresno', 'CA', '93701'],
  ['Toronto, ON M5V 2T6', 'Toronto, ON M5V 2T6', '', ''],
  ['Kansas City KS 66101', 'Kansas City', 'KS', '66101'],
  ['Fresno, CA', 'Fresno', 'CA', ''],
  ['Fresno 93701', 'Fresno', '', '93701'],
  ['Fresno', 'Fresno', '', ''],
  ['93701', '', '', '93701'],
  ['', '', '', ''],
])('%s is read as its parts', (cell, city, state, zip) => {
  expect(readPlace(cell)).toEqual({ city, state, zip })
})

test('a file with the place and the email of the buyer in a column each is read without a question', () => {
  const text = [
    'Order #,Customer,Address,City / State / Zip,Buyer Email,Weight,Length,Width,Height',
    '17,June Rivera,1 Park Pl,"Fresno, California 93701",june@example.com,1,9,6,3',
    '18,Theo Marsh,2 Park Pl,Portland ME 4101,none,1,9,6,3',
  ].join('\n')
  const { rows } = importText(text, {
    mapping: () => ({
      columns: [
        { header: 'Order #', use: 'orderId' },
        { header: 'Customer', use: 'ToRecipientName' },
        { header: 'Address', use: 'ToStreet1' },
        { header: 'City / State / Zip', use: 'CityStateZip' },
        { header: 'Buyer Email', use: 'ToEmail' },
      ],
      constants: {},
    }),
  })
  expect(rows).toMatchObject([
    { ToCity: 'Fresno', ToStateProvince: 'CA', ToZipPostal: '93701', ToEmail: 'june@example.com' },
    { ToCity: 'Portland', ToStateProvince: 'ME', ToZipPostal: '04101' },
  ])
  expect(rows[1]!.notices).toContain(
    "'none' is not an email address, so the receiver gets no emails about this parcel.",
  )
})
