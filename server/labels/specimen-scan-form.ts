/**
 * The specimen of a SCAN form on Letter paper: what a form says, and that it is none. It has no
 * barcode and no number that the postal service could read.
 */
import { numberText } from '#contract/format.ts'
import type { LabelAddress } from './label-data.ts'
import { PageTree } from './page-tree.ts'
import { finishPdf } from './pdf-finish.ts'
import { PdfFile } from './pdf-objects.ts'
import {
  beginParagraph,
  centeredText,
  paragraphLine,
  rectOperator,
  rightAlignedLine,
  ruleOperator,
} from './pdf-operators.ts'
import type { TextStyle } from './pdf-operators.ts'
import { LETTER_SIZE } from './sheet.ts'
import { printableAddress, printableText, printedDay } from './wording.ts'

/** `day`: of mailing, '2026-11-20'. */
export type ScanFormData = {
  id: number
  day: string
  sender: LabelAddress
  services: readonly { name: string; labels: number }[]
}

const TITLE = 'SAMPLE SCAN form, not valid for mailing'
const MARGIN = 54
const RIGHT = LETTER_SIZE.width - MARGIN
const MIDDLE = LETTER_SIZE.width / 2
const WIDTH = LETTER_SIZE.width - 2 * MARGIN
const LINE = 17
const TOP = LETTER_SIZE.height - MARGIN
const TABLE_TOP = 500
const BAND = { x: MARGIN, y: 118, width: WIDTH, height: 92 }

const NORMAL: TextStyle = { face: 'regular', size: 11, maxWidth: WIDTH * 0.6 }
const STRONG: TextStyle = { ...NORMAL, face: 'bold' }

export function specimenScanForm(data: ScanFormData): Buffer {
  const file = new PdfFile()
  const tree = new PageTree(file)
  tree.add(`/Contents ${file.stream(head(data) + table(data) + band())} 0 R`)
  finishPdf(file, tree, { pageSize: LETTER_SIZE, title: TITLE, layers: {} })
  return file.drain(true)!
}

const text = (style: TextStyle, x: number, y: number, words: string): string =>
  `BT ${beginParagraph(style, x, y, 0)}${paragraphLine(style, printableText(words))}ET `
const rightText = (style: TextStyle, y: number, words: string): string =>
  `BT ${rightAlignedLine(style, RIGHT, y, words)}ET `

function head({ id, day, sender }: ScanFormData): string {
  const lines = printableAddress(sender)
  return (
    text({ ...STRONG, size: 22 }, MARGIN, TOP - 22, 'SAMPLE SCAN form')
    + rightText(NORMAL, TOP - 14, `Form ${id}`)
    + rightText(NORMAL, TOP - 14 - LINE, `Mailing date ${printedDay(day)}`)
    + ruleOperator(1, [MARGIN, TOP - 42], [RIGHT, TOP - 42])
    + text({ ...STRONG, size: 9 }, MARGIN, TOP - 66, 'MAILED BY')
    + lines
      .map((line, at) => text(at === 0 ? STRONG : NORMAL, MARGIN, TOP - 84 - at * LINE, line!))
      .join('')
  )
}

/** Each service takes a line; the smallest of them are summed when there are too many. */
const MAX_LINES = 12

function table({ services }: ScanFormData): string {
  const total = services.reduce((sum, { labels }) => sum + labels, 0)
  const shown = services.slice(0, MAX_LINES)
  const others = services.slice(MAX_LINES).reduce((sum, { labels }) => sum + labels, 0)
  const rows = [...shown, ...(others > 0 ? [{ name: 'Other services', labels: others }] : [])]
  const end = TABLE_TOP - LINE * (rows.length + 1)
  const row = (style: TextStyle, y: number, name: string, count: string): string =>
    text(style, MARGIN, y, name) + rightText(style, y, count)
  return (
    row({ ...STRONG, size: 9 }, TABLE_TOP, 'SERVICE', 'PIECES')
    + ruleOperator(0.75, [MARGIN, TABLE_TOP - 6], [RIGHT, TABLE_TOP - 6])
    + rows
      .map(({ name, labels }, at) =>
        row(NORMAL, TABLE_TOP - LINE * (at + 1) - 4, name, numberText(labels)),
      )
      .join('')
    + ruleOperator(0.75, [MARGIN, end - 10], [RIGHT, end - 10])
    + row(STRONG, end - 10 - LINE, 'Total', numberText(total))
  )
}

/** Where a form has its barcode. */
const band = (): string =>
  `1.5 w ${rectOperator(BAND)}S `
  + centeredText('SAMPLE', { face: 'bold', size: 40, middle: MIDDLE, y: BAND.y + 42 })
  + centeredText('NO BARCODE – NOT VALID FOR MAILING, NO PARCEL IS ACCEPTED WITH IT', {
    face: 'bold',
    size: 11,
    middle: MIDDLE,
    y: BAND.y + 16,
  })
