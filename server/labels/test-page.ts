/**
 * A printer test page: edges, margins, ruler, barcode, grays, font sizes. It says that it is no
 * label.
 */

import { LABEL_DOTS } from './dots.ts'
import { textWidth } from './helvetica.ts'
import { PAGE } from './layout.ts'
import { PageTree } from './page-tree.ts'
import { finishPdf } from './pdf-finish.ts'
import { PdfFile } from './pdf-objects.ts'
import {
  centeredText,
  paragraphLine,
  beginParagraph,
  rectOperator,
  ruleOperator,
} from './pdf-operators.ts'
import { rasterize } from './rasterize.ts'
import { CUT_Y, LABEL_SHAPE, placeOnHalf, LETTER_SIZE, SHEET_HALVES, type Sheet } from './sheet.ts'
import { CONSTANT_BARS, MODULE_WIDTH, serialBars } from './specimen-barcode.ts'
import {
  svgBars,
  svgBox,
  svgCentered,
  svgDocument,
  svgEdge,
  svgOutline,
  svgRule,
  svgShade,
  svgText,
} from './svg.ts'
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
  TEST_NOTICE,
  type TestText,
} from './test-page-layout.ts'
import {
  LABEL_BEGIN,
  centeredTextField,
  LABEL_END,
  filledBox,
  outlinedBox,
  zplComment,
  ruledLine,
  shadedBox,
  trackingBarcode,
  textField,
} from './zpl-commands.ts'

/** A 4x6 page, or a Letter sheet with both halves and the cut line. */
export function testPagePdf(sheet: Sheet = { kind: '4x6' }): Buffer {
  const file = new PdfFile()
  const tree = new PageTree(file)
  const paper = sheet.kind === '4x6' ? PAGE : LETTER_SIZE
  tree.add(`/Contents ${file.stream(sheet.kind === '4x6' ? '/T Do' : bothHalves())} 0 R`)
  finishPdf(file, tree, { pageSize: paper, title: TEST_TITLE, layers: { T: testPageContent() } })
  return file.drain(true)!
}

function testPageContent(): string {
  return (
    edgeOperators(PAGE)
    + `${MARGIN_FRAME.thick} w ${rectOperator(MARGIN_FRAME.box)}S `
    + TEST_RULES.map(({ thickness, from, to }) => ruleOperator(thickness, from, to)).join('')
    + TEST_GRAY_BOXES.map(({ box, share }) => `${1 - share} g ${rectOperator(box)}f `).join('')
    + `0 g ${TEST_BLACK_BOXES.map(rectOperator).join('')}f `
    + TEST_TEXTS.map(textOperators).join('')
    + `q ${MODULE_WIDTH} 0 0 ${TEST_BARCODE_BOX.height} ${TEST_BARCODE_BOX.x} ${TEST_BARCODE_BOX.y} cm `
    + `${CONSTANT_BARS}${serialBars(TEST_NUMBER)}f Q`
  )
}

function textOperators({ text, face, size, x, y, align, white }: TestText): string {
  const style = { face, size, maxWidth: PAGE.width }
  const drawn =
    align === 'middle'
      ? centeredText(text, { face, size, middle: x, y })
      : `BT ${beginParagraph(style, x, y, 0)}${paragraphLine(style, text)}ET `
  return white ? `1 g ${drawn}0 g ` : drawn
}

function edgeOperators({ width, height }: { width: number; height: number }): string {
  const inset = EDGE_THICKNESS / 2
  return `${EDGE_THICKNESS} w ${rectOperator({ x: inset, y: inset, width: width - EDGE_THICKNESS, height: height - EDGE_THICKNESS })}S `
}

function bothHalves(): string {
  const note = (text: string, y: number): string =>
    centeredText(text, { face: 'regular', size: 9, middle: LETTER_SIZE.width / 2, y })
  return (
    edgeOperators(LETTER_SIZE)
    + SHEET_HALVES.map(place => `q ${placeOnHalf(LABEL_SHAPE, place)} /T Do Q `).join('')
    + `q [6 4] 0 d ${ruleOperator(0.75, [0, CUT_Y], [LETTER_SIZE.width, CUT_Y])}Q `
    + note(`Upper half – ${TEST_NOTICE}`, LETTER_SIZE.height - 36)
    + note('Cut here. Print at 100% (actual size), not "Fit to page".', CUT_Y + 6)
    + note(`Lower half – ${TEST_NOTICE}`, CUT_Y - 36)
  )
}

/** ZPL II at 203 dpi, ^XA to ^XZ and a line break. */
export function testPageZpl(): string {
  return (
    LABEL_BEGIN
    + zplComment(TEST_TITLE)
    + `^FO0,0^GB${LABEL_DOTS.width},${LABEL_DOTS.height},3^FS`
    + outlinedBox(MARGIN_FRAME.thick, MARGIN_FRAME.box)
    + TEST_RULES.map(ruledLine).join('')
    + TEST_GRAY_BOXES.map(({ box, share }) => shadedBox(box, share)).join('')
    + TEST_BLACK_BOXES.map(box => filledBox(box)).join('')
    + TEST_TEXTS.map(testTextField).join('')
    + trackingBarcode(TEST_NUMBER, TEST_BARCODE_BOX)
    + LABEL_END
  )
}

/** 812 x 1218 dots, black and white. */
export const testPagePng = (): Promise<Buffer> =>
  rasterize(
    svgDocument(
      svgEdge(EDGE_THICKNESS)
        + svgOutline(MARGIN_FRAME.thick, MARGIN_FRAME.box)
        + TEST_RULES.map(svgRule).join('')
        + TEST_GRAY_BOXES.map(({ box, share }) => svgShade(box, share)).join('')
        + TEST_BLACK_BOXES.map(box => svgBox(box)).join('')
        + TEST_TEXTS.map(svgTestText).join('')
        + svgBars(TEST_NUMBER, TEST_BARCODE_BOX),
    ),
    TEST_TITLE,
  )

function svgTestText({ text, face, size, x, y, align, white = false }: TestText): string {
  if (align === 'middle')
    return svgCentered({ text, face, size, middle: x, y }, white ? '#fff' : '#000')
  return svgText({ face, size, maxWidth: PAGE.width - x }, { x, y }, text)
}

function testTextField({ text, size, x, y, align, white = false }: TestText): string {
  if (align === 'middle') return centeredTextField(text, { size, middle: x, y }, white)
  return textField({ size, maxWidth: textWidth('bold', text, size) }, { x, y, white }, text)
}
