// The barcode of a specimen. Of its 222 modules only serial, check symbol and stop vary; the rest
// is drawn once per file. Plain rectangles, which every printer driver supports: a dashed line is
// 100 bytes shorter, but untested with thermal drivers.

import { SANDBOX_NUMBER_PREFIX, sandboxTracking } from '#server/carriers/sandbox/tracking.ts'
import {
  checkSymbol,
  gs1Symbols,
  digitPairs,
  symbolBars,
  SYMBOL_MODULES,
  type Bar,
} from './gs1-128.ts'

/** In points: 0.01476 in, three dots of a common thermal printer (8 dots per mm). */
export const MODULE_WIDTH = 1.063

/** ZIP 00000, so that a sorter has nowhere to send a specimen. */
export const SPECIMEN_ROUTING = '42000000'

const SAMPLE_SYMBOLS = gs1Symbols(SPECIMEN_ROUTING, sandboxTracking(0))
const SERIAL_PAIRS = 7
const STOP = SAMPLE_SYMBOLS.at(-1)!
const CONSTANT_SYMBOLS = SAMPLE_SYMBOLS.slice(0, -SERIAL_PAIRS - 2)
// The check symbol is a weighted sum, so the constant symbols' share is known.
const CONSTANT_SUM = checkSymbol(CONSTANT_SYMBOLS)
const SERIAL_START = CONSTANT_SYMBOLS.length * SYMBOL_MODULES
const CHECK_START = SERIAL_START + SERIAL_PAIRS * SYMBOL_MODULES

/** Without the quiet zones of ten modules on each side. */
export const BARCODE_MODULES = SAMPLE_SYMBOLS.length * SYMBOL_MODULES + 2

/** The bars all specimens share, one unit high and one unit per module. */
export const CONSTANT_BARS = barRectangles(symbolBars(CONSTANT_SYMBOLS))

// Precomputed pairs per position, and check symbols with stop: a label needs eight lookups.
const SERIAL_BARS = Array.from({ length: SERIAL_PAIRS }, (_, turn) =>
  Array.from({ length: 100 }, (_, pair) =>
    barRectangles(symbolBars([pair], SERIAL_START + turn * SYMBOL_MODULES)),
  ),
)
const CHECK_BARS = Array.from({ length: 103 }, (_, check) =>
  barRectangles(symbolBars([check, STOP], CHECK_START)),
)

/** The remaining bars, in the same units. */
export function serialBars(trackingNumber: string): string {
  let sum = CONSTANT_SUM
  let drawn = ''
  digitPairs(trackingNumber.slice(SANDBOX_NUMBER_PREFIX.length)).forEach((pair, turn) => {
    sum += (CONSTANT_SYMBOLS.length + turn) * pair
    drawn += SERIAL_BARS[turn]![pair]!
  })
  return drawn + CHECK_BARS[sum % 103]!
}

function barRectangles(bars: Bar[]): string {
  return bars.map(({ start, width }) => `${start} 0 ${width} 1 re `).join('')
}
