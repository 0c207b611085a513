import { SANDBOX_STEM, sandboxTracking } from '#server/carriers/sandbox/tracking.ts'
// The barcode of a specimen. Of its 222 modules only the serial, the check symbol and the stop differ from label to label; the
// bars before them are drawn once a file. Plain rectangles, because every printer driver knows them: a dashed line is 100 bytes
// shorter, but nobody has seen what a thermal driver makes of such a long dash array.
import { checkSymbol, gs1Symbols, pairs, symbolBars, SYMBOL_MODULES, type Bar } from './gs1-128.ts'

/** Width of a module in points: 0.01476 in, three dots of a common thermal printer (8 dots a mm). */
export const MODULE = 1.063

/** A specimen routes to ZIP 00000, so that a sorter which reads it all the same has nowhere to send it. */
export const SPECIMEN_ROUTING = '42000000'

const SYMBOLS = gs1Symbols(SPECIMEN_ROUTING, sandboxTracking(0))
const SERIAL_PAIRS = 7
const STOP = SYMBOLS.at(-1)!
const CONSTANT = SYMBOLS.slice(0, -SERIAL_PAIRS - 2)
// The check symbol is a weighted sum, so the share of the constant symbols is known beforehand.
const CONSTANT_SUM = checkSymbol(CONSTANT)
const SERIAL_AT = CONSTANT.length * SYMBOL_MODULES
const CHECK_AT = SERIAL_AT + SERIAL_PAIRS * SYMBOL_MODULES

/** Modules of the whole barcode, without the quiet zones of ten on either side. */
export const BARCODE_MODULES = SYMBOLS.length * SYMBOL_MODULES + 2

/** The bars that all specimens share, as rectangles one unit high and one unit a module. */
export const CONSTANT_BARS = rectangles(symbolBars(CONSTANT))

// Each pair at each of its places, and each check symbol with the stop after it: drawing a label is looking up eight strings.
const SERIAL_BARS = Array.from({ length: SERIAL_PAIRS }, (_, turn) =>
  Array.from({ length: 100 }, (_, pair) =>
    rectangles(symbolBars([pair], SERIAL_AT + turn * SYMBOL_MODULES)),
  ),
)
const CHECK_BARS = Array.from({ length: 103 }, (_, check) =>
  rectangles(symbolBars([check, STOP], CHECK_AT)),
)

/** The rest of the bars of this sandbox number, in the same units. */
export function serialBars(trackingNumber: string): string {
  let sum = CONSTANT_SUM
  let drawn = ''
  pairs(trackingNumber.slice(SANDBOX_STEM.length)).forEach((pair, turn) => {
    sum += (CONSTANT.length + turn) * pair
    drawn += SERIAL_BARS[turn]![pair]!
  })
  return drawn + CHECK_BARS[sum % 103]!
}

function rectangles(bars: Bar[]): string {
  return bars.map(({ at, wide }) => `${at} 0 ${wide} 1 re `).join('')
}
