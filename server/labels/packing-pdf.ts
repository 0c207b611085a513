/**
 * Packing slips and pick lists as PDF, on Letter or 4x6 pages. They are no labels: no barcode, no
 * tracking number, no mark of postage. Texts are printed in Latin letters, as on labels.
 */
import { numberText } from '#contract/format.ts'
import { countedTurns } from '#server/platform/process/turns.ts'
import type { Sink } from '#server/platform/storage/port.ts'
import { fitText, textWidth } from './helvetica.ts'
import type { LabelAddress } from './label-data.ts'
import { PAGE } from './layout.ts'
import { PageTree } from './page-tree.ts'
import { finishPdf } from './pdf-finish.ts'
import { PdfFile } from './pdf-objects.ts'
import {
  beginParagraph,
  paragraphLine,
  rectOperator,
  rightAlignedLine,
  round,
  ruleOperator,
} from './pdf-operators.ts'
import type { TextStyle } from './pdf-operators.ts'
import { LETTER_SIZE } from './sheet.ts'
import { printableAddress, printableText } from './wording.ts'

export type PackingPaper = 'letter' | 'pdf'

export type PackingItem = { sku: string; description: string; quantity: number }

/** `note`: the date and the label's place in its bulk order. */
export type PackingSlip = {
  orderIds: readonly string[]
  note: string
  from: LabelAddress
  to: LabelAddress
  items: PackingItem[]
}

/** `orders`: how many orders contain the item. */
export type PickLine = PackingItem & { orders: number }

/** Of one pick list. */
export type PickList = { title: string; note: string; lines: readonly PickLine[] }

/** Points; `row`: height of a line of the table. */
type Paper = {
  size: { width: number; height: number }
  margin: number
  title: number
  text: number
  leading: number
  row: number
}

const SHEETS: Record<PackingPaper, Paper> = {
  letter: { size: LETTER_SIZE, margin: 48, title: 20, text: 10, leading: 13.5, row: 19 },
  pdf: { size: PAGE, margin: 15, title: 14, text: 8, leading: 10, row: 14 },
}

/** Drawing pages with so many characters takes some 5 ms; then other requests run. */
const CHARACTERS_A_TURN = 60_000
/** Measuring so many rows takes some 5 ms. */
const ROWS_A_TURN = 500

/** One slip after another, each on pages of its own. Throws without slips. */
export async function writePackingSlips(
  slips: AsyncIterable<PackingSlip>,
  paper: PackingPaper,
  sink: Sink,
): Promise<void> {
  await writePages(slipPages(slips, SHEETS[paper]), 'Packing slips', SHEETS[paper], sink)
}

/** Throws without lines. */
export async function writePickList(
  list: PickList,
  paper: PackingPaper,
  sink: Sink,
): Promise<void> {
  await writePages(pickPages(list, SHEETS[paper]), 'Pick list', SHEETS[paper], sink)
}

async function writePages(
  pages: AsyncIterable<string>,
  title: string,
  { size }: Paper,
  sink: Sink,
): Promise<void> {
  const file = new PdfFile()
  const tree = new PageTree(file)
  const flush = async (all: boolean): Promise<void> => {
    const chunk = file.drain(all)
    if (chunk !== null) await sink.write(chunk)
  }
  const turn = countedTurns(CHARACTERS_A_TURN)
  for await (const content of pages) {
    tree.add(`/Contents ${file.stream(content)} 0 R`)
    await flush(false)
    await turn(content.length)
  }
  finishPdf(file, tree, { pageSize: size, title, layers: {} })
  await flush(true)
}

/**
 * `text`: of an item of the table, on so many `lines` at most. A longer one is made smaller on its
 * last line, and cut.
 */
type Column<Item> = {
  header: string
  x: number
  width: number
  isRight: boolean
  lines: number
  text: (item: Item) => string
}

/** `share`: of the width, in percent. */
type ColumnPart<Item> = Pick<Column<Item>, 'header' | 'text'>
  & Partial<Pick<Column<Item>, 'isRight' | 'lines'>> & { share: number }

function columnsOf<Item>(paper: Paper, parts: readonly ColumnPart<Item>[]): Column<Item>[] {
  const whole = paper.size.width - 2 * paper.margin
  const gap = paper.text
  let x = paper.margin
  return parts.map(({ header, share, isRight = false, lines = 1, text }) => {
    const width = (whole * share) / 100
    const left = isRight ? x + gap : x
    x += width
    return { header, x: left, width: width - gap, isRight, lines, text }
  })
}

/** Enough for the longest SKU of wide letters on a 4x6 page: sizes and colors are at its end. */
const SKU_LINES = 8

async function* slipPages(slips: AsyncIterable<PackingSlip>, paper: Paper): AsyncGenerator<string> {
  const columns = columnsOf<PackingItem>(paper, [
    { header: 'SKU', share: 32, lines: SKU_LINES, text: skuText },
    { header: 'Description', share: 54, lines: 3, text: ({ description }) => description },
    { header: 'Qty', share: 14, isRight: true, text: ({ quantity }) => numberText(quantity) },
  ])
  for await (const slip of slips) {
    const total = ['Total', '', numberText(piecesOf(slip.items))]
    yield* tablePages(slipHead(slip, paper), { columns, items: slip.items, total }, paper)
  }
}

const piecesOf = (items: readonly PackingItem[]): number =>
  items.reduce((sum, { quantity }) => sum + quantity, 0)

/** A line that says nothing else says so. */
const skuText = ({ sku, description }: PackingItem): string =>
  sku === '' && description === '' ? 'No SKU' : sku

function pickPages({ title, note, lines }: PickList, paper: Paper): AsyncGenerator<string> {
  const columns = columnsOf<PickLine>(paper, [
    { header: '', share: 6, text: () => '' },
    { header: 'SKU', share: 30, lines: SKU_LINES, text: skuText },
    { header: 'Description', share: 36, lines: 3, text: ({ description }) => description },
    { header: 'Orders', share: 14, isRight: true, text: ({ orders }) => numberText(orders) },
    { header: 'Qty', share: 14, isRight: true, text: ({ quantity }) => numberText(quantity) },
  ])
  const top = pageTitle('Pick list', title, note, paper)
  const total = ['', 'Total', '', '', numberText(piecesOf(lines))]
  return tablePages(top, { columns, items: lines, total, hasBoxes: true }, paper)
}

/** Operators of the top of a page, and where the table begins. */
type PageTop = { content: string; y: number }

/** Of the width between the margins, for the text on the right. */
const TITLE_SHARE = 0.52

/** `given`: the order or the list, on the right; `note`: smaller, below it. */
function pageTitle(title: string, given: string, note: string, paper: Paper): PageTop {
  const { size, margin } = paper
  const right = printableText(given)
  const y = size.height - margin - paper.title
  const width = size.width - 2 * margin
  const titleStyle: TextStyle = { face: 'bold', size: paper.title, maxWidth: width * 0.45 }
  const half = { maxWidth: width * TITLE_SHARE }
  const edge = size.width - margin
  const content =
    textAt(titleStyle, margin, y, title)
    + rightText(
      { face: 'bold', size: paper.text + 1, ...half },
      edge,
      y + paper.leading * 0.45,
      right,
    )
    + rightText(
      { face: 'regular', size: paper.text - 1, ...half },
      edge,
      y - paper.leading * 0.55,
      note,
    )
    + rule(paper, y - paper.leading, 1)
  return { content, y: y - paper.leading * 2 }
}

function slipHead(slip: PackingSlip, paper: Paper): PageTop {
  const { size, margin, leading } = paper
  const head = pageTitle('Packing slip', idsThatFit(slip.orderIds, paper), slip.note, paper)
  const half = (size.width - 2 * margin) / 2
  const maxWidth = half - leading
  const caption: TextStyle = { face: 'bold', size: paper.text - 2, maxWidth }
  const blocks = [slip.from, slip.to].map(printableAddress)
  const drawn = blocks.map((lines, side) => {
    const x = margin + side * half
    return (
      textAt(caption, x, head.y, side === 0 ? 'FROM' : 'SHIP TO')
      + lines
        .map((line, index) => {
          const face = index === 0 ? ('bold' as const) : ('regular' as const)
          return textAt(
            { face, size: paper.text, maxWidth },
            x,
            head.y - leading * (index + 1),
            line,
          )
        })
        .join('')
    )
  })
  const height = leading * (Math.max(...blocks.map(lines => lines.length)) + 2.2)
  return { content: head.content + drawn.join(''), y: head.y - height }
}

/** Whole ids of a combined row, and how many more it has: part of an id would be another one. */
function idsThatFit(ids: readonly string[], { size, margin, text }: Paper): string {
  const room = (size.width - 2 * margin) * TITLE_SHARE
  const fits = (shown: string): boolean => fitText('bold', shown, text + 1, room).text === shown
  const printed = ids.map(printableText)
  const all = printed.join(', ')
  if (printed.length === 1 || fits(all)) return all
  const first = (count: number): string =>
    `${printed.slice(0, count).join(', ')} and ${printed.length - count} more`
  let count = 1
  while (fits(first(count + 1))) count += 1
  return first(count)
}

type Table<Item> = {
  columns: readonly Column<Item>[]
  items: readonly Item[]
  total: string[]
  hasBoxes?: boolean
}

const cellOf = <Item>(item: Item, column: Column<Item>, paper: Paper): string[] =>
  wrapped(printableText(column.text(item)), paper.text, column)

/** Of a row with so many lines. */
const heightOf = (lines: number, paper: Paper): number => paper.row + (lines - 1) * paper.leading

function wrapped(
  words: string,
  size: number,
  { width, lines: most }: Pick<Column<never>, 'width' | 'lines'>,
): string[] {
  const lines: string[] = []
  const fits = (text: string): boolean => textWidth('regular', text, size) <= width
  const isLast = (): boolean => lines.length === most - 1
  let line = ''
  for (const word of words.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (isLast() || fits(longer)) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    line = word
    while (!isLast() && !fits(line)) {
      const at = breakOf(line, fits)
      lines.push(line.slice(0, at))
      line = line.slice(at)
    }
  }
  return [...lines, line]
}

const JOINT = /[-_./:+]/

/** How much of a long word fits on a line: up to a joint in its last third, else all that fits. */
function breakOf(word: string, fits: (text: string) => boolean): number {
  let most = 1
  while (fits(word.slice(0, most + 1))) most += 1
  for (let at = most; at > (most * 2) / 3; at--) if (JOINT.test(word[at - 1]!)) return at
  return most
}

/** The index of the first item of each page; the last page has room for the total. */
async function pageStarts<Item>(
  { columns, items }: Table<Item>,
  room: number,
  paper: Paper,
): Promise<number[]> {
  const starts = [0]
  const turn = countedTurns(ROWS_A_TURN)
  const wrappedColumns = columns.filter(({ lines }) => lines > 1)
  let left = room
  for (const [index, item] of items.entries()) {
    const lines = wrappedColumns.map(column => cellOf(item, column, paper).length)
    const height = heightOf(Math.max(1, ...lines), paper)
    const needed = height + (index === items.length - 1 ? paper.row : 0)
    if (needed > left && index > starts.at(-1)!) {
      starts.push(index)
      left = room
    }
    left -= height
    await turn()
  }
  return starts
}

/**
 * As many pages as the items need, each with the top and the names of the columns. Rows are made
 * page by page: a pick list may have 200,000.
 */
async function* tablePages<Item>(
  top: PageTop,
  table: Table<Item>,
  paper: Paper,
): AsyncGenerator<string> {
  const { columns, items, total, hasBoxes = false } = table
  const foot = paper.margin + paper.leading * 1.5
  const starts = await pageStarts(table, top.y - foot, paper)
  for (const [page, start] of starts.entries()) {
    let y = top.y
    const headers = columns.map(({ header }) => [header])
    let content = top.content + cellsAt(columns, headers, y, { paper, face: 'bold' })
    content += rule(paper, y - paper.row * 0.35, 0.75)
    for (const item of items.slice(start, starts[page + 1])) {
      const cells = columns.map(column => cellOf(item, column, paper))
      const first = y - paper.row
      if (hasBoxes) content += tickBox(paper, first)
      content += cellsAt(columns, cells, first, { paper, face: 'regular' })
      y -= heightOf(Math.max(...cells.map(({ length }) => length)), paper)
      content += rule(paper, y - paper.row * 0.35, 0.25)
    }
    if (page === starts.length - 1) {
      const cells = total.map(cell => [cell])
      content += cellsAt(columns, cells, y - paper.row, { paper, face: 'bold' })
    }
    yield content + pageNumber(page + 1, starts.length, paper)
  }
}

/** `y`: the baseline of the first line. */
const cellsAt = (
  columns: readonly Pick<Column<never>, 'x' | 'width' | 'isRight'>[],
  cells: readonly string[][],
  y: number,
  { paper, face }: { paper: Paper; face: TextStyle['face'] },
): string =>
  columns
    .flatMap(({ x, width, isRight }, index) =>
      cells[index]!.map((words, line) => {
        const style: TextStyle = { face, size: paper.text, maxWidth: width }
        const baseline = y - line * paper.leading
        return isRight
          ? rightText(style, x + width, baseline, words)
          : textAt(style, x, baseline, words)
      }),
    )
    .join('')

function pageNumber(page: number, pages: number, { size, margin, text }: Paper): string {
  if (pages === 1) return ''
  const style: TextStyle = { face: 'regular', size: text - 1, maxWidth: size.width / 2 }
  return rightText(style, size.width - margin, margin, `Page ${page} of ${pages}`)
}

/** To tick what was taken. */
function tickBox({ margin, text }: Paper, y: number): string {
  return `0.75 w ${rectOperator({ x: margin + 1, y: round(y - 1), width: text - 1, height: text - 1 })}S `
}

function rule({ size, margin }: Paper, y: number, thickness: number): string {
  return ruleOperator(thickness, [margin, round(y)], [size.width - margin, round(y)])
}

const textAt = (style: TextStyle, x: number, y: number, words: string): string =>
  words === '' ? '' : `BT ${beginParagraph(style, round(x), y, 0)}${paragraphLine(style, words)}ET `

const rightText = (style: TextStyle, right: number, y: number, words: string): string =>
  words === '' ? '' : `BT ${rightAlignedLine(style, right, y, words)}ET `
