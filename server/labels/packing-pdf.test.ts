import { expect, test } from 'vitest'
import { openPdf, readBarcodesOf, readPdf } from '#tests/support/read-pdf.ts'
import type { ParsedPdf } from '#tests/support/read-pdf.ts'
import { HOSTILE_LABELS, REAL_POSTAGE_WORDS } from '#tests/support/sample-labels.ts'
import { writePackingSlips, writePickList } from './packing-pdf.ts'
import type { PackingItem, PackingPaper, PackingSlip, PickLine } from './packing-pdf.ts'

const MASON = {
  name: 'Mason Trading',
  company: 'Mason LLC',
  street1: '100 Congress Ave',
  street2: 'Suite 4',
  city: 'Austin',
  state: 'TX',
  zip: '78701',
}
const slip = (changes: Partial<PackingSlip> = {}): PackingSlip => ({
  orderIds: ['111-4820448'],
  note: 'Nov 20, 2026, label 12 of 412',
  from: MASON,
  to: {
    name: 'June Rivera',
    street1: '2210 E Olive Ave',
    city: 'Fresno',
    state: 'CA',
    zip: '93701',
  },
  items: [{ sku: 'MUG-12', description: 'Stoneware mug', quantity: 3 }],
  ...changes,
})
const itemsUpTo = (count: number, description = 'Stoneware mug'): PackingItem[] =>
  Array.from({ length: count }, (_, n) => ({ sku: `MUG-${n + 1}`, description, quantity: 2 }))

async function bytesOf(write: (sink: { write: (piece: Uint8Array) => void }) => Promise<void>) {
  const pieces: Uint8Array[] = []
  await write({ write: piece => void pieces.push(piece) })
  return Buffer.concat(pieces)
}
async function* eachOf<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items
}
const slips = async (
  given: readonly PackingSlip[],
  paper: PackingPaper = 'letter',
): Promise<ParsedPdf> =>
  openPdf(await bytesOf(sink => writePackingSlips(eachOf(given), paper, sink)))
const textsOf = async (file: ParsedPdf): Promise<string[]> => {
  const texts: string[] = []
  for (let page = 1; page <= file.count; page++) texts.push((await file.page(page)).text)
  return texts
}

test('a slip has sender, receiver, order id and what is in the parcel', async () => {
  const file = await slips([slip()])
  expect(file.title).toBe('Packing slips')
  const { text, width, height } = await file.page(1)
  expect([width, height]).toEqual([612, 792])
  expect(text.split('\n')).toEqual([
    '111-4820448',
    'Packing slip',
    'Nov 20, 2026, label 12 of 412',
    'FROM SHIP TO',
    'Mason Trading June Rivera',
    'Mason LLC 2210 E Olive Ave',
    '100 Congress Ave Fresno, CA 93701',
    'Suite 4',
    'Austin, TX 78701',
    'SKU Description Qty',
    'MUG-12 Stoneware mug 3',
    'Total 3',
  ])
})

test.each<[PackingPaper, string]>([
  ['letter', '114-5820448-0000001, 114-5820448-0000002, 114-5820448-0000003 and 37 more'],
  ['pdf', '114-5820448-0000001 and 39 more'],
])(
  'a slip of many orders names whole order ids, and how many more there are (%s)',
  async (paper, shown) => {
    const orderIds = Array.from(
      { length: 40 },
      (_, n) => `114-5820448-${String(n + 1).padStart(7, '0')}`,
    )
    const [text] = await textsOf(await slips([slip({ orderIds })], paper))
    expect(text!.split('\n')).toContain(shown)
  },
)

test('a slip for a label printer is 4 x 6 inches', async () => {
  const { width, height, text } = await (await slips([slip()], 'pdf')).page(1)
  expect([width, height]).toEqual([288, 432])
  expect(text).toContain('MUG-12 Stoneware mug 3')
})

test.each<PackingPaper>(['letter', 'pdf'])(
  'an order with many items has several pages, each named, and loses none (%s)',
  async paper => {
    const texts = await textsOf(await slips([slip({ items: itemsUpTo(90) })], paper))
    expect(texts.length).toBeGreaterThan(2)
    for (const [index, text] of texts.entries()) {
      expect(text).toContain('June Rivera')
      expect(text).toContain(`Page ${index + 1} of ${texts.length}`)
    }
    const named = texts.join('\n').match(/MUG-\d+/g)
    expect(named).toEqual(itemsUpTo(90).map(({ sku }) => sku))
    expect(texts.at(-1)).toContain('Total 180')
  },
)

test('a long description has up to three lines', async () => {
  const description =
    'Stoneware mug with a wide handle and a lid of cork in a gift box with a card '.repeat(2)
  const [text] = await textsOf(await slips([slip({ items: itemsUpTo(1, description) })], 'pdf'))
  expect(text).toContain('MUG-1 Stoneware mug with a wide')
  expect(text!.split('\n').filter(line => /mug|handle|cork|gift|card/.test(line))).toHaveLength(3)
})

test.each<PackingPaper>(['letter', 'pdf'])(
  'the end of a long SKU, which tells size and color, is on slip and pick list (%s)',
  async paper => {
    const skus = ['XL', 'XXL'].map(
      end => `WOMENS-TEE-ORGANIC-COTTON-V-NECK-LONG-SLEEVE-BLACK-${end}`,
    )
    const items = skus.map(sku => ({ sku, description: '', quantity: 1, orders: 1 }))
    const list = { title: '', note: '', lines: items }
    const files = [
      await slips([slip({ items })], paper),
      await openPdf(await bytesOf(sink => writePickList(list, paper, sink))),
    ]
    for (const file of files) {
      const words = (await textsOf(file)).join(' ').replace(/ (?:1 )*1(?=\s)|\s/g, '')
      for (const sku of skus) expect(words).toContain(sku)
    }
  },
)

test('other scripts are printed in Latin letters, as on labels', async () => {
  const [text] = await textsOf(
    await slips([
      slip({
        orderIds: ['№ 小龙-7'],
        to: { ...MASON, name: 'Жанна Núñez', street1: 'Straße 1' },
        items: [{ sku: 'ТАРЕЛКА', description: 'café 🎁', quantity: 1 }],
      }),
    ]),
  )
  expect(text).toContain('Zhanna Nunez')
  expect(text).toContain('Strasse 1')
  expect(text).toContain('TARELKA cafe 1')
})

test('a pick list has each SKU with its orders and quantity, and a sum', async () => {
  const lines: PickLine[] = [
    { sku: 'MUG-9', description: 'Mug', quantity: 1_200, orders: 400 },
    { sku: '', description: 'Card', quantity: 3, orders: 2 },
    { sku: '', description: '', quantity: 1, orders: 1 },
  ]
  const list = { title: '#5, orders.txt', note: 'Nov 20, 2026, 402 labels', lines }
  const [page] = await readPdf(await bytesOf(sink => writePickList(list, 'letter', sink)))
  expect(page!.text.split('\n')).toEqual([
    '#5, orders.txt',
    'Pick list',
    'Nov 20, 2026, 402 labels',
    'SKU Description Orders Qty',
    'MUG-9 Mug 400 1,200',
    'Card 2 3',
    'No SKU 1 1',
    'Total 1,204',
  ])
})

test('no text of a customer makes a slip look like postage', async () => {
  for (const [index, label] of HOSTILE_LABELS.entries()) {
    const { from, to, sku, orderId, description } = label
    const items = [{ sku: sku ?? '', description: description ?? '', quantity: 1 }]
    const page = await (await slips([slip({ from, to, orderIds: [orderId ?? ''], items })])).page(1)
    expect(page.text).not.toMatch(REAL_POSTAGE_WORDS)
    expect(page.text).toContain('Packing slip')
    if (index % 4 === 0) expect(await readBarcodesOf(await page.picture())).toEqual([])
  }
})

test('three thousand slips are in order, and only parts of the file are in memory', async () => {
  const given = Array.from({ length: 3_000 }, (_, n) => slip({ orderIds: [`order-${n + 1}`] }))
  let pieces = 0
  const bytes = await bytesOf(sink =>
    writePackingSlips(eachOf(given), 'pdf', {
      write: piece => {
        pieces += 1
        return sink.write(piece)
      },
    }),
  )
  const file = await openPdf(bytes)
  expect(file.count).toBe(3_000)
  expect(pieces).toBeGreaterThan(5)
  for (const number of [1, 1_500, 3_000])
    expect((await file.page(number)).text).toContain(`order-${number}\n`)
})
