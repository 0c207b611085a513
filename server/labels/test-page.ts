import {
  BEGIN,
  centredWords,
  DOTS,
  END,
  filled,
  outlined,
  remark,
  ruled,
  shaded,
  specimenBars,
  words,
} from './draw-zpl.ts'
/** A page to try a printer with: edges, margins, a ruler, a barcode, greys and sizes of text. It is no label and says so. */
import { centred, line, paragraph, rect, rule } from './draw.ts'
import { textWidth } from './helvetica.ts'
import { PAGE } from './layout.ts'
import { PageTree } from './page-tree.ts'
import { finishPdf } from './pdf-end.ts'
import { PdfFile } from './pdf-objects.ts'
import { CUT, LABEL, layAcross, LETTER, PLACES, type Sheet } from './sheet.ts'
import { CONSTANT_BARS, MODULE, serialBars } from './specimen-bars.ts'
import {
  EDGE_THICK,
  MARGIN_LINE,
  TEST_BARS,
  TEST_BLACK,
  TEST_GREYS,
  TEST_NUMBER,
  TEST_RULES,
  TEST_TEXTS,
  TEST_TITLE,
  TEST_WORDS,
  type TestText,
} from './test-form.ts'

/** As PDF: one 4x6 page, or a Letter sheet on which both places and the cut between them are shown. */
export function testPdf(sheet: Sheet = { kind: '4x6' }): Buffer {
  const file = new PdfFile()
  const tree = new PageTree(file)
  const paper = sheet.kind === '4x6' ? PAGE : LETTER
  tree.add(`/Contents ${file.stream(sheet.kind === '4x6' ? '/T Do' : bothPlaces())} 0 R`)
  finishPdf(file, tree, { paper, title: TEST_TITLE, layers: { T: testContent() } })
  return file.take(true)!
}

function testContent(): string {
  return (
    edge(PAGE)
    + `${MARGIN_LINE.thick} w ${rect(MARGIN_LINE.box)}S `
    + TEST_RULES.map(({ thick, from, to }) => rule(thick, from, to)).join('')
    + TEST_GREYS.map(({ box, share }) => `${1 - share} g ${rect(box)}f `).join('')
    + `0 g ${TEST_BLACK.map(rect).join('')}f `
    + TEST_TEXTS.map(said).join('')
    + `q ${MODULE} 0 0 ${TEST_BARS.height} ${TEST_BARS.x} ${TEST_BARS.y} cm ${CONSTANT_BARS}${serialBars(TEST_NUMBER)}f Q`
  )
}

function said({ words: text, face, size, x, y, align, white }: TestText): string {
  const style = { face, size, room: PAGE.width }
  const drawn =
    align === 'middle'
      ? centred(text, { face, size, middle: x, y })
      : `BT ${paragraph(style, x, y, 0)}${line(style, text)}ET `
  return white ? `1 g ${drawn}0 g ` : drawn
}

function edge({ width, height }: { width: number; height: number }): string {
  const inset = EDGE_THICK / 2
  return `${EDGE_THICK} w ${rect({ x: inset, y: inset, width: width - EDGE_THICK, height: height - EDGE_THICK })}S `
}

function bothPlaces(): string {
  const note = (text: string, y: number): string =>
    centred(text, { face: 'regular', size: 9, middle: LETTER.width / 2, y })
  return (
    edge(LETTER)
    + PLACES.map(place => `q ${layAcross(LABEL, place)} /T Do Q `).join('')
    + `q [6 4] 0 d ${rule(0.75, [0, CUT], [LETTER.width, CUT])}Q `
    + note(`First place (upper half) – ${TEST_WORDS}`, LETTER.height - 36)
    + note('Cut here. Print at 100 % (actual size), without "fit to page".', CUT + 6)
    + note(`Second place (lower half) – ${TEST_WORDS}`, CUT - 36)
  )
}

/** As commands for a label printer (ZPL II, 203 dpi), from ^XA to ^XZ and a line break. */
export function testZpl(): string {
  return (
    BEGIN
    + remark(TEST_TITLE)
    + `^FO0,0^GB${DOTS.width},${DOTS.height},3^FS`
    + outlined(MARGIN_LINE.thick, MARGIN_LINE.box)
    + TEST_RULES.map(ruled).join('')
    + TEST_GREYS.map(({ box, share }) => shaded(box, share)).join('')
    + TEST_BLACK.map(box => filled(box)).join('')
    + TEST_TEXTS.map(printed).join('')
    + specimenBars(TEST_NUMBER, TEST_BARS)
    + END
  )
}

function printed({ words: text, size, x, y, align, white = false }: TestText): string {
  if (align === 'middle') return centredWords(text, { size, middle: x, y }, white)
  return words({ size, room: textWidth('bold', text, size) }, { x, y, white }, text)
}
