/** Reads a file of any accepted kind. It runs in a worker, or on the page where workers cannot start. */
import type { ColumnMapping } from '#contract/imports.ts'
import { withPrintNotices } from '#web/batches/bulk/files/print-notices.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { sha256 } from '#web/client/sha256.ts'
import { texts as workbookTexts } from '#web/client/workbook/texts.ts'
import { fileKind } from '#web/client/workbook/workbook-safety.ts'
import { readWorkbook } from '#web/client/workbook/workbook.ts'
import { firstRowsOf, firstRowsOfWorkbook } from './first-rows.ts'
import { importFile, importSheet } from './import-file.ts'
import type {
  ImportAnswer,
  ImportContext,
  ImportProblem,
  ImportResult,
  SheetPreview,
} from './import-file.ts'

/**
 * As `ImportContext`, but without functions, because it is sent to a worker. `mappings`: the user's
 * columns by the fingerprint of a header row. `sheet`: of a workbook, the only one to read.
 */
export type ReadContext = Omit<ImportContext, 'mapping'> & {
  mappings?: Record<string, ColumnMapping>
  sheet?: string
}

/** Of a workbook: its visible sheets that have rows, and the one that was read. */
type FileSheets = { sheets?: string[]; sheet?: string }
/**
 * `sha256` is of the file; `mapping`: the user's columns, where it was read by them. The rows carry the
 * notices about how a label prints their text.
 */
export type FileResult = ImportResult & FileSheets & { sha256: string; mapping?: ColumnMapping }
/**
 * `rows` is empty: once the columns are matched, the file is read again with them. `fingerprints`: of
 * the tables on all its sheets.
 */
export type FileColumns = FileSheets & { unknownColumns: SheetPreview; fingerprints: string[] }
export type FileAnswer = FileResult | ImportProblem | FileColumns

/** `read`: the bytes; `open`: a workbook is unpacked; `check`: rows are made; `show`: rows are handed over. */
export type ReadStage = 'read' | 'open' | 'check' | 'show'
/** `fraction`: of the whole way, from 0 to 1. */
export type ReadProgress = { stage: ReadStage; fraction: number }

/** `onFirstRows`: how the table will begin, before the whole file is read; not called for every file. */
export type ReadListener = {
  onProgress?: (progress: ReadProgress) => void
  onFirstRows?: (rows: GridRow[]) => void
}

/** Never throws for the file's content. */
export async function readBytes(
  bytes: Uint8Array<ArrayBuffer>,
  fileName: string,
  { mappings, sheet, ...rest }: ReadContext,
  { onProgress, onFirstRows }: ReadListener,
): Promise<FileAnswer> {
  const report = (stage: ReadStage, fraction: number) => onProgress?.({ stage, fraction })
  const show = (rows: GridRow[]) => rows.length > 0 && onFirstRows?.(rows)
  const context: ImportContext = {
    ...rest,
    ...(mappings && { mapping: (fingerprint: string) => mappings[fingerprint] }),
  }
  let read: SheetAnswer
  if (fileKind(bytes) === 'text') {
    report('check', 0.1)
    show(onFirstRows ? firstRowsOf(bytes, fileName, context) : [])
    report('check', 0.2)
    const answer = importFile(bytes, fileName, context)
    read = { answer, fingerprints: fingerprintsIn(answer) }
  } else {
    report('open', 0.1)
    show(onFirstRows ? await firstRowsOfWorkbook(bytes, fileName, context, sheet) : [])
    report('open', 0.2)
    const workbook = await readWorkbook(bytes, fileName, context.maxRows)
    if ('problem' in workbook) return workbook
    report('check', 0.6)
    read = importWorkbook(workbook, fileName, context, sheet)
  }
  const { answer, fingerprints, ...sheets } = read
  if ('problem' in answer) return answer
  if ('unknownColumns' in answer)
    return { ...sheets, fingerprints, unknownColumns: { ...answer.unknownColumns, rows: [] } }
  const rows = await withPrintNotices(answer.rows)
  if (rows === null) return { problem: workbookTexts.notLoaded(fileName) }
  const mapping = mappings?.[answer.headerFingerprint]
  return {
    ...answer,
    ...sheets,
    rows,
    sha256: await hashOf(bytes),
    ...(mapping && { mapping }),
  }
}

type SheetAnswer = FileSheets & { answer: ImportAnswer; fingerprints: string[] }

const fingerprintsIn = (answer: ImportAnswer): string[] =>
  'unknownColumns' in answer ? [answer.unknownColumns.fingerprint] : []

/** The first sheet with known columns, else the first with a table. */
function importWorkbook(
  { sheets, hiddenSheets }: Extract<Awaited<ReturnType<typeof readWorkbook>>, { sheets: unknown }>,
  fileName: string,
  context: ImportContext,
  chosen: string | undefined,
): SheetAnswer {
  const ofBook = hiddenSheets > 0 ? [workbookTexts.hiddenSheets(hiddenSheets)] : []
  const names = sheets.map(({ name }) => name)
  const candidates = sheets.filter(({ name }) => chosen === undefined || name === chosen)
  const fingerprints: string[] = []
  let best: { answer: ImportAnswer; sheet: string } | undefined
  for (const { name, rows, hiddenRows = 0 } of candidates.length > 0 ? candidates : sheets) {
    const notices = hiddenRows > 0 ? [...ofBook, workbookTexts.hiddenRows(hiddenRows)] : ofBook
    const answer = importSheet(rows, { fileName, notices }, context)
    fingerprints.push(...fingerprintsIn(answer))
    const isBetter = !best || ('problem' in best.answer && !('problem' in answer))
    if (isBetter || 'source' in answer) best = { answer, sheet: name }
    if ('source' in answer) break
  }
  return { ...best!, fingerprints, sheets: names }
}

/** Browsers offer `crypto.subtle` on HTTPS only. */
async function hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const { subtle } = globalThis.crypto as { subtle?: SubtleCrypto }
  if (!subtle) return sha256(bytes)
  const digest = new Uint8Array(await subtle.digest('SHA-256', bytes))
  return Array.from(digest, byte => byte.toString(16).padStart(2, '0')).join('')
}
