import { encode } from 'uqr'

/** Light modules around the code, which scanners need. */
const QUIET_ZONE = 2

/** A QR code as an SVG path in a square of `size`: one rectangle for each run of dark modules in a row. */
export function qrDrawing(text: string): { size: number; path: string } {
  const { size, data } = encode(text, { ecc: 'M', border: QUIET_ZONE })
  const runs = data.flatMap((row, y) => {
    const bits = row.map(dark => (dark ? '1' : '0')).join('')
    return Array.from(
      bits.matchAll(/1+/g),
      ({ 0: run, index }) => `M${index} ${y}h${run.length}v1h-${run.length}z`,
    )
  })
  return { size, path: runs.join('') }
}
