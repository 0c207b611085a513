/**
 * Reads a pasted US address into its fields, in the page. Own rules (decision 45): lines as people
 * write them, the ZIP table for what one line leaves open. Pure.
 */
import { isUs } from '#contract/rows.ts'
import { stateCode } from '#contract/states.ts'
import { normalizeText, tidyText } from '#contract/text.ts'
import { isNameOf, zipFive } from '#contract/zip-places.ts'
import type { ZipPlaces } from '#contract/zip-places.ts'

export type PastedAddress = {
  name: string
  company: string
  phone: string
  street: string
  street2: string
  city: string
  /** Two letters; '' where the text names none. */
  state: string
  zip: string
}

/** Longer texts are not an address; reading stops here. */
export const MAX_PASTED_LENGTH = 1000

const LABEL =
  /^(?:ship(?:ping)?(?: to)?|deliver(?:y)?(?: to)?|recipient|receiver|to|from|name|address|attention|attn)\s*:\s*/i
const EMAIL = /^(?:e-?mail\s*:?\s*)?\S+@\S+\.\S+$/i
const PHONE_LABEL =
  /^(?:phone|tel|telephone|ph|mobile|cell|contact)\.?\s*(?:no\.?|number)?\s*[:#]?\s*/i
const PHONE = /^\+?[\d(][\d\s().-]{5,18}\d(?:\s*(?:ext\.?|x)\s*\d{1,8})?$/i
const ZIP_AT_END = /[\s,]*\b(\d{5}(?:[- ]\d{4})?)$/
const UNIT_WORD =
  'apt|apartment|suite|ste|unit|fl|floor|piso|rm|room|bldg|building|lot|trlr|dept|spc|space|ph|penthouse'
/** '2 Piso', '2do Piso'. */
const NUMBERED_FLOOR = '\\d{1,2}(?:er|ro|do|to|mo|vo|no|[aoªº°])?\\.?\\s+piso'
/** Streets of Puerto Rico, whose number comes last: 'Calle 5 #12', 'Avenida Ponce de León 1510'. */
const SPANISH_WORD =
  '(?:calle|callej[oó]n|avenida|avda|ave?|camino|carretera|carr|paseo|pasaje|bulevar|v[ií]a)\\.?\\s+'
const UNIT_START = `(?:#|(?:${UNIT_WORD}|${NUMBERED_FLOOR})\\b)`
const SPANISH_STREET = `${SPANISH_WORD}(?:(?:PR[-\\s]?)?\\d|[^\\d#]*#|\\D*\\d[\\w-]*(?:$|,?\\s+${UNIT_START}))`
/** Behind the name or number of such a street, a number sign belongs to the street, not to a unit. */
const NUMBER_SIGN_IN_STREET = new RegExp(
  `^${SPANISH_WORD}(?:PR[-\\s]?)?\\d*[^\\d#]*#\\s*[\\w-]{1,8}$`,
  'i',
)
const STREET =
  /^(?:\d+[A-Z]?(?:[-/]\d+)?\s+\S|P\.?\s*O\.?\s*Box\b|(?:RR|HC|PSC|CMR|Unit)\s*\d|Rural Route\b|One\s+\S)/i
const SPANISH_STREET_LINE = new RegExp(`^${SPANISH_STREET}`, 'i')
const NAME_AND_STREET = /^(\D+?)\s+(\d.*)$/
const NAME_AND_SPANISH_STREET = new RegExp(`^(\\D+?)\\s+(${SPANISH_STREET}.*)$`, 'i')
const FLOOR_LINE = new RegExp(`^${NUMBERED_FLOOR}$`, 'i')
const UNIT_LINE = new RegExp(`^(?:(?:${UNIT_WORD})\\b|#|${NUMBERED_FLOOR}$)`, 'i')
const UNIT_AT_END = new RegExp(
  `[,\\s]+((?:(?:${UNIT_WORD})\\.?\\s*#?\\s*[\\w-]{1,8}|#\\s*[\\w-]{1,8}|${NUMBERED_FLOOR}))$`,
  'i',
)
const MAX_STATE_WORDS = 4

/**
 * The fields that the text names; the others are ''. Null where it has no street and no ZIP, so it is
 * no address. `places` finds the city of a text that separates nothing.
 */
export function parseAddress(text: string, places?: ZipPlaces): PastedAddress | null {
  const address: PastedAddress = {
    name: '',
    company: '',
    phone: '',
    street: '',
    street2: '',
    city: '',
    state: '',
    zip: '',
  }
  const lines = withoutCountry(takePhone(linesOf(text), address))
  const before = takePlace(lines, address, places)
  takeStreet(before, address)
  return address.street === '' && address.zip === '' ? null : address
}

/** Lines, or the parts between commas of a single line, without labels and emails. */
function linesOf(text: string): string[] {
  const lines = normalizeText(text.slice(0, MAX_PASTED_LENGTH))
    .split(/[\r\n\t;|]+/)
    .map(line => tidyText(line).replace(LABEL, '').replace(/,$/, ''))
    .filter(line => line !== '' && !EMAIL.test(line))
  return lines.length === 1
    ? lines[0]!
        .split(',')
        .map(tidyText)
        .filter(part => part !== '')
    : lines
}

export function withoutCountry(lines: string[]): string[] {
  const last = lines.at(-1)
  if (last === undefined) return []
  const before = lines.slice(0, -1)
  if (isUs(last)) return before
  const place = last.replace(/[,\s]+(?:USA?|U\.S\.A?\.?|United States(?: of America)?)$/i, '')
  return [...before, place]
}

function takePhone(lines: string[], address: PastedAddress): string[] {
  return lines.filter(line => {
    const number = line.replace(PHONE_LABEL, '')
    const digits = number.replace(/\D/g, '').length
    // Nine digits in a row may be a ZIP+4.
    if (address.phone !== '' || !PHONE.test(number) || digits < 10) return true
    address.phone = number
    return false
  })
}

/** Takes city, state and ZIP off the end and returns the lines before. */
function takePlace(lines: string[], address: PastedAddress, places?: ZipPlaces): string[] {
  // A single line may have its city, state and ZIP in parts of their own.
  for (let parts = 1; parts <= Math.min(3, lines.length); parts++) {
    const before = lines.slice(0, lines.length - parts)
    const place = readPlace(lines.slice(-parts).join(', '), places)
    if (!place) continue
    if (!place.namesCity && parts < 3 && before.length > 0 && mayBeCity(before.at(-1)!)) continue
    Object.assign(address, { city: place.city, state: place.state, zip: place.zip })
    return place.rest === '' ? before : [...before, place.rest]
  }
  return lines
}

/** A part of a place of its own: no street, no unit. */
const mayBeCity = (part: string): boolean =>
  !/\d/.test(part) && !STREET.test(part) && !SPANISH_STREET_LINE.test(part) && !UNIT_LINE.test(part)

/** `namesCity`: the text does; else the city is the usual one of the ZIP, or ''. */
type FoundPlace = { city: string; state: string; zip: string; rest: string; namesCity: boolean }

/** Of 'Fresno, CA 93701'. `rest`: what stands before the city, as in '2210 E Olive Ave, Fresno, CA 93701'. */
function readPlace(joined: string, places?: ZipPlaces): FoundPlace | null {
  const text = joined.replace(/\s*,\s*/g, ', ')
  const found = ZIP_AT_END.exec(text)
  const zip = found?.[1]!.replace(' ', '-') ?? ''
  const words = (found ? text.slice(0, found.index) : text).split(/\s+/).filter(word => word !== '')
  const state = stateAtEnd(words)
  if (!found && !state) return null
  const beforeState = words
    .slice(0, words.length - (state?.words ?? 0))
    .join(' ')
    .replace(/,$/, '')
  const known = places && zipFive(zip) ? places.placeOf(zip) : undefined
  const code = state?.code ?? known?.state ?? ''
  if (!found && !beforeState) return null
  const comma = beforeState.lastIndexOf(',')
  if (comma >= 0)
    return {
      city: beforeState.slice(comma + 1).trim(),
      state: code,
      zip,
      rest: beforeState.slice(0, comma).trim(),
      namesCity: true,
    }
  const isStreet = /\d/.test(beforeState)
  const usual = { city: known?.city ?? '', state: code, zip, namesCity: false }
  if (beforeState === '') return { ...usual, rest: '' }
  if (!isStreet) return { city: beforeState, state: code, zip, rest: '', namesCity: true }
  // Street and city without a comma between them: the ZIP tells which words are the city.
  const all = beforeState.split(' ')
  if (known)
    for (let count = Math.min(4, all.length - 1); count >= 1; count--) {
      const city = all.slice(-count).join(' ')
      if (isNameOf(city, known))
        return { city, state: code, zip, rest: all.slice(0, -count).join(' '), namesCity: true }
    }
  return { ...usual, rest: beforeState }
}

/** The longest name or code of a state at the end that leaves a word for the city. */
export function stateAtEnd(words: string[]): { code: string; words: number } | null {
  for (let count = Math.min(MAX_STATE_WORDS, words.length); count >= 1; count--) {
    const name = words.slice(-count).join(' ')
    const code = name.includes(',') ? null : stateCode(name)
    if (code && (count < words.length || words.length === 1)) return { code, words: count }
  }
  return null
}

/** A company may have a name like a Spanish street, such as Via 313 Pizza, so that counts only where no other line is a street. */
function streetLine(lines: string[]): number {
  const isStreet = [
    (line: string) => STREET.test(line) && !UNIT_LINE.test(line),
    (line: string) => SPANISH_STREET_LINE.test(line),
    (line: string) => STREET.test(line) && !FLOOR_LINE.test(line),
  ].find(test => lines.some(test))
  return isStreet ? lines.findIndex(isStreet) : -1
}

/** Name and company stand before the street, its unit behind it. */
function takeStreet(lines: string[], address: PastedAddress): void {
  let at = streetLine(lines)
  let rows = lines
  if (at === -1) {
    // 'June Rivera 2210 E Olive Ave': the name ends where the number begins, or a street like 'Calle 5'.
    at = lines.findIndex(line => /\s\d+\s+\S/.test(line) || NAME_AND_SPANISH_STREET.test(line))
    const line = lines[at] ?? ''
    const split = NAME_AND_SPANISH_STREET.exec(line) ?? NAME_AND_STREET.exec(line)
    if (split) {
      rows = [...lines.slice(0, at), split[1]!, split[2]!, ...lines.slice(at + 1)]
      at += 1
    }
  }
  if (at === -1) at = rows.length > 1 ? rows.length - 1 : rows.length
  const units = rows.slice(0, at).filter(line => UNIT_LINE.test(line))
  const people = rows.slice(0, at).filter(line => !UNIT_LINE.test(line))
  address.name = people[0] ?? ''
  address.company = people.slice(1).join(', ')
  const street = rows[at] ?? ''
  const unit = NUMBER_SIGN_IN_STREET.test(street) ? null : UNIT_AT_END.exec(street)
  address.street = unit ? street.slice(0, unit.index).trim() : street
  address.street2 = [...(unit ? [unit[1]!] : []), ...units, ...rows.slice(at + 1)].join(', ')
}
