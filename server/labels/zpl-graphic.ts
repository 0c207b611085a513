/**
 * Bitmaps as ZPL II (^GFA) in the compression that all printers read: G to Y and g to z repeat the
 * next digit, ',' and '!' fill a row with white and black, ':' repeats the row above. The newer
 * :Z64: is smaller, but printers with ZPL emulation do not read it.
 */

/** One bit per dot, 1 for black; rows begin at whole bytes. */
export type Bitmap = { width: number; height: number; bits: Uint8Array }

/** `x`, `y`: the upper left corner, in dots. */
export function graphicField(x: number, y: number, { width, height, bits }: Bitmap): string {
  const row = Math.ceil(width / 8)
  let above = ''
  let drawn = ''
  for (let line = 0; line < height; line++) {
    const digits = Buffer.from(bits.buffer, bits.byteOffset + line * row, row)
      .toString('hex')
      .toUpperCase()
    drawn += digits === above ? ':' : compressHexRow(digits)
    above = digits
  }
  return `^FO${x},${y}^GFA,${row * height},${row * height},${row},${drawn}^FS`
}

function compressHexRow(digits: string): string {
  const end = digits.at(-1)!
  const kept =
    end === '0' ? digits.replace(/0+$/, '') : end === 'F' ? digits.replace(/F+$/, '') : digits
  const short = kept.replace(/(.)\1{2,}/g, (run, digit: string) => repeatCode(run.length) + digit)
  return kept.length === digits.length ? short : short + (end === '0' ? ',' : '!')
}

// 400, 380 … 20 are z to g, 19 to 1 are Y to G.
function repeatCode(count: number): string {
  const most = Math.floor(count / 400)
  const twenties = Math.floor((count % 400) / 20)
  const ones = count % 20
  return (
    'z'.repeat(most)
    + (twenties > 0 ? String.fromCharCode(102 + twenties) : '')
    + (ones > 0 ? String.fromCharCode(70 + ones) : '')
  )
}
