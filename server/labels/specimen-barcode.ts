import { SANDBOX_NUMBER_PREFIX, sandboxTracking } from '#server/carriers/sandbox/tracking.ts'
// The barcode of a specimen. Of its 222 modules only the serial, the check symbol and the stop differ from label to label; the
// bars before them are drawn once a file. Plain rectangles, because every printer driver knows them: a dashed line is 100 bytes
// shorter, but nobody has seen what a thermal driver makes of such a long dash array.
import {
  checkSymbol,
  gs1Symbols,
  digitPairs,
  symbolBars,
  SYMBOL_MODULES,
  type Bar,
} from './gs1-128.ts'

/** Width of a module in points: 0.01476 in, three dots of a common thermal printer (8 dots a mm). */
export const MODULE_WIDTH = 1.063

/** A specimen routes to ZIP 00000, so that a sorter which reads it all the same has nowhere to send it. */
export const SPECIMEN_ROUTING = '42000000'

const SAMPLE_SYMBOLS = gs1Symbols(SPECIMEN_ROUTING, sandboxTracking(0))
const SERIAL_PAIRS = 7
const STOP = SAMPLE_SYMBOLS.at(-1)!
const CONSTANT_SYMBOLS = SAMPLE_SYMBOLS.slice(0, -SERIAL_PAIRS - 2)
// The check symbol is a weighted sum, so the share of the constant symbols is known beforehand.
const CONSTANT_SUM = checkSymbol(CONSTANT_SYMBOLS)
const SERIAL_START = CONSTANT_SYMBOLS.length * SYMBOL_MODULES
const CHECK_START = SERIAL_START + SERIAL_PAIRS * SYMBOL_MODULES

/** Modules of the whole barcode, without the quiet zones of ten on either side. */
export const BARCODE_MODULES = SAMPLE_SYMBOLS.length * SYMBOL_MODULES + 2

/** The bars that all specimens share, as rectangles one unit high and one unit a module. */
export const CONSTANT_BARS = barRectangles(symbolBars(CONSTANT_SYMBOLS))

// Each pair at each of its places, and each check symbol with the stop after it: drawing a label is looking up eight strings.
const SERIAL_BARS = Array.from({ length: SERIAL_PAIRS }, (_, turn) =>
  Array.from({ length: 100 }, (_, pair) =>
    barRectangles(symbolBars([pair], SERIAL_START + turn * SYMBOL_MODULES)),
  ),
)
const CHECK_BARS = Array.from({ length: 103 }, (_, check) =>
  barRectangles(symbolBars([check, STOP], CHECK_START)),
)

/** The rest of the bars of this sandbox number, in the same units. */
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
