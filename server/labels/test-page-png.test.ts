import { expect, test } from 'vitest'
import { readPdf } from '#tests/support/read-pdf.ts'
import { dotsAround, readPng, countStrayDots } from '#tests/support/read-png.ts'
import { MARGIN_FRAME, TEST_GRAY_BOXES, TEST_NUMBER } from './test-page-layout.ts'
import { testPagePdf, testPagePng } from './test-page.ts'

test('the page to try a printer with is as large as a label and says that it is none', async () => {
  const { width, height, chunks } = await readPng(await testPagePng())
  expect({ width, height }).toEqual({ width: 812, height: 1218 })
  expect(chunks.get('pHYs')!.toString('hex')).toBe('00001f4000001f4001')
  expect(chunks.get('tEXt')!.toString('latin1')).toBe('Title\0Test page, not valid for postage')
})

test('as a picture it shows what it shows as PDF', async () => {
  const [page] = await readPdf(testPagePdf())
  // Grays are dot patterns in a picture.
  expect(
    countStrayDots(
      await readPng(await testPagePng()),
      await page!.picture(),
      TEST_GRAY_BOXES.map(({ box }) => box),
    ),
  ).toBe(0)
})

test('its barcode reads as that of a label', async () => {
  expect(await (await readPng(await testPagePng())).barcode()).toMatchObject({
    gs1: true,
    text: `(420)00000(98)${TEST_NUMBER.slice(2)}`,
  })
})

test('its outer frame lies on the edge, its inner one an eighth of an inch inside', async () => {
  const { isBlack } = await readPng(await testPagePng())
  const middle = { x: 406, y: 609 }
  for (const dot of [0, 1, 2]) {
    const edges = [
      [dot, middle.y],
      [811 - dot, middle.y],
      [middle.x, dot],
      [middle.x, 1217 - dot],
    ] as const
    expect(edges.map(([x, y]) => isBlack(x, y))).toEqual([true, true, true, true])
  }
  const { left, right } = dotsAround(MARGIN_FRAME.box)
  const inner = Array.from({ length: 812 - 6 }, (_, dot) => dot + 3).filter(x => isBlack(x, 1150))
  expect(Math.abs(inner[0]! - left - 1)).toBeLessThanOrEqual(2)
  expect(Math.abs(inner.at(-1)! - right + 1)).toBeLessThanOrEqual(2)
})

test('its greys have as many black dots as they say', async () => {
  const { isBlack } = await readPng(await testPagePng())
  for (const { box, share } of TEST_GRAY_BOXES) {
    const { left, top, right, bottom } = dotsAround({
      x: box.x + 1,
      y: box.y + 1,
      width: box.width - 2,
      height: box.height - 2,
    })
    let black = 0
    for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) if (isBlack(x, y)) black++
    expect(Math.abs(black / ((right - left) * (bottom - top)) - share), `${share}`).toBeLessThan(
      0.04,
    )
  }
})

test('it is the same each time', async () => {
  expect((await testPagePng()).equals(await testPagePng())).toBe(true)
})
