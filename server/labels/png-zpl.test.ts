import { deflateSync } from 'node:zlib'
import { createCanvas, Image, ImageData } from '@napi-rs/canvas'
import { expect, test } from 'vitest'
import { readZpl, type ParsedZpl } from '#tests/support/read-zpl.ts'
import { sampleLabel } from '#tests/support/sample-labels.ts'
import { toGrayImage } from './merge/png-gray.ts'
import { CannotPrintError, pngToZpl } from './png-zpl.ts'
import { specimenZpl } from './specimen-zpl.ts'

const printed = (png: Uint8Array): ParsedZpl => readZpl(pngToZpl(png))[0]!

/** A PNG chunk; its checksum is not read. */
function chunk(kind: string, data: Uint8Array): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(data.length)
  head.write(kind, 4, 'latin1')
  return Buffer.concat([head, data, Buffer.alloc(4)])
}

/** A PNG assembled from unfiltered rows. */
function png(
  width: number,
  height: number,
  depth: number,
  color: number,
  rows: Buffer[],
  more: Buffer[] = [],
  interlaced = 0,
): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header.set([depth, color, 0, 0, interlaced], 8)
  const data = deflateSync(Buffer.concat(rows.flatMap(row => [Buffer.from([0]), row])))
  const chunks = [
    chunk('IHDR', header),
    ...more,
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks])
}

const SPECIMEN = readZpl(specimenZpl(sampleLabel(7)))[0]!.picture
const BARCODE = `(420)00000(98)${sampleLabel(7).trackingNumber.slice(2)}`

/** A specimen as a carrier's image, centered in a given size. */
function label(width = 812, height = 1218, { lying = false, seeThrough = false } = {}): Buffer {
  const [wide, high] = lying ? [height, width] : [width, height]
  const data = new Uint8ClampedArray(wide * high * 4).fill(seeThrough ? 0 : 255)
  const dots = new Uint32Array(data.buffer)
  const [left, top] = [
    Math.trunc((width - SPECIMEN.width) / 2),
    Math.trunc((height - SPECIMEN.height) / 2),
  ]
  for (let y = 0; y < SPECIMEN.height; y++) {
    for (let x = 0; x < SPECIMEN.width; x++) {
      const [right, down] = [left + x, top + y]
      if (SPECIMEN.data[(y * SPECIMEN.width + x) * 4] !== 0) continue
      // Turned, its top is on the right.
      dots[lying ? right * height + height - 1 - down : down * width + right] = 0xff000000
    }
  }
  const canvas = createCanvas(wide, high)
  canvas.getContext('2d').putImageData(new ImageData(data, wide, high), 0, 0)
  return canvas.toBuffer('image/png')
}

const inkOf = ({ data }: { data: Buffer }): number =>
  new Uint32Array(data.buffer, data.byteOffset, data.length / 4).filter(dot => dot !== 0xffffffff)
    .length

test('a picture at the grain of the printer is printed dot for dot, and its barcode can be read', async () => {
  const source = pngToZpl(label())
  expect(source).toMatch(/^\^XA[^]*\^XZ\n$/)
  const read = printed(label())
  expect([read.width, read.height]).toEqual([812, 1218])
  expect(read.picture.data.equals(SPECIMEN.data)).toBe(true)
  expect((await read.barcode())?.text).toBe(BARCODE)
})

test('one that lies on its side is turned upright, one that lets something through lies on white paper', () => {
  for (const picture of [
    label(812, 1218, { lying: true }),
    label(812, 1218, { seeThrough: true }),
  ]) {
    expect(printed(picture).picture.data.equals(SPECIMEN.data)).toBe(true)
  }
})

test.each([
  [800, 1200],
  [813, 1219],
  [820, 1230],
])(
  'one of %d x %d dots stands in the middle, not a dot of its bars changed',
  async (wide, high) => {
    const read = printed(label(wide, high))
    expect((await read.barcode())?.text).toBe(BARCODE)
    if (wide > 812) expect(read.picture.data.equals(SPECIMEN.data)).toBe(true)
    else expect(inkOf(read.picture)).toBe(inkOf(SPECIMEN))
  },
)

test.each([
  [1200, 1800],
  [609, 914],
  [812, 812],
  [812, 1300],
  [832, 1218],
  [780, 1170],
  [1, 1],
  [9000, 9000],
])('one of %d x %d dots is refused with what there is instead', (wide, high) => {
  const empty = png(wide, high, 1, 0, [Buffer.from([0])])
  expect(() => pngToZpl(empty)).toThrow(CannotPrintError)
  expect(() => pngToZpl(empty)).toThrow(
    `${wide} x ${high} dots, which a 203 dpi printer cannot print sharply enough`,
  )
  expect(() => pngToZpl(empty)).toThrow(/as PDF, as Letter or as PNG\.$/)
})

const palette = chunk('PLTE', Buffer.from([255, 255, 255, 0, 0, 0, 255, 0, 0]))
const KINDS: [what: string, png: Buffer, shades: number[]][] = [
  [
    'one bit of gray',
    png(9, 1, 1, 0, [Buffer.from([0b10100000, 0b10000000])]),
    [255, 0, 255, 0, 0, 0, 0, 0, 255],
  ],
  ['two bits of gray', png(4, 1, 2, 0, [Buffer.from([0b00011011])]), [0, 85, 170, 255]],
  ['four bits of gray', png(3, 1, 4, 0, [Buffer.from([0x0f, 0x80])]), [0, 255, 136]],
  ['sixteen bits of gray', png(2, 1, 16, 0, [Buffer.from([0x80, 0, 0xff, 0xff])]), [128, 255]],
  [
    'gray of which one is clear',
    png(2, 1, 8, 0, [Buffer.from([7, 8])], [chunk('tRNS', Buffer.from([0, 7]))]),
    [255, 8],
  ],
  ['colors of a palette', png(3, 1, 2, 3, [Buffer.from([0b00011000])], [palette]), [255, 0, 76]],
  [
    'a palette that lets something through',
    png(2, 1, 8, 3, [Buffer.from([1, 2])], [palette, chunk('tRNS', Buffer.from([255, 0]))]),
    [255, 76],
  ],
  [
    'red, green and blue',
    png(3, 1, 8, 2, [Buffer.from([255, 0, 0, 0, 255, 0, 0, 0, 255])]),
    [76, 150, 29],
  ],
  ['colors of sixteen bits', png(1, 1, 16, 2, [Buffer.from([255, 9, 255, 9, 255, 9])]), [255]],
  ['gray and how much of it', png(2, 1, 8, 4, [Buffer.from([0, 255, 0, 0])]), [0, 255]],
  [
    'colors and how much of them',
    png(2, 1, 8, 6, [Buffer.from([0, 0, 0, 128, 0, 0, 0, 255])]),
    [127, 0],
  ],
]

test.each(KINDS)('a picture of %s is seen as it is', (_, picture, shades) => {
  expect([...toGrayImage(picture).shades]).toEqual(shades)
})

test('a picture is read as another program reads it, with every filter of its rows', async () => {
  const canvas = createCanvas(64, 48)
  const pen = canvas.getContext('2d')
  const fade = pen.createLinearGradient(0, 0, 64, 48)
  fade.addColorStop(0, '#fff')
  fade.addColorStop(1, '#123')
  pen.fillStyle = fade
  pen.fillRect(0, 0, 64, 48)
  const bytes = canvas.toBuffer('image/png')
  const seen = new Image()
  seen.src = bytes
  await seen.decode()
  const other = createCanvas(64, 48).getContext('2d')
  other.drawImage(seen, 0, 0)
  const { data } = other.getImageData(0, 0, 64, 48)
  const { shades } = toGrayImage(bytes)
  const theirs = Array.from(shades, (_, at) =>
    Math.round(0.299 * data[at * 4]! + 0.587 * data[at * 4 + 1]! + 0.114 * data[at * 4 + 2]!),
  )
  expect([...shades]).toEqual(theirs)
})

const row = Buffer.alloc(102)
const rows = Array.from({ length: 1218 }, () => row)
const BROKEN: [what: string, png: Uint8Array, problem: RegExp][] = [
  ['no picture', Buffer.from('GIF89a, and then some more bytes for good measure'), /no PNG/],
  ['an interlaced one', png(812, 1218, 1, 0, rows, [], 1), /a kind that is not read/],
  ['one of a depth that there is not', png(812, 1218, 3, 0, rows), /a kind that is not read/],
  ['one without its colors', png(812, 1218, 1, 3, rows), /colors are missing/],
  ['one whose rows end early', png(812, 1218, 1, 0, rows.slice(1)), /cut off/],
  [
    'one that swells',
    png(
      812,
      1218,
      1,
      0,
      Array.from({ length: 200_000 }, () => row),
    ),
    /broken/,
  ],
  ['half a file', png(812, 1218, 1, 0, rows).subarray(0, 60), /cut off/],
  [
    'one with a filter that there is not',
    png(812, 1218, 1, 0, [...rows.slice(1), row]).fill(0),
    /no PNG/,
  ],
]

test.each(BROKEN)('%s is refused by name', (_, bytes, problem) => {
  expect(() => pngToZpl(bytes)).toThrow(problem)
})
