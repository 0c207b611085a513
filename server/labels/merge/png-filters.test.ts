import { expect, test } from 'vitest'
import { unfilter } from './png-filters.ts'

const STEP = 3
const ROW = 21

/** A row filtered as in RFC 2083, 6.2 to 6.6. */
function filtered(filter: number, line: Uint8Array, above: Uint8Array): Buffer {
  return Buffer.from([
    filter,
    ...line.map((value, x) => {
      const [a, b, c] = [line[x - STEP] ?? 0, above[x] ?? 0, above[x - STEP] ?? 0]
      const nearest = [a, b, c].toSorted(
        (p, q) => Math.abs(a + b - c - p) - Math.abs(a + b - c - q),
      )[0]!
      return value - [0, a, b, Math.floor((a + b) / 2), nearest][filter]!
    }),
  ])
}

test('rows are as they were before, whichever filter each of them went through', () => {
  const lines = Array.from({ length: 40 }, (_, y) =>
    Uint8Array.from({ length: ROW }, (__, x) => (x * x * 31 + y * 97 + ((x * y) % 13)) % 256),
  )
  const bytes = Buffer.concat(
    lines.map((line, y) =>
      filtered(Math.floor(y / 2) % 5, line, lines[y - 1] ?? new Uint8Array(ROW)),
    ),
  )
  expect(unfilter(bytes, ROW, STEP)).toEqual(Buffer.concat(lines))
})

test('a filter that there is not is refused', () => {
  expect(() => unfilter(Buffer.from([5, 1, 2, 3]), 3, 1)).toThrow('a filter that there is not')
})
