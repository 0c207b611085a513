// A picture of black and white dots, eight to a byte, and how it is filled: from left to right, row by row, from the upper left.

/** `stride` is the bytes of a row. A set bit is a black dot; the highest bit of a byte is its leftmost dot. */
export type Bitmap = { width: number; height: number; stride: number; bits: Uint8Array }

/** Dots from `left` up to but without `right`, likewise `top` and `bottom`. */
export type Area = { left: number; top: number; right: number; bottom: number }

/** What a byte becomes where it is painted. */
export type Ink = 0xff | 0x00

export const BLACK = 0xff
export const WHITE = 0x00

/** A picture all in white or all in black. */
export function blank(width: number, height: number, ground: Ink): Bitmap {
  const stride = Math.ceil(width / 8)
  return { width, height, stride, bits: new Uint8Array(stride * height).fill(ground) }
}

/** The whole of a picture. */
export function areaOf({ width, height }: Bitmap): Area {
  return { left: 0, top: 0, right: width, bottom: height }
}

/** The part that both areas have; it may be empty, with its right side left of its left one. */
export function common(one: Area, other: Area): Area {
  return {
    left: Math.max(one.left, other.left),
    top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right),
    bottom: Math.min(one.bottom, other.bottom),
  }
}

/** Paints what lies in one row from `left` up to `right`. Both have to lie on the picture. */
export function paintRun(
  { stride, bits }: Bitmap,
  y: number,
  left: number,
  right: number,
  ink: Ink,
): void {
  if (left >= right) return
  const row = y * stride
  const first = row + (left >> 3)
  const last = row + ((right - 1) >> 3)
  const head = 0xff >> (left & 7)
  const tail = 0xff << (7 - ((right - 1) & 7))
  if (first === last) return cover(bits, first, head & tail, ink)
  cover(bits, first, head, ink)
  for (let at = first + 1; at < last; at++) bits[at] = ink
  cover(bits, last, tail & 0xff, ink)
}

/** Paints an area, as far as it lies on the picture. */
export function paintArea(bitmap: Bitmap, area: Area, ink: Ink): void {
  const { left, top, right, bottom } = common(area, areaOf(bitmap))
  for (let y = top; y < bottom; y++) paintRun(bitmap, y, left, right, ink)
}

/** Repeats the upper row of an area down to its end, in whole bytes: there is nothing else beside it. */
export function repeatRow({ stride, bits }: Bitmap, { left, top, right, bottom }: Area): void {
  const [first, end] = [top * stride + (left >> 3), top * stride + ((right + 7) >> 3)]
  for (let y = top + 1; y < bottom; y++) bits.copyWithin(y * stride + (left >> 3), first, end)
}

function cover(bits: Uint8Array, at: number, mask: number, ink: Ink): void {
  bits[at] = (bits[at]! & ~mask) | (ink & mask)
}
