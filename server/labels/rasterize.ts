/**
 * Renders a label's SVG as a black and white PNG with resvg, on its own thread. See
 * docs/decisions/0026.
 */
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { crc32, deflate } from 'node:zlib'

/**
 * Arimo comes with the packages; system fonts are not used, so the picture is the same everywhere.
 */
const FONT_FILES = ['400Regular/Arimo_400Regular.ttf', '700Bold/Arimo_700Bold.ttf']

/** 203.2 per inch: printed at its own size, the picture is 4 x 6 inches. */
const DOTS_PER_METER = 8000

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const compress = promisify(deflate)
const { resolve } = createRequire(import.meta.url)

/** `title` is stored in the file (Latin-1). The same SVG gives the same bytes. */
export async function rasterize(svg: string, title: string): Promise<Buffer> {
  // Loaded with the first picture, so that servers start without it.
  const { renderAsync } = await import('@resvg/resvg-js')
  const { width, height, pixels } = await renderAsync(svg, {
    font: {
      fontFiles: FONT_FILES.map(file => resolve(`@expo-google-fonts/arimo/${file}`)),
      loadSystemFonts: false,
      defaultFontFamily: 'Arimo',
    },
  })
  const rows = toBlackAndWhite(pixels, width, height)
  return Buffer.concat([
    SIGNATURE,
    pngChunk('IHDR', headerData(width, height)),
    pngChunk('pHYs', densityData()),
    pngChunk('tEXt', Buffer.from(`Title\0${title}`, 'latin1')),
    pngChunk('IDAT', await compress(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/**
 * One bit per dot, 1 for white, after a filter byte (0: none). Gray edges of letters become the
 * nearer color.
 */
function toBlackAndWhite(pixels: Buffer, width: number, height: number): Buffer {
  const stride = Math.ceil(width / 8) + 1
  const rows = Buffer.alloc(stride * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (pixels[(y * width + x) * 4]! >= 128) rows[y * stride + 1 + (x >> 3)]! |= 0x80 >> (x & 7)
    }
  }
  return rows
}

/** One bit per dot, gray, not interlaced. */
function headerData(width: number, height: number): Buffer {
  const data = Buffer.alloc(13)
  data.writeUInt32BE(width, 0)
  data.writeUInt32BE(height, 4)
  data[8] = 1
  return data
}

function densityData(): Buffer {
  const data = Buffer.alloc(9)
  data.writeUInt32BE(DOTS_PER_METER, 0)
  data.writeUInt32BE(DOTS_PER_METER, 4)
  data[8] = 1
  return data
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const chunk = Buffer.alloc(body.length + 8)
  chunk.writeUInt32BE(data.length, 0)
  body.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(body), body.length + 4)
  return chunk
}
