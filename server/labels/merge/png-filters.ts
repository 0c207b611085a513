import { UnreadableFileError } from './pdf-syntax.ts'

/** Reverses a row's filter in place; `above` is the previous row, `step` the bytes per pixel. */
type RowUnfilter = (line: Uint8Array, above: Uint8Array, step: number) => void

// By filter type (RFC 2083, 6). One loop per type: choosing the filter per byte took twice as long.
const ROW_UNFILTERS: readonly RowUnfilter[] = [
  () => {},
  (line, _, step) => {
    for (let x = step; x < line.length; x++) line[x]! += line[x - step]!
  },
  (line, above) => {
    for (let x = 0; x < line.length; x++) line[x]! += above[x]!
  },
  (line, above, step) => {
    for (let x = 0; x < line.length; x++)
      line[x]! += ((x < step ? 0 : line[x - step]!) + above[x]!) >> 1
  },
  (line, above, step) => {
    for (let x = 0; x < line.length; x++) {
      line[x]! += x < step ? above[x]! : paeth(line[x - step]!, above[x]!, above[x - step]!)
    }
  },
]

/**
 * Reverses PNG filters, also used by PDF: rows of `row` bytes, each after a filter byte; `step`
 * bytes per pixel. Throws UnreadableFileError for an unknown filter.
 */
export function unfilter(bytes: Uint8Array, row: number, step: number): Buffer {
  const rows = Math.floor(bytes.length / (row + 1))
  const out = Buffer.alloc(rows * row)
  let above: Uint8Array = Buffer.alloc(row)
  for (let y = 0; y < rows; y++) {
    const at = y * (row + 1)
    const undo = ROW_UNFILTERS[bytes[at]!]
    if (!undo) throw new UnreadableFileError('a picture has a filter that there is not')
    const line = out.subarray(y * row, (y + 1) * row)
    line.set(bytes.subarray(at + 1, at + 1 + row))
    undo(line, above, step)
    above = line
  }
  return out
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner
  const [a, b, c] = [
    Math.abs(guess - left),
    Math.abs(guess - up),
    Math.abs(guess - corner),
  ] as const
  return a <= b && a <= c ? left : b <= c ? up : corner
}
