import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import table from './__generated__/zip-places.json' with { type: 'json' }
import { STATES } from './states.ts'
import { cityKey, loadPlaces, unpackPlaces, zipFive } from './zip-places.ts'

const places = await loadPlaces()
const everyZip = Array.from({ length: 100_000 }, (_, zip) => String(zip).padStart(5, '0'))

test('the table is the one that was generated, and it is whole', () => {
  const checksum = createHash('sha256').update(table.packed).digest('hex')
  expect(checksum).toBe('174e6e3c5c5e74020e9c8a931628066c150016ecb336948af0e7e2d91395926c')
  expect(table.sha256).toBe(checksum)
  expect(table.zips).toBe(42_573)
  expect(everyZip.filter(zip => places.placeOf(zip))).toHaveLength(42_573)
})

test('well-known ZIPs are where they are known to be', () => {
  const known = [
    '10001 NY New York',
    '04101 ME Portland',
    '00501 NY Holtsville',
    '96799 AS Pago Pago',
    '09012 AE APO',
    '34001 AA APO',
    '96201 AP APO',
    '96601 AP FPO',
    '96910 GU Hagatna',
    '96950 MP Saipan',
    '00901 PR San Juan',
    '00801 VI St Thomas',
    '20500 DC Washington',
    '06390 NY Fishers Island',
    '75036 TX Frisco',
    '85288 AZ Tempe',
    '90210 CA Beverly Hills',
    '99501 AK Anchorage',
    '27101 NC Winston-Salem',
    "83814 ID Coeur D'Alene",
  ]
  for (const text of known) {
    const [, zip = '', state = '', city = ''] = /^(\d{5}) (..) (.*)$/.exec(text) ?? []
    expect(places.placeOf(zip), text).toMatchObject({ state, city })
  }
  expect(places.placeOf('11760')).toEqual({ state: 'NY', city: 'Melville', others: ['Islandia'] })
})

test('every state, territory and military region has ZIPs', () => {
  const states = new Set(everyZip.map(zip => places.placeOf(zip)?.state))
  expect(STATES.filter(({ code }) => !states.has(code))).toEqual([])
})

test('a ZIP is read from ZIP+4, and other text is no ZIP', () => {
  expect(['04101', ' 04101 ', '04101-1234', '04101 1234', '041011234'].map(zipFive)).toEqual(
    Array(5).fill('04101'),
  )
  expect(['4101', '0410', '04101-12', 'ME', '', '041011'].map(zipFive)).toEqual(Array(6).fill(null))
  expect(places.placeOf('04101-1234')?.city).toBe('Portland')
  expect(places.placeOf('00000')).toBeUndefined()
  expect(places.placeOf('4101')).toBeUndefined()
})

test('a city is found in every usual spelling, with all of its ZIPs', () => {
  expect(places.zipsOfCity('portland', 'ME')).toHaveLength(9)
  const saintLouis = places.zipsOfCity('Saint Louis', 'MO')
  expect(saintLouis.length).toBeGreaterThan(50)
  expect(places.zipsOfCity('ST. LOUIS', 'MO')).toBe(saintLouis)
  expect(places.zipsOfCity('Ft Worth', 'TX')).toBe(places.zipsOfCity('Fort Worth', 'TX'))
  expect(places.zipsOfCity('Mount Vernon', 'WA')).toBe(places.zipsOfCity('Mt. Vernon', 'WA'))
  expect(places.zipsOfCity('Islandia', 'NY')).toContain('11760')
  expect(places.zipsOfCity('Atlantis', 'ME')).toEqual([])
})

test('spellings of one city have one key', () => {
  const sameCities = [
    ['Winston-Salem', 'WINSTON SALEM', 'winston  salem'],
    ['Coeur d’Alene', "COEUR D'ALENE", 'Coeur dAlene'],
    ['Cañon City', 'Canon City', 'CAN\u0303ON CITY'],
    ['St. Petersburg', 'Saint Petersburg'],
    ['N. Hollywood', 'North Hollywood'],
    ['Virginia Bch', 'Virginia Beach'],
  ]
  for (const names of sameCities) expect(new Set(names.map(cityKey)).size, names[0]).toBe(1)
})

test('a table is unpacked as it was packed', () => {
  const small = unpackPlaces('dx=NY:Holtsville;1=PR:Adjuntas;:Aguada/Aguadilla;;a;')
  expect(small.placeOf('00501')).toEqual({ state: 'NY', city: 'Holtsville', others: [] })
  expect(small.placeOf('00502')).toEqual({ state: 'PR', city: 'Adjuntas', others: [] })
  const aguada = { state: 'PR', city: 'Aguada', others: ['Aguadilla'] }
  expect(['00503', '00504', '00514'].map(small.placeOf)).toEqual([aguada, aguada, aguada])
  expect(small.zipsOfCity('aguadilla', 'PR')).toEqual(['00503', '00504', '00514'])
  expect(small.placeOf('00505')).toBeUndefined()
})
