/**
 * ZIP codes with their state and city, offline (docs/decisions/0041-zip-codes-offline.md). The table
 * has 370 kB, so it is loaded on first use and kept.
 */
import { normalizeText } from './text.ts'

/** `others`: further names the postal service accepts for the ZIP. */
export type Place = { state: string; city: string; others: readonly string[] }

export type ZipPlaces = {
  /** Of a 5-digit ZIP or a ZIP+4; undefined for one that is not in the table. */
  placeOf: (zip: string) => Place | undefined
  /** The ZIPs of a city of a two-letter state, ascending; spelling as in `cityKey`. */
  zipsOfCity: (city: string, state: string) => readonly string[]
}

/** How many ZIPs there are: 00000 to 99999. */
const ZIP_COUNT = 100_000
const DIGITS = /^\d{5}(?:[ -]*\d{4})?$/

/** '04101' of '04101', '04101-1234' and '041011234'; null for other text. */
export function zipFive(text: string): string | null {
  const zip = text.trim()
  return DIGITS.test(zip) ? zip.slice(0, 5) : null
}

const ASCII = /^[\x20-\x7e]*$/
const MARKS = /['’`.]/g
const NO_WORD = /[^A-Z0-9]+/
const NO_WORD_UNICODE = /[^\p{L}\p{N}]+/u
const SHORT_WORDS = new Map(
  (
    'SAINT ST|SAINTE STE|FORT FT|MOUNT MT|MOUNTAIN MTN|NORTH N|SOUTH S|EAST E|WEST W|TOWNSHIP TWP'
    + '|HEIGHTS HTS|SPRINGS SPGS|SPRING SPG|BEACH BCH|VILLAGE VLG|JUNCTION JCT|POINT PT|PORT PRT'
    + '|CENTER CTR|CENTRE CTR|LAKE LK|ISLAND IS|TERRACE TER|GROVE GRV|FALLS FLS|HARBOR HBR|CITY CY'
  )
    .split('|')
    .map(pair => pair.split(' ') as [string, string]),
)

/** The words of a city's name in capitals, without accents and punctuation. */
function wordsOf(city: string): string[] {
  const isAscii = ASCII.test(city)
  const plain = isAscii ? city : normalizeText(city, 'NFKD').replace(/\p{M}/gu, '')
  return plain
    .toUpperCase()
    .replace(MARKS, '')
    .split(isAscii ? NO_WORD : NO_WORD_UNICODE)
}

/**
 * A city's name for comparison: without letter case, accents, punctuation and spaces, common words
 * as the postal service shortens them (Saint and St, Fort and Ft, Mount and Mt).
 */
export function cityKey(city: string): string {
  let key = ''
  for (const word of wordsOf(city)) key += SHORT_WORDS.get(word) ?? word
  return key
}

/** Whether a city's name means the place: 'St. Louis', 'New York City', 'Washington, DC', 'Fairgrove'. */
export function isNameOf(city: string, { city: name, others, state }: Place): boolean {
  if (city.length === name.length && city.toUpperCase() === name.toUpperCase()) return true
  const key = cityKey(city)
  return [name, ...others].some(one => {
    const of = cityKey(one)
    return (
      key === of
      || key === `${of}CY`
      || `${key}CY` === of
      || key === of + state
      || wordsOf(city).join('') === wordsOf(one).join('')
    )
  })
}

/**
 * The table from its packed text. Entries are in the order of the ZIPs and end with ';': the distance
 * to the ZIP before in base 36 (none: 1), then '=' and the state where it changes, then ':' and the
 * city where it changes, further names after '/'.
 */
export function unpackPlaces(packed: string): ZipPlaces {
  const places: Place[] = [{ state: '', city: '', others: [] }]
  const placeByZip = new Uint16Array(ZIP_COUNT)
  const known = new Map<string, number>()
  let zip = 0
  let state = ''
  let city = ''
  let place = 0
  for (let at = 0; at < packed.length;) {
    const end = packed.indexOf(';', at)
    if (end === at) {
      at += 1
      placeByZip[++zip] = place
      continue
    }
    const entry = packed.slice(at, end)
    at = end + 1
    const cityAt = entry.indexOf(':')
    const stateAt = entry.indexOf('=')
    const headEnd = stateAt >= 0 ? stateAt : cityAt >= 0 ? cityAt : entry.length
    zip += headEnd === 0 ? 1 : Number.parseInt(entry.slice(0, headEnd), 36)
    if (stateAt >= 0) state = entry.slice(stateAt + 1, stateAt + 3)
    if (cityAt >= 0) city = entry.slice(cityAt + 1)
    if (stateAt >= 0 || cityAt >= 0) place = indexOfPlace(places, known, state, city)
    placeByZip[zip] = place
  }
  const zipsByState = new Map<string, Map<string, string[]>>()
  return {
    placeOf: text => {
      const five = zipFive(text)
      const index = five === null ? 0 : placeByZip[Number(five)]!
      return index === 0 ? undefined : places[index]
    },
    // One state at a time takes 2 ms, all of them 50 ms.
    zipsOfCity: (name, of) => {
      const zips = zipsByState.get(of) ?? indexByCity(places, placeByZip, of)
      zipsByState.set(of, zips)
      return zips.get(cityKey(name)) ?? []
    },
  }
}

function indexOfPlace(
  places: Place[],
  known: Map<string, number>,
  state: string,
  names: string,
): number {
  const key = `${state} ${names}`
  const found = known.get(key)
  if (found !== undefined) return found
  const [city = '', ...others] = names.includes('/') ? names.split('/') : [names]
  known.set(key, places.length)
  return places.push({ state, city, others }) - 1
}

/** The ZIPs of each city of a state, by its key. */
function indexByCity(
  places: readonly Place[],
  placeByZip: Uint16Array,
  of: string,
): Map<string, string[]> {
  const keys = places.map(({ state, city, others }) =>
    state === of ? [city, ...others].map(cityKey) : null,
  )
  const zips = new Map<string, string[]>()
  placeByZip.forEach((place, zip) => {
    for (const key of keys[place] ?? []) {
      const list = zips.get(key)
      const text = String(zip).padStart(5, '0')
      if (list) list.push(text)
      else zips.set(key, [text])
    }
  })
  return zips
}

let loading: Promise<ZipPlaces> | undefined

/** The table, loaded once. Rejects when it can't be loaded; the next call tries again. */
export function loadPlaces(): Promise<ZipPlaces> {
  loading ??= import('./__generated__/zip-places.json', { with: { type: 'json' } }).then(
    ({ default: table }) => unpackPlaces(table.packed),
  )
  loading.catch(() => (loading = undefined))
  return loading
}
