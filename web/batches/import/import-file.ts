/**
 * Imports a file as rows: its source is told by its columns. A problem with the whole file is one
 * sentence; errors of rows are left to row-rules.ts, so one bad row does not affect the others.
 */
import type { ColumnMapping } from '#contract/imports.ts'
import type { SkuMeasures } from '#contract/sku-rules.ts'
import type { SourceId } from '#contract/sources.ts'
import { shortenText, tidyText } from '#contract/text.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import {
  decodeText,
  fileExtension,
  letterNotices,
  notTextProblem,
} from '#web/client/decode-text.ts'
import {
  DELIMITERS,
  detectDelimiter,
  parseQuotedRows,
  parseTabbedRows,
  splitLine,
  trimLeadingLines,
} from '#web/client/delimited-text.ts'
import type { CellRows } from '#web/client/delimited-text.ts'
import type { SplitRows } from '#web/client/split-rows.ts'
import { texts as workbookTexts } from '#web/client/workbook/texts.ts'
import { finishRows } from './finish-rows.ts'
import type { LeftOut } from './left-out.ts'
import {
  fingerprintOf,
  guessHeaderRow,
  headerAt,
  MAX_HEADER_ROWS,
  previewOf,
  sheetAt,
  withoutBlankRows,
} from './sheet.ts'
import type { SheetPreview } from './sheet.ts'
import { amazonProblem } from './sources/amazon.ts'
import { FILE_SOURCES } from './sources/index.ts'
import { readMapped } from './sources/mapped.ts'
import { namesSender } from './sources/own-columns.ts'
import type { AlsoRead, ColumnUse, Source, SourceContext, SourceRows } from './sources/source.ts'
import { isSkuFile, templateProblem } from './sources/template.ts'
import { texts } from './texts.ts'

export { fingerprintOf } from './sheet.ts'
export type { SheetPreview } from './sheet.ts'
export type { AlsoRead, ColumnUse } from './sources/source.ts'
export type { LeftOut } from './left-out.ts'

/**
 * `maxRows`: the limit of one batch (BULK_MAX_ROWS). `mapping`: the user's columns for a header row;
 * the source that knows it reads by them. `askColumns`: answer with the columns of the file instead of its
 * rows, so that the user can match them.
 */
export type ImportContext = SourceContext & {
  skus: Iterable<SkuMeasures>
  maxRows: number
  mapping?: (fingerprint: string) => ColumnMapping | undefined
  askColumns?: boolean
}

/** `encoding`: of a text file, else ''. `sha256`: of the file, for a caller that adds it. */
export type ImportResult = {
  source: SourceId
  rows: GridRow[]
  notices: string[]
  leftOut: LeftOut[]
  encoding: string
  sha256?: string
  headerFingerprint: string
  columns: ColumnUse[]
  alsoRead: AlsoRead[]
}
export type ImportProblem = { problem: string }
type UnknownColumns = { unknownColumns: SheetPreview }
export type ImportAnswer = ImportResult | ImportProblem | UnknownColumns

/** What is known about a file beside its rows. */
type SheetMeta = { fileName: string; encoding?: string; notices?: string[] }

const TEXT_EXTENSIONS = ['csv', 'txt', 'tsv']
const MAX_NAME_LENGTH = 60
const shownName = (fileName: string): string =>
  shortenText(tidyText(fileName.slice(0, 1000).replace(/\p{Cc}/gu, ' ')), MAX_NAME_LENGTH)
  || texts.unnamedFile

/**
 * Reads a text file. Never throws, for any content. Rows are sorted, filled from the SKU records,
 * with ids row-0, row-1 …
 */
export function importFile(
  bytes: Uint8Array,
  fileName: string,
  context: ImportContext,
): ImportAnswer {
  const file = shownName(fileName)
  const unreadable = notTextProblem(bytes)
  if (unreadable !== null) return { problem: texts.fileProblem(file, unreadable) }
  // Text of that name is a workbook that broke on its way, or no file of a spreadsheet.
  if (fileExtension(fileName) === 'xlsx') return { problem: workbookTexts.broken(fileName) }
  if (!TEXT_EXTENSIONS.includes(fileExtension(fileName)))
    return { problem: texts.wrongExtension(file) }
  const decoded = decodeText(bytes)
  const parsed = parseText(trimLeadingLines(decoded.text), context)
  if ('problem' in parsed) return { problem: texts.fileProblem(file, parsed.problem) }
  const notices = [...letterNotices(decoded), ...parsed.notices]
  const meta = { fileName, encoding: decoded.encoding, notices }
  return importRows(parsed.rows, meta, context, parsed.needed)
}

/**
 * Reads the rows of a sheet, as text and with the header row still among them. A number of more than
 * 15 digits comes in scientific notation ('5.77E+17'), which tells that its last digits are lost.
 */
export const importSheet = (
  rows: string[][],
  meta: SheetMeta,
  context: ImportContext,
): ImportAnswer => importRows(withoutBlankRows(rows), meta, context)

/** `needed`: the columns that the rows below the top rows have; null for all. */
function importRows(
  filled: string[][],
  meta: SheetMeta,
  context: ImportContext,
  needed: readonly boolean[] | null = null,
): ImportAnswer {
  const file = shownName(meta.fileName)
  const found = findTable(filled, context)
  if (context.askColumns === true) {
    const at = found?.at ?? guessHeaderRow(filled)
    return at === null
      ? { problem: texts.unknownColumns(file) }
      : { unknownColumns: previewOf(filled, at) }
  }
  if (!found) return unknownSheet(filled, file, context)
  const sheet = sheetAt(filled, found.at, needed)
  if (sheet.records.length === 0) return { problem: texts.noRows(file) }
  if (found.source?.needsSender && !context.senderAddress && !hasOwnSender(found))
    return { problem: texts.senderMissing }
  const read = found.source
    ? found.source.read(sheet, context, found.mapping)
    : readMapped(sheet, found.mapping, context)
  const problem = countProblem(read, file, context.maxRows)
  if (problem !== null) return { problem }
  return {
    source: found.source?.id ?? 'mapped',
    rows: finishRows(read.drafts, context),
    notices: [...(meta.notices ?? []), ...read.notices],
    leftOut: read.leftOut,
    encoding: meta.encoding ?? '',
    headerFingerprint: fingerprintOf(sheet.header),
    columns: read.columns,
    alsoRead: read.alsoRead ?? [],
  }
}

function countProblem({ drafts, notices }: SourceRows, file: string, maxRows: number) {
  if (drafts.length === 0) return texts.nothingToShip(file, notices.join(' '))
  return drafts.length > maxRows ? texts.tooManyRows(file, drafts.length, maxRows) : null
}

type FoundTable = { at: number } & (
  | { source: Source; mapping: ColumnMapping | undefined }
  | { source: null; mapping: ColumnMapping }
)

const hasOwnSender = ({ mapping }: FoundTable): boolean =>
  mapping !== undefined && namesSender(mapping)

/** The first of the top rows that the user has matched, or else that a source knows. */
function findTable(rows: readonly string[][], context: ImportContext): FoundTable | null {
  const tops = rows.slice(0, MAX_HEADER_ROWS)
  if (context.mapping) {
    for (const [at, row] of tops.entries()) {
      const mapping = context.mapping(fingerprintOf(row))
      if (mapping) return { at, source: sourceOf(row, context), mapping }
    }
  }
  for (const [at, row] of tops.entries()) {
    const source = sourceOf(row, context)
    if (source) return { at, source, mapping: undefined }
  }
  return null
}

function sourceOf(header: readonly string[], context: ImportContext): Source | null {
  let best: Source | null = null
  let most = 0
  for (const source of FILE_SOURCES) {
    const columns = source.match(header, context)
    if (columns > most) [best, most] = [source, columns]
  }
  return best
}

/** Wrong reports get advice, other tables are for the user to match. */
function unknownSheet(
  rows: string[][],
  file: string,
  context: ImportContext,
): ImportProblem | UnknownColumns {
  const hasSender = context.senderAddress !== undefined
  for (const header of rows.slice(0, MAX_HEADER_ROWS)) {
    if (isSkuFile(header)) return { problem: texts.skuFile(file) }
    const problem = amazonProblem(file, header) ?? templateProblem(file, header, hasSender)
    if (problem !== null) return { problem }
  }
  const at = guessHeaderRow(rows)
  return at === null
    ? { problem: texts.unknownColumns(file) }
    : { unknownColumns: previewOf(rows, at) }
}

type ParsedRows = CellRows & Partial<SplitRows>

/** The first lines as they would be with each delimiter, so that a known header decides. */
function parseText(text: string, context: ImportContext): ParsedRows | ImportProblem {
  const top = text.slice(0, MAX_TOP_LENGTH).split(/\r\n?|\n/, MAX_HEADER_ROWS)
  for (const line of top) {
    const usual = detectDelimiter(line)
    for (const mark of [usual, ...DELIMITERS.filter(one => one !== usual)]) {
      const source = sourceOf(splitLine(line, mark), context)
      if (!source) continue
      return source.id === 'amazon' && mark === '\t'
        ? parseTabbedRows(text)
        : parseRows(text, mark, context)
    }
  }
  return parseRows(text, delimiterOf(top), context)
}

/** Null where all are needed. */
function neededColumns(top: readonly string[][], context: ImportContext): boolean[] | null {
  const found = context.askColumns === true ? null : findTable(top, context)
  if (!found || found.mapping) return null
  return found.source?.reads?.(headerAt(top, found.at)) ?? null
}

/** A quote that is never closed is a plain character in tab-separated text: few programs quote there. */
function parseRows(
  text: string,
  delimiter: string,
  context: ImportContext,
): ParsedRows | ImportProblem {
  const columns = (top: readonly string[][]) => neededColumns(top, context)
  const parsed = parseQuotedRows(text, delimiter, { topRows: MAX_HEADER_ROWS, columns })
  return 'problem' in parsed && delimiter === '\t' ? parseTabbedRows(text) : parsed
}

/** The delimiter that divides all lines best: a comma in one cell weighs less than one column in each. */
function delimiterOf(lines: readonly string[]): string {
  const plain = lines.map(line => line.replace(/"[^"]*"/g, ''))
  const weigh = (mark: string) =>
    plain.reduce((sum, line) => sum + Math.log(line.split(mark).length), 0)
  return DELIMITERS.reduce((best, mark) => (weigh(mark) > weigh(best) ? mark : best))
}

/** In characters; a header row is within it. */
const MAX_TOP_LENGTH = 100_000
