import bwip from 'bwip-js'
import { expect, test } from 'vitest'
import { sandboxTracking } from '#server/carriers/sandbox/tracking.ts'
import { gs1Symbols, digitPairs, symbolBars, symbolWidths } from './gs1-128.ts'
import { BARCODE_MODULES, CONSTANT_BARS, serialBars } from './specimen-barcode.ts'

// An independent encoder; it wants application identifiers in parentheses.
function oracle(routing: string, code: string): number[] {
  const text = `(420)${routing.slice(3)}(${code.slice(0, 2)})${code.slice(2)}`
  const [drawn] = bwip.raw('gs1-128', text, '') as unknown as [{ sbs: number[] }]
  return [...drawn.sbs]
}

const widthsOf = (routing: string, code: string) => symbolWidths(gs1Symbols(routing, code))

test('every pair of digits has the bars that another encoder gives it', () => {
  for (let pair = 0; pair < 100; pair++) {
    const code = `98${String(pair).padStart(2, '0').repeat(10)}`
    expect(widthsOf('42000000', code), code).toEqual(oracle('42000000', code))
  }
})

test('a code with a short ZIP is 222 modules wide, with a long one 244', () => {
  const width = (routing: string) =>
    widthsOf(routing, sandboxTracking(7)).reduce((sum, part) => sum + part, 0)
  expect(width('42062701')).toBe(222)
  expect(width('420627011234')).toBe(244)
  expect(widthsOf('420627011234', sandboxTracking(7))).toEqual(
    oracle('420627011234', sandboxTracking(7)),
  )
})

test('half a pair is refused', () => {
  expect(() => digitPairs('123')).toThrow(RangeError)
  expect(() => digitPairs('')).toThrow(RangeError)
  expect(() => digitPairs('1a')).toThrow(RangeError)
})

test('bars of neighbouring symbols neither touch nor overlap', () => {
  const bars = symbolBars(gs1Symbols('42000000', sandboxTracking(1)))
  bars
    .slice(1)
    .forEach((bar, turn) =>
      expect(bar.start).toBeGreaterThan(bars[turn]!.start + bars[turn]!.width),
    )
})

test('the bars of a specimen, taken from the page, are those of its number', () => {
  for (let turn = 0; turn < 300; turn++) {
    const tracking = sandboxTracking(BigInt(turn) * 33_112_233_445n)
    expect(widthsDrawn(CONSTANT_BARS + serialBars(tracking)), tracking).toEqual(
      oracle('42000000', tracking),
    )
  }
})

// Rectangles back to bar and space widths.
function widthsDrawn(rectangles: string): number[] {
  const widths: number[] = []
  let end = 0
  for (const [, at, wide] of rectangles.matchAll(/(\d+) 0 (\d+) 1 re /g)) {
    if (Number(at) > 0) widths.push(Number(at) - end)
    widths.push(Number(wide))
    end = Number(at) + Number(wide)
  }
  expect(end).toBe(BARCODE_MODULES)
  return widths
}
