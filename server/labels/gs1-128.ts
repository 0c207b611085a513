// Code set C: two digits per symbol, so only pairs of digits.
const START_C = 105
const FNC1 = 102
const STOP = 106

// Modules of bar, space, bar, space, bar, space for values 0 to 106 (Code 128); stop has one more
// bar.
const WIDTHS = (
  '212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231 113222 123122 123221 '
  + '223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 212123 212321 232121 111323 131123 131321 '
  + '112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121 313121 211331 231131 213113 213311 213131 '
  + '311123 311321 331121 312113 312311 332111 314111 221411 431111 111224 111422 121124 121421 141122 141221 112214 112412 122114 '
  + '122411 142112 142211 241211 221114 413111 241112 134111 111242 121142 121241 114212 124112 124211 411212 421112 421211 212141 '
  + '214121 412121 111143 111341 131141 114113 114311 411113 411311 113141 114131 311141 411131 211412 211214 211232 2331112'
).split(' ')

/** Modules per symbol; the stop symbol has two more. */
export const SYMBOL_MODULES = 11

/**
 * Symbol values of a parcel barcode: start, FNC1, `routing` (420 and ZIP), FNC1, package code,
 * check, stop. The second FNC1 ends the routing, whose length varies; without it a reader assigns
 * the next digits to another field. Throws for an odd number of digits.
 */
export function gs1Symbols(routing: string, code: string): number[] {
  const values = [START_C, FNC1, ...digitPairs(routing), FNC1, ...digitPairs(code)]
  return [...values, checkSymbol(values), STOP]
}

/** Modulo 103 over all values from the start symbol on. */
export function checkSymbol(values: readonly number[]): number {
  let sum = values[0]!
  for (let place = 1; place < values.length; place++) sum += place * values[place]!
  return sum % 103
}

/** Module widths, alternating bar and space, beginning with a bar. */
export function symbolWidths(values: readonly number[]): number[] {
  return [...values.map(value => WIDTHS[value]!).join('')].map(Number)
}

/** In modules. */
export type Bar = { start: number; width: number }

/** The first symbol begins at module `start`. */
export function symbolBars(values: readonly number[], start = 0): Bar[] {
  const bars: Bar[] = []
  let at = start
  symbolWidths(values).forEach((wide, turn) => {
    if (turn % 2 === 0) bars.push({ start: at, width: wide })
    at += wide
  })
  return bars
}

/** Pairs of digits as values from 0 to 99. */
export function digitPairs(digits: string): number[] {
  if (!/^(\d\d)+$/.test(digits))
    throw new RangeError(`Code set C takes whole pairs of digits, not '${digits}'`)
  return Array.from({ length: digits.length / 2 }, (_, pair) =>
    Number(digits.slice(2 * pair, 2 * pair + 2)),
  )
}
