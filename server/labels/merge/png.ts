/**
 * A PNG (RFC 2083) as an image in a PDF. Compressed bytes are copied where the formats agree:
 * without transparency and interlacing.
 */
import { deflateSync, inflateSync } from 'node:zlib'
import { UnreadableFileError } from './pdf-syntax.ts'
import { unfilter } from './png-filters.ts'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const MAX_SIDE = 10_000
const MAX_PIXEL_BYTES = 64 * 1024 * 1024
/**
 * Bit depths by color type (RFC 2083, 4.1.1): gray, RGB, palette, gray with alpha, RGB with alpha.
 */
const DEPTHS: Record<number, number[]> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
}
const CHANNELS: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/** Size in dots; `entries` of the image dictionary. */
export type PdfImage = { width: number; height: number; entries: string; data: Buffer }

const isPng = (bytes: Uint8Array): boolean =>
  SIGNATURE.equals(Buffer.from(bytes.buffer, bytes.byteOffset, 8))

/** `data` is compressed; `transparency` is the tRNS chunk, empty if missing. */
export type Png = {
  width: number
  height: number
  depth: number
  color: number
  palette: Buffer
  transparency: Buffer
  data: Buffer
}

/** Throws UnreadableFileError for an image that is broken, interlaced or of an invalid size. */
export function parsePng(bytes: Uint8Array): Png {
  const png = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (png.length < 33 || !isPng(png)) throw new UnreadableFileError('it is no PNG')
  const { header, ...parts } = readChunks(png)
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  if (width < 1 || height < 1 || width > MAX_SIDE || height > MAX_SIDE)
    throw new UnreadableFileError('the picture has no sound size')
  const [depth, color] = [header[8]!, header[9]!]
  if (header[12] !== 0 || !(DEPTHS[color] ?? []).includes(depth)) throw unsupportedPng()
  return { width, height, depth, color, ...parts }
}

/** Unfiltered rows of `row` bytes. Throws UnreadableFileError if they are broken or too many. */
export function inflateRows({ width, height, depth, color, data }: Png): {
  rows: Buffer
  row: number
  step: number
} {
  const bits = depth * CHANNELS[color]!
  const [row, step] = [Math.ceil((width * bits) / 8), Math.max(1, bits >> 3)]
  if ((row + 1) * height > MAX_PIXEL_BYTES)
    throw new UnreadableFileError('the picture has no sound size')
  let bytes: Buffer
  try {
    bytes = inflateSync(data, { maxOutputLength: (row + 1) * height })
  } catch {
    throw new UnreadableFileError('the picture is broken')
  }
  if (bytes.length < (row + 1) * height) throw new UnreadableFileError('the picture is cut off')
  return { rows: unfilter(bytes, row, step), row, step }
}

/** Throws UnreadableFileError for a broken or unsupported image. */
export function toPdfImage(bytes: Uint8Array): PdfImage {
  const png = parsePng(bytes)
  const { width, height, depth, color, palette, data } = png
  if (depth === 16) throw unsupportedPng()
  const size = `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}`
  const whole = (space: string, colors: number): PdfImage => ({
    width,
    height,
    data,
    entries:
      `${size}/ColorSpace${space}/BitsPerComponent ${depth}/Filter/FlateDecode`
      + `/DecodeParms<</Predictor 15/Colors ${colors}/BitsPerComponent ${depth}/Columns ${width}>>`,
  })
  switch (color) {
    case 0:
      return whole('/DeviceGray', 1)
    case 2:
      return whole('/DeviceRGB', 3)
    case 3:
      return whole(`[/Indexed/DeviceRGB ${palette.length / 3 - 1}<${palette.toString('hex')}>]`, 1)
    case 4:
    case 6:
      return {
        width,
        height,
        entries: `${size}/ColorSpace/Device${color === 4 ? 'Gray' : 'RGB'}/BitsPerComponent 8/Filter/FlateDecode`,
        data: deflateSync(flattenOnWhite(png)),
      }
    default:
      throw unsupportedPng()
  }
}

function readChunks(png: Buffer): {
  header: Buffer
  palette: Buffer
  transparency: Buffer
  data: Buffer
} {
  let palette: Buffer = Buffer.alloc(0)
  let transparency: Buffer = Buffer.alloc(0)
  const parts: Buffer[] = []
  for (let at = 8; at + 12 <= png.length;) {
    const length = png.readUInt32BE(at)
    const kind = png.toString('latin1', at + 4, at + 8)
    const part = png.subarray(at + 8, at + 8 + length)
    if (part.length < length) throw new UnreadableFileError('the picture is cut off')
    if (kind === 'PLTE') palette = part
    if (kind === 'tRNS') transparency = part
    if (kind === 'IDAT') parts.push(part)
    if (kind === 'IEND') break
    at += 12 + length
  }
  const header = png.subarray(16, 29)
  if (png.toString('latin1', 12, 16) !== 'IHDR' || parts.length === 0)
    throw new UnreadableFileError('the picture is cut off')
  if (
    header[9] === 3
    && (palette.length === 0 || palette.length % 3 !== 0 || palette.length > 768)
  ) {
    throw new UnreadableFileError('the picture’s colors are missing')
  }
  return { header, palette, transparency, data: Buffer.concat(parts) }
}

/** Blends transparent pixels with white; 8 bits per color. */
function flattenOnWhite(png: Png): Buffer {
  const { rows, step } = inflateRows(png)
  const colors = step - 1
  const dots = png.width * png.height
  const out = Buffer.alloc(dots * colors)
  for (let dot = 0; dot < dots; dot++) {
    const alpha = rows[dot * step + colors]!
    for (let c = 0; c < colors; c++)
      out[dot * colors + c] = blendOverWhite(rows[dot * step + c]!, alpha)
  }
  return out
}

/** Both from 0 to 255. */
export function blendOverWhite(color: number, alpha: number): number {
  return Math.round((color * alpha + 255 * (255 - alpha)) / 255)
}

const unsupportedPng = (): UnreadableFileError =>
  new UnreadableFileError('the picture is of a kind that is not read here')
