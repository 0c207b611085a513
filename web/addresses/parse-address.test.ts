import { describe, expect, test } from 'vitest'
import { loadPlaces } from '#contract/zip-places.ts'
import { MAX_PASTED_LENGTH, parseAddress } from './parse-address.ts'
import type { PastedAddress } from './parse-address.ts'

const FRESNO = {
  name: 'June Rivera',
  company: '',
  phone: '',
  street: '2210 E Olive Ave',
  street2: '',
  city: 'Fresno',
  state: 'CA',
  zip: '93701',
}

const CASES: [name: string, text: string, differs: Partial<PastedAddress>][] = [
  ['in lines', 'June Rivera\n2210 E Olive Ave\nFresno, CA 93701', {}],
  ['on one line', 'June Rivera, 2210 E Olive Ave, Fresno, CA 93701', {}],
  ['with each part alone', 'June Rivera, 2210 E Olive Ave, Fresno, CA, 93701', {}],
  ['without a comma before the state', 'June Rivera\n2210 E Olive Ave\nFresno CA 93701', {}],
  ['with the name of the state', 'June Rivera\n2210 E Olive Ave\nFresno, California 93701', {}],
  ['with a country', 'June Rivera\n2210 E Olive Ave\nFresno, CA 93701\nUnited States', {}],
  ['with the country on the same line', 'June Rivera\n2210 E Olive Ave\nFresno CA 93701 USA', {}],
  ['with a ZIP+4', 'June Rivera\n2210 E Olive Ave\nFresno, CA 93701-1234', { zip: '93701-1234' }],
  ['with labels', 'Ship to: June Rivera\nAddress: 2210 E Olive Ave\nFresno, CA 93701', {}],
  ['without a name', '2210 E Olive Ave\nFresno, CA 93701', { name: '' }],
  [
    'with a company',
    'June Rivera\nOlive Press LLC\n2210 E Olive Ave\nFresno, CA 93701',
    { company: 'Olive Press LLC' },
  ],
  [
    'with a phone and an email',
    'June Rivera\n2210 E Olive Ave\nFresno, CA 93701\nPhone: (559) 555-0192\njune@example.com',
    { phone: '(559) 555-0192' },
  ],
  [
    'with a unit on the street',
    'June Rivera\n2210 E Olive Ave Apt 4B\nFresno, CA 93701',
    { street2: 'Apt 4B' },
  ],
  [
    'with a unit on its own line',
    'June Rivera\n2210 E Olive Ave\n#12\nFresno, CA 93701',
    { street2: '#12' },
  ],
  [
    'with a unit before the street',
    'June Rivera\nSuite 300\n2210 E Olive Ave\nFresno, CA 93701',
    { street2: 'Suite 300' },
  ],
  ['with a PO box', 'June Rivera\nPO Box 77\nFresno, CA 93701', { street: 'PO Box 77' }],
  ['from a spreadsheet', 'June Rivera\t2210 E Olive Ave\tFresno\tCA\t93701', {}],
  [
    'with Windows line ends and spaces',
    ' June  Rivera \r\n2210 E Olive Ave\r\nFresno,CA 93701\r\n',
    {},
  ],
]

describe('an address is read as people write it', () => {
  test.each(CASES)('%s', (_, text, differs) => {
    expect(parseAddress(text)).toEqual({ ...FRESNO, ...differs })
  })

  test.each([
    ['Dana Cole\n1 Main St\nNew York, New York 10001', 'New York', 'NY'],
    ['Dana Cole\n1 Main St\nCharleston, West Virginia 25301', 'Charleston', 'WV'],
    ['Dana Cole\n1 Main St\nKansas City KS 66101', 'Kansas City', 'KS'],
    ['Dana Cole\n1 Main St NW\nWashington DC 20001', 'Washington', 'DC'],
    ['Dana Cole\nPSC 3 Box 1\nAPO, AE 09021', 'APO', 'AE'],
  ])('%j names its city and state', (text, city, state) => {
    expect(parseAddress(text)).toMatchObject({ name: 'Dana Cole', city, state })
  })
})

test('a ZIP that is missing stays empty', () => {
  expect(parseAddress('June Rivera\n2210 E Olive Ave\nFresno, CA')).toEqual({ ...FRESNO, zip: '' })
})

test('the ZIP finds city and state where the text does not tell them apart', async () => {
  const places = await loadPlaces()
  for (const text of [
    'June Rivera 2210 E Olive Ave Fresno CA 93701',
    'June Rivera\n2210 E Olive Ave Fresno CA 93701',
    'June Rivera\n2210 E Olive Ave\n93701',
  ])
    expect(parseAddress(text, places), text).toMatchObject({
      ...FRESNO,
      city: expect.stringMatching(/^fresno$/i),
    })
})

test('without the name each part of an address stays where it belongs', async () => {
  const places = await loadPlaces()
  for (const [name, text, { company = '', ...differs }] of CASES) {
    const nameless = text.replace(/^.*June +Rivera\s*,?\s*/, '')
    // A company alone stands where the name does.
    expect(parseAddress(nameless, places), name).toEqual({ ...FRESNO, ...differs, name: company })
    expect(parseAddress(text, places), name).toEqual({ ...FRESNO, ...differs, company })
  }
})

test.each([
  ['350 5th Ave, New York, NY 10118, United States', '350 5th Ave', '', 'New York'],
  ['123 Main St, Apt 4, Boston, MA 02110', '123 Main St', 'Apt 4', 'Boston'],
  ['123 Main St\nBoston, MA\n02110', '123 Main St', '', 'Boston'],
  ['123 Main St\nApt 4\nMA 02110', '123 Main St', 'Apt 4', 'Boston'],
])('%j has its city where it belongs', async (text, street, street2, city) => {
  const address = parseAddress(text, await loadPlaces())
  expect(address).toMatchObject({ street, street2, city })
})

test.each([
  ['Calle 5 #12', 'Calle 5 #12', ''],
  ['Calle 5 #12 Apt 3', 'Calle 5 #12', 'Apt 3'],
  ['Calle 5 #12 #3', 'Calle 5 #12', '#3'],
  ['calle 5 NE # 12-A', 'calle 5 NE # 12-A', ''],
  ['Calle Luna #15', 'Calle Luna #15', ''],
  ['Calle Luna 15 #3', 'Calle Luna 15', '#3'],
  ['Calle Luna 15 Apt 3', 'Calle Luna 15', 'Apt 3'],
  ['Calle Luna 15 Piso 2', 'Calle Luna 15', 'Piso 2'],
  ['Calle Luna 15, 2 Piso', 'Calle Luna 15', '2 Piso'],
  ['Calle Luna 15 2do Piso', 'Calle Luna 15', '2do Piso'],
  ['Calle 5 #12, 2 Piso', 'Calle 5 #12', '2 Piso'],
  ['123 Calle 5, 2 Piso', '123 Calle 5', '2 Piso'],
  ['Calle Luna 15', 'Calle Luna 15', ''],
  ['Avenida Ponce de León 1510', 'Avenida Ponce de León 1510', ''],
  ['Ave. Ponce de León #1510', 'Ave. Ponce de León #1510', ''],
  ['Camino Las Lomas #8', 'Camino Las Lomas #8', ''],
  ['Carretera PR-2 #45', 'Carretera PR-2 #45', ''],
  ['Carr. 844 #7, Suite 2', 'Carr. 844 #7', 'Suite 2'],
  ['Paseo 3 #21', 'Paseo 3 #21', ''],
  ['123 Calle 5 #12', '123 Calle 5', '#12'],
  ['123 Main St #12', '123 Main St', '#12'],
])('of the street %j, number and unit are where they belong', async (line, street, street2) => {
  const places = await loadPlaces()
  const place = { city: expect.stringMatching(/^san juan$/i), state: 'PR', zip: '00926' }
  const address = { ...place, street, street2, company: '' }
  for (const text of [
    `Ana Rivera\n${line}\nSan Juan, PR 00926`,
    `Ana Rivera, ${line}, San Juan, PR 00926`,
    `Ana Rivera ${line}, San Juan, PR 00926`,
    `Ana Rivera ${line} San Juan PR 00926`,
  ])
    expect(parseAddress(text, places), text).toEqual({ ...address, name: 'Ana Rivera', phone: '' })
  expect(parseAddress(`${line}\nSan Juan PR 00926`, places)).toMatchObject({ ...address, name: '' })
})

test.each(['Camino Foods', 'Avenida Books', 'Via Roma LLC'])(
  'a company with a name like a street, %s, stays a company',
  company => {
    const text = `June Rivera\n${company}\n2210 E Olive Ave\nFresno, CA 93701`
    expect(parseAddress(text)).toEqual({ ...FRESNO, company })
  },
)

test.each([
  ['Via 313 Pizza', '3016 Guadalupe St'],
  ['Camino Real Foods #102', '123 Main St'],
  ['Calle 8 Bakery', 'PO Box 12'],
])('a company like a street with a number, %s, is no street beside %s', (company, street) => {
  const city = 'Fresno, CA 93701'
  expect(parseAddress(`June Rivera\n${company}\n${street}\n${city}`)).toEqual({
    ...FRESNO,
    company,
    street,
  })
  expect(parseAddress(`${company}\n${street}\n${city}`)).toEqual({
    ...FRESNO,
    name: company,
    street,
  })
})

test('a unit below a Spanish street stays its unit', () => {
  for (const unit of ['Unit 3', 'Piso 2', '2 Piso', '2do. Piso', '2º piso'])
    expect(parseAddress(`June Rivera\nCalle 5 #12\n${unit}\nFresno, CA 93701`), unit).toEqual({
      ...FRESNO,
      street: 'Calle 5 #12',
      street2: unit,
    })
})

test('a phone below the country leaves city, state and ZIP in place', () => {
  for (const end of ['United States\n+12075551234', '+12075551234\nUnited States'])
    expect(parseAddress(`Ann Lee\n1 Main St\nPortland ME 04101\n${end}`)).toEqual({
      ...FRESNO,
      name: 'Ann Lee',
      phone: '+12075551234',
      street: '1 Main St',
      city: 'Portland',
      state: 'ME',
      zip: '04101',
    })
})

test('what is not an address is not read as one', () => {
  for (const text of ['', '   ', 'June Rivera', 'https://example.com/orders', 'thank you!'])
    expect(parseAddress(text), text).toBeNull()
})

test('a very long text is read up to its limit', () => {
  const long = `June Rivera\n2210 E Olive Ave\n${'x'.repeat(MAX_PASTED_LENGTH)}`
  expect(parseAddress(long)?.name).toBe('June Rivera')
})
