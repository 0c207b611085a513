import { gs1Symbols, symbolBars } from '#server/labels/gs1-128.ts'
import { PAGE } from '#server/labels/layout.ts'
import { MODULE_WIDTH, SPECIMEN_ROUTING } from '#server/labels/specimen-barcode.ts'
import {
  EDGE_THICKNESS,
  MARGIN_FRAME,
  TEST_BARCODE_BOX,
  TEST_BLACK_BOXES,
  TEST_GRAY_BOXES,
  TEST_NUMBER,
  TEST_RULES,
  TEST_TEXTS,
  TEST_TITLE,
  type TestText,
} from '#server/labels/test-page-layout.ts'
// The page to try a printer with, as a picture (test-form.ts says what is on it).
import { BLACK, WHITE } from './bitmap.ts'
import {
  DOTS_PER_METRE,
  newPage,
  paintBars,
  paintBox,
  paintEdge,
  paintOutline,
  paintRule,
  paintShade,
  write,
  writeCentred,
  type Page,
} from './page.ts'
import { pngOf } from './png.ts'

/** 812 x 1218 dots at 203.2 an inch, black and white. */
export function testPng(): Buffer {
  const page = newPage(WHITE, BLACK)
  paintEdge(page, EDGE_THICKNESS)
  paintOutline(page, MARGIN_FRAME.thick, MARGIN_FRAME.box)
  for (const rule of TEST_RULES) paintRule(page, rule)
  for (const { box, share } of TEST_GRAY_BOXES) paintShade(page, box, share)
  for (const box of TEST_BLACK_BOXES) paintBox(page, box)
  for (const text of TEST_TEXTS) say(page, text)
  paintBars(
    page,
    TEST_BARCODE_BOX,
    MODULE_WIDTH,
    symbolBars(gs1Symbols(SPECIMEN_ROUTING, TEST_NUMBER)),
  )
  return pngOf(page.bitmap, TEST_TITLE, DOTS_PER_METRE)
}

function say(page: Page, { text, face, size, x, y, align, white = false }: TestText): void {
  const onto: Page = { ...page, ink: white ? WHITE : BLACK }
  if (align === 'middle') writeCentred(onto, { text, face, size, middle: x, y })
  else write(onto, { face, size, maxWidth: PAGE.width - x }, { x, y }, text)
}
