import { once } from 'node:events'
import type { EventEmitter } from 'node:events'
import { createRequire } from 'node:module'
import { deflateSync } from 'node:zlib'
import { createCanvas } from '@napi-rs/canvas'
import { expect, test } from 'vitest'
import { openPdf, readPdf } from '#tests/support/read-pdf.ts'
import { sampleLabel } from '#tests/support/sample-labels.ts'
import { findLabelFileProblem, writeCarrierPdf } from './carrier-pdf.ts'
import type { CarrierLabelFile, MergeResult } from './carrier-pdf.ts'
import type { Sheet } from './sheet.ts'
import { specimenPdf } from './specimen-pdf.ts'

/** The part of pdfkit that is used; it has no types. */
type Kit = EventEmitter & {
  addPage(): Kit
  fontSize(size: number): Kit
  text(text: string, x: number, y: number): Kit
  image(bytes: Buffer, x: number, y: number): Kit
  rect(x: number, y: number, width: number, height: number): Kit
  fill(color: string): Kit
  end(): void
}
const Document = createRequire(import.meta.url)('pdfkit') as new (options: object) => Kit

type Paper = CarrierLabelFile<number>

async function merged(
  labels: Paper[],
  sheet?: Sheet,
): Promise<MergeResult<number> & { file: Buffer }> {
  const pieces: Uint8Array[] = []
  const outcome = await writeCarrierPdf(labels, { write: chunk => void pieces.push(chunk) }, sheet)
  return { ...outcome, file: Buffer.concat(pieces) }
}

const asPdf = (bytes: Uint8Array, key = 1): Paper => ({ key, mime: 'application/pdf', bytes })
const asPng = (bytes: Uint8Array, key = 1): Paper => ({ key, mime: 'image/png', bytes })

/**
 * A label as carrier software writes it: classic cross-reference table, a font, an image, one page
 * or more.
 */
async function theirs(text: string, options: object = {}, pages = 1): Promise<Buffer> {
  const document = new Document({
    size: [288, 432],
    margin: 0,
    info: { CreationDate: new Date(0) },
    ...options,
  })
  const pieces: Buffer[] = []
  document.on('data', (piece: Buffer) => pieces.push(piece))
  for (let page = 1; page <= pages; page++) {
    if (page > 1) document.addPage()
    document
      .fontSize(20)
      .text(`${text} ${page}`, 20, 40)
      .image(picture(60, 40), 20, 100)
      .rect(20, 300, 200, 50)
      .fill('#333')
  }
  document.end()
  await once(document, 'end')
  return Buffer.concat(pieces)
}

function picture(width: number, height: number, seeThrough = false): Buffer {
  const canvas = createCanvas(width, height)
  const pen = canvas.getContext('2d')
  if (!seeThrough) {
    pen.fillStyle = '#fff'
    pen.fillRect(0, 0, width, height)
  }
  pen.fillStyle = '#000'
  pen.fillRect(width * 0.1, height * 0.1, width * 0.5, height * 0.2)
  return canvas.toBuffer('image/png')
}

/** A PDF assembled by hand with a correct cross-reference table; `tail` goes into its trailer. */
function byHand(objects: string[], tail = ''): Buffer {
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const start = text.length
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`
  for (const offset of offsets) text += `${String(offset).padStart(10, '0')} 00000 n \n`
  return Buffer.from(
    `${text}trailer\n<</Size ${objects.length + 1}/Root 1 0 R${tail}>>\nstartxref\n${start}\n%%EOF`,
    'latin1',
  )
}

const PAGES = [
  '<</Type/Catalog/Pages 2 0 R>>',
  '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 288 432]>>',
]
const content = (text: string): string => `<</Length ${text.length}>>stream\n${text}\nendstream`
const SQUARE = '0 0 1 rg 20 20 100 100 re f'

async function samePicture(one: Buffer, page: number, other: Buffer, ofOther = 1): Promise<void> {
  const [a, b] = await Promise.all(
    [[one, page] as const, [other, ofOther] as const].map(async ([file, number]) =>
      (await (await openPdf(file)).page(number)).picture(),
    ),
  )
  expect([a!.width, a!.height]).toEqual([b!.width, b!.height])
  expect(a!.data.equals(b!.data)).toBe(true)
}

test('labels of several kinds become one file in the order given, each page as it was', async () => {
  const files = [
    await theirs('First', {}, 2),
    specimenPdf(sampleLabel(7)),
    await theirs('Third', { pdfVersion: '1.7' }),
  ]
  const { file, pages, omitted } = await merged(files.map((bytes, key) => asPdf(bytes, key)))
  expect({ pages, omitted }).toEqual({ pages: 4, omitted: [] })
  await samePicture(file, 1, files[0]!, 1)
  await samePicture(file, 2, files[0]!, 2)
  await samePicture(file, 3, files[1]!)
  await samePicture(file, 4, files[2]!)
  const [, , specimen] = await readPdf(file)
  expect(specimen!.width).toBe(288)
  expect(await specimen!.barcode()).not.toBeNull()
})

test('what many labels share is stored once', async () => {
  const [one, two] = [await theirs('Label'), await theirs('Label')]
  const alone = (await merged([asPdf(one)])).file.length
  const both = (await merged([asPdf(one), asPdf(two)])).file.length
  expect(both - alone).toBeLessThan(alone / 4)
})

test('the same labels give the same bytes', async () => {
  const label = await theirs('Again')
  expect((await merged([asPdf(label)])).file).toEqual((await merged([asPdf(label)])).file)
})

test('a page that is turned, or inherits its size, stays so', async () => {
  const turned = byHand([
    ...PAGES,
    '<</Type/Page/Parent 2 0 R/Rotate 90/Contents 4 0 R>>',
    content(SQUARE),
  ])
  const { file } = await merged([asPdf(turned)])
  await expect(samePicture(file, 1, turned)).resolves.toBeUndefined()
})

test('objects that refer to each other, wrong lengths and lost tables are read all the same', async () => {
  const good = byHand([
    ...PAGES,
    '<</Type/Page/Parent 2 0 R/Resources 5 0 R/Contents 4 0 R>>',
    content(SQUARE),
    '<</Own 6 0 R>>',
    '<</Back 5 0 R>>',
  ])
  const wrong = [
    good,
    Buffer.from(good.toString('latin1').replace(`/Length ${SQUARE.length}`, '/Length 3'), 'latin1'),
    Buffer.from(good.toString('latin1').replace(/startxref\n\d+/, 'startxref\n7'), 'latin1'),
    Buffer.from(
      good
        .toString('latin1')
        .replace(/xref[^]*trailer/, 'nothing')
        .replace('startxref', ''),
      'latin1',
    ),
    Buffer.from(good.toString('latin1').replace('xref\n0 7', 'xref\n0 8'), 'latin1'),
    Buffer.from(good.toString('latin1').replace('trailer\n', ''), 'latin1'),
    byHand([
      ...PAGES,
      '<</Type/Page/Parent 2 0 R/Contents[4 0 R]>>',
      `<</Length 5 0 R>>stream\n${SQUARE}\nendstream`,
      String(SQUARE.length),
    ]),
  ]
  for (const bytes of wrong) {
    const { file, omitted } = await merged([asPdf(bytes)])
    expect(omitted).toEqual([])
    await samePicture(file, 1, good)
  }
})

test('a file that was added to later counts as it is now', async () => {
  const before = byHand([
    ...PAGES,
    '<</Type/Page/Parent 2 0 R/Contents 4 0 R>>',
    content('1 0 0 rg 0 0 9 9 re f'),
  ])
  const start = before.length + 1
  const added = `\n4 0 obj\n${content(SQUARE)}\nendobj\n`
  const table = before.length + added.length
  const prev = /startxref\n(\d+)/.exec(before.toString('latin1'))![1]!
  const after = Buffer.concat([
    before,
    Buffer.from(
      `${added}xref\n4 1\n${String(start).padStart(10, '0')} 00000 n \n`
        + `trailer\n<</Size 5/Root 1 0 R/Prev ${prev}>>\nstartxref\n${table}\n%%EOF`,
      'latin1',
    ),
  ])
  const { file } = await merged([asPdf(after)])
  const now = byHand([...PAGES, '<</Type/Page/Parent 2 0 R/Contents 4 0 R>>', content(SQUARE)])
  await expect(samePicture(file, 1, now)).resolves.toBeUndefined()
})

const bomb = deflateSync(Buffer.alloc(80 * 1024 * 1024))
const packed = (data: Buffer): string =>
  `<</Length ${data.length}/Filter/FlateDecode>>stream\n${data.toString('latin1')}\nendstream`
const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`
const HOSTILE: [what: string, bytes: Uint8Array, problem: RegExp][] = [
  ['nothing', Buffer.alloc(0), /does not begin like a PDF/],
  ['a page of HTML', Buffer.from('<html>Bad Gateway</html>'), /does not begin like a PDF/],
  ['half a label', specimenPdf(sampleLabel(7)).subarray(0, 600), /no pages|no end/],
  ['an encrypted one', byHand(PAGES, '/Encrypt 9 0 R'), /encrypted/],
  [
    'one without pages',
    byHand(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[]/Count 0>>']),
    /no pages/,
  ],
  [
    'one whose pages run in a circle',
    byHand(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[2 0 R]>>']),
    /no pages/,
  ],
  [
    'one without a size',
    byHand(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[3 0 R]>>', '<</Type/Page>>']),
    /no size/,
  ],
  [
    'one that is nested deep',
    byHand([...PAGES, `<</Type/Page/Resources ${deep}>>`]),
    /nested too deep|no pages/,
  ],
  [
    'one that swells',
    byHand([...PAGES, '<</Type/Page/Contents[4 0 R 4 0 R]>>', packed(bomb)]),
    /broken or too large/,
  ],
  [
    'one with a page too many',
    byHand([
      '<</Type/Catalog/Pages 2 0 R>>',
      `<</Type/Pages/MediaBox[0 0 9 9]/Kids[${'<</Type/Page>>'.repeat(300)}]>>`,
    ]),
    /more than 200 pages/,
  ],
]

test.each(HOSTILE)(
  '%s is left out, and the labels beside it are printed',
  async (_, bytes, problem) => {
    const good = await theirs('Good')
    const { pages, omitted, file } = await merged(
      [asPdf(good, 1), asPdf(bytes, 2), asPdf(good, 3)],
      { kind: 'letter', first: 1 },
    )
    expect(omitted).toEqual([{ key: 2, problem: expect.stringMatching(problem) }])
    expect(pages).toBe(1)
    expect((await readPdf(file)).length).toBe(1)
    expect(findLabelFileProblem(asPdf(bytes))).toMatch(problem)
    expect(findLabelFileProblem(asPdf(good))).toBeNull()
  },
)

test('without a single good label there is no file', async () => {
  expect(await merged([asPdf(Buffer.from('no'))])).toMatchObject({
    pages: 0,
    bytes: 0,
    file: Buffer.alloc(0),
  })
})

test('a picture fills its page, also one that lies on its side or lets something through', async () => {
  for (const png of [picture(812, 1218), picture(1218, 812), picture(812, 1218, true)]) {
    const { file, omitted } = await merged([asPng(png)])
    expect(omitted).toEqual([])
    const [page] = await readPdf(file)
    expect([page!.width, page!.height]).toEqual([288, 432])
    const { width, data } = await page!.picture()
    const dark = (x: number, y: number): boolean => data[(y * width + x) * 4]! < 128
    expect([dark(2, 2), png.readUInt32BE(16) < 1000 ? dark(200, 250) : dark(160, 900)]).toEqual([
      false,
      true,
    ])
  }
})

test.each<[string, Uint8Array]>([
  ['no picture', Buffer.from('GIF89a, and then some more bytes for good measure')],
  ['half a picture', picture(812, 1218).subarray(0, 500)],
])('%s is left out', async (_, bytes) => {
  expect((await merged([asPng(bytes)])).omitted).toHaveLength(1)
})

test('two labels share a Letter sheet, and the first may take the second place', async () => {
  const labels = [specimenPdf(sampleLabel(7)), await theirs('Second'), specimenPdf(sampleLabel(7))]
  for (const first of [1, 2] as const) {
    const { file, pages } = await merged(
      labels.map((bytes, key) => asPdf(bytes, key)),
      { kind: 'letter', first },
    )
    expect(pages).toBe(2)
    const sheets = await readPdf(file)
    expect(sheets.map(({ width, height }) => [width, height])).toEqual([
      [612, 792],
      [612, 792],
    ])
    expect(sheets[first === 1 ? 0 : 1]!.text).toContain('Second')
    expect(await sheets[0]!.barcode()).not.toBeNull()
  }
})
