/**
 * A PNG (RFC 2083) as a picture in a PDF: its packed bytes are handed on as they are where the two formats agree, which is where
 * nothing is transparent and nothing interlaced.
 */
import { deflateSync, inflateSync } from 'node:zlib'
import { unfilter } from './document.ts'
import { BadPdf } from './syntax.ts'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const LARGEST_SIDE = 10_000
const MOST_BYTES = 64 * 1024 * 1024

/** Size in dots; `entries` are those of the picture's dictionary. */
export type Picture = { width: number, height: number, entries: string, data: Buffer }

export const isPng = (bytes: Uint8Array): boolean => SIGNATURE.equals(Buffer.from(bytes.buffer, bytes.byteOffset, 8))

/** Throws BadPdf for a picture that is broken or of a kind that no label has. */
export function pictureOf(bytes: Uint8Array): Picture {
  const png = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (png.length < 33 || !isPng(png)) throw new BadPdf('it is no PNG')
  const { header, palette, data } = chunksOf(png)
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const [depth, colour, interlaced] = [header[8]!, header[9]!, header[12]!]
  if (width < 1 || height < 1 || width > LARGEST_SIDE || height > LARGEST_SIDE) throw new BadPdf('the picture has no sound size')
  if (interlaced !== 0 || ![1, 2, 4, 8].includes(depth)) throw new BadPdf('the picture is of a kind that is not read here')
  const size = `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}`
  const whole = (space: string, colours: number): Picture => ({
    width, height, data,
    entries: `${size}/ColorSpace${space}/BitsPerComponent ${depth}/Filter/FlateDecode`
      + `/DecodeParms<</Predictor 15/Colors ${colours}/BitsPerComponent ${depth}/Columns ${width}>>`,
  })
  switch (colour) {
    case 0: return whole('/DeviceGray', 1)
    case 2: return whole('/DeviceRGB', 3)
    case 3: return whole(`[/Indexed/DeviceRGB ${palette.length / 3 - 1}<${palette.toString('hex')}>]`, 1)
    case 4: case 6: return {
      width, height, entries: `${size}/ColorSpace/Device${colour === 4 ? 'Gray' : 'RGB'}/BitsPerComponent 8/Filter/FlateDecode`,
      data: onPaper(data, width, height, colour === 4 ? 1 : 3, depth),
    }
    default: throw new BadPdf('the picture is of a kind that is not read here')
  }
}

function chunksOf(png: Buffer): { header: Buffer, palette: Buffer, data: Buffer } {
  let palette: Buffer = Buffer.alloc(0)
  const parts: Buffer[] = []
  for (let at = 8; at + 12 <= png.length;) {
    const length = png.readUInt32BE(at)
    const kind = png.toString('latin1', at + 4, at + 8)
    const part = png.subarray(at + 8, at + 8 + length)
    if (part.length < length) throw new BadPdf('the picture is cut off')
    if (kind === 'PLTE') palette = part
    if (kind === 'IDAT') parts.push(part)
    if (kind === 'IEND') break
    at += 12 + length
  }
  const header = png.subarray(16, 29)
  if (png.toString('latin1', 12, 16) !== 'IHDR' || parts.length === 0) throw new BadPdf('the picture is cut off')
  if (header[9] === 3 && (palette.length === 0 || palette.length % 3 !== 0 || palette.length > 768)) {
    throw new BadPdf('the picture’s colours are missing')
  }
  return { header, palette, data: Buffer.concat(parts) }
}

/** Lays a picture that lets something through onto white paper. */
function onPaper(packed: Buffer, width: number, height: number, colours: number, depth: number): Buffer {
  if (depth !== 8) throw new BadPdf('the picture is of a kind that is not read here')
  const step = colours + 1
  const row = width * step
  if ((row + 1) * height > MOST_BYTES) throw new BadPdf('the picture has no sound size')
  let bytes: Buffer
  try {
    bytes = inflateSync(packed, { maxOutputLength: (row + 1) * height })
  } catch {
    throw new BadPdf('the picture is broken')
  }
  if (bytes.length < (row + 1) * height) throw new BadPdf('the picture is cut off')
  const dots = unfilter(bytes, row, step)
  const out = Buffer.alloc(width * height * colours)
  for (let dot = 0; dot < width * height; dot++) {
    const alpha = dots[dot * step + colours]!
    for (let c = 0; c < colours; c++) {
      out[dot * colours + c] = Math.round((dots[dot * step + c]! * alpha + 255 * (255 - alpha)) / 255)
    }
  }
  return deflateSync(out)
}
