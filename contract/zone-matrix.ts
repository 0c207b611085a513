/** The zones between ZIP codes by their first three digits, and the file that an operator uploads. Pure. */
import { countText, numberText } from './format.ts'
import { ZONES } from './pricing.ts'
import type { ZoneLookup } from './pricing.ts'
import { shortenText } from './text.ts'

/** 000 to 999. */
export const PREFIXES = 1000

const ZERO_CODE = 48

/** Of a file; each pair once, and one line of names. */
export const MAX_ZONE_LINES = PREFIXES * PREFIXES + 1

/** Of ZIP codes with five digits. `zones` has a byte for each pair at origin * 1000 + destination; 0 where no zone is known. */
export const zoneLookup =
  (zones: Uint8Array): ZoneLookup =>
  (fromZip, toZip) =>
    zones[prefixOf(fromZip) * PREFIXES + prefixOf(toZip)] || null

/** The first three digits as a number; callers pass ZIP codes. */
const prefixOf = (zip: string): number =>
  (zip.charCodeAt(0) - ZERO_CODE) * 100
  + (zip.charCodeAt(1) - ZERO_CODE) * 10
  + (zip.charCodeAt(2) - ZERO_CODE)

/** On the wire: the zones of an origin to the destinations 000 to 999 as digits, 0 where there is none. */
export type ZoneRows = Record<string, string>

/** Throws nothing; `rows` has passed its description. */
export function zonesFromRows(rows: ZoneRows): { zones: Uint8Array; pairs: number } {
  const zones = new Uint8Array(PREFIXES * PREFIXES)
  let pairs = 0
  for (const [origin, digits] of Object.entries(rows)) {
    const start = Number(origin) * PREFIXES
    for (let at = 0; at < PREFIXES; at++) {
      const zone = digits.charCodeAt(at) - ZERO_CODE
      zones[start + at] = zone
      if (zone > 0) pairs++
    }
  }
  return { zones, pairs }
}

const MAX_FAULTS = 100
const HEADER = /^origin3\s*[,;\t]\s*destination3\s*[,;\t]\s*zone$/i
const LINE = /^"?(\d{3})"?\s*[,;\t]\s*"?(\d{3})"?\s*[,;\t]\s*"?([1-9])"?$/

/** `line` counts the lines of the file from 1. */
export type ZoneFault = { line: number; text: string }

/** `faultCount`: of all lines, of which the first 100 are in `faults`. */
export type ZoneFile = {
  rows: ZoneRows
  pairs: number
  origins: number
  faults: ZoneFault[]
  faultCount: number
}

/** Reads a .csv with the columns origin3, destination3 and zone; the line of their names may be missing. */
export function parseZoneFile(text: string): ZoneFile | { problem: string } {
  const digits = new Map<string, Uint8Array>()
  const faults: ZoneFault[] = []
  let [pairs, faultCount, line, isFirst] = [0, 0, 0, true]
  const refuse = (fault: string) => {
    faultCount++
    if (faults.length < MAX_FAULTS) faults.push({ line, text: fault })
  }
  for (const given of linesOf(text)) {
    line++
    if (line > MAX_ZONE_LINES + 1)
      return { problem: `The file has more than ${numberText(MAX_ZONE_LINES)} lines.` }
    const cells = given.trim()
    if (cells === '') continue
    const isHeader = isFirst && HEADER.test(cells)
    isFirst = false
    if (isHeader) continue
    const found = LINE.exec(cells)
    if (!found) {
      refuse(lineFault(cells))
      continue
    }
    const [, origin, destination, zone] = found as unknown as [string, string, string, string]
    const row = digits.get(origin) ?? new Uint8Array(PREFIXES)
    digits.set(origin, row)
    const before = row[Number(destination)]!
    if (before !== 0 && before !== Number(zone))
      refuse(`${origin} to ${destination} has zone ${before} in a line above; keep one of the two`)
    if (before === 0) pairs++
    row[Number(destination)] = Number(zone)
  }
  if (pairs === 0 && faultCount === 0)
    return { problem: 'The file has no zones: give it the columns origin3, destination3 and zone.' }
  const rows = Object.fromEntries([...digits].map(([origin, row]) => [origin, row.join('')]))
  return { rows, pairs, origins: digits.size, faults, faultCount }
}

function* linesOf(text: string): Generator<string> {
  let start = 0
  while (start <= text.length) {
    const end = text.indexOf('\n', start)
    yield text.slice(start, end === -1 ? text.length : end)
    if (end === -1) return
    start = end + 1
  }
}

function lineFault(cells: string): string {
  const parts = cells.split(/[,;\t]/)
  if (parts.length !== 3)
    return `The line has ${countText(parts.length, 'cell')}; write origin3, destination3 and zone, such as 005,100,3`
  const [origin, destination, zone] = parts.map(part => part.trim().replaceAll('"', ''))
  for (const [name, value] of [
    ['origin3', origin!],
    ['destination3', destination!],
  ] as const)
    if (!/^\d{3}$/.test(value))
      return `${name} is '${shortenText(value)}'; write the first three digits of the ZIP, with zeros, such as 005`
  return `zone is '${shortenText(zone!)}'; write a number from ${ZONES[0]} to ${ZONES.at(-1)}`
}
