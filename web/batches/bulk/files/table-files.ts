/** Tables of one or several files. Pure. */

import type { BulkDraft, DraftFile } from '#web/batches/bulk/drafts/draft.ts'
import { EMPTY_BULK_DRAFT } from '#web/batches/bulk/drafts/draft.ts'
import { extraFields } from '#web/batches/bulk/grid/columns.ts'
import { nextRowNumber } from '#web/batches/bulk/parcels/row-items.ts'
import type { GridRow } from '#web/batches/grid-row.ts'

/** What was read from a file; `file` is null for pasted cells. */
export type FileRows = { file: DraftFile | null; rows: GridRow[]; notices: string[] }

/**
 * The rows of the table and those of more files below them; each file keeps its place. The page's
 * service applies to rows without one. The rows that were read become rows of this table.
 */
export function withFiles(
  draft: BulkDraft,
  read: readonly FileRows[],
  firstNumber: number = nextRowNumber(draft.rows),
): BulkDraft {
  const rows = [...draft.rows]
  const files = [...draft.files]
  const notices = [...draft.notices]
  let number = firstNumber
  for (const one of read) {
    const file = one.file ? files.push(one.file) - 1 : undefined
    for (const row of one.rows) {
      // In place: they are of no table yet, and copies of 50,000 rows take a quarter of a second.
      row.id = `row-${number}`
      if (file !== undefined) {
        row.file = file
        row.fileName = one.file!.name
      }
      if (row.ServiceName === '') row.ServiceName = draft.service
      rows.push(row)
      number += 1
    }
    for (const notice of one.notices) {
      const text =
        one.file && read.length + draft.files.length > 1 ? `${one.file.name}: ${notice}` : notice
      if (!notices.includes(text)) notices.push(text)
    }
  }
  return { ...draft, rows, files, notices, extra: extraFields(rows) }
}

/** A table of these files alone. Its service is that of all their rows, where none was chosen. */
export function draftOfFiles(read: readonly FileRows[], service: string): BulkDraft {
  const draft = withFiles({ ...EMPTY_BULK_DRAFT, service }, read)
  const name = service === '' ? (draft.rows[0]?.ServiceName ?? '') : ''
  const isOfAll = name !== '' && draft.rows.every(row => row.ServiceName === name)
  return isOfAll ? { ...draft, service: name } : draft
}

/**
 * The rows of a file as it is read now, in place of those of before. None gets the id of a row of before: an edit that is open on that
 * row would go on in another receiver's.
 */
export function withFileAgain(draft: BulkDraft, sha256: string, read: FileRows): BulkDraft {
  const index = draft.files.findIndex(file => file.sha256 === sha256)
  if (index < 0 || !read.file) return draft
  const others = draft.rows.filter(row => row.file !== index)
  const next = withFiles({ ...draft, rows: others }, [read], nextRowNumber(draft.rows))
  const last = next.files.length - 1
  return {
    ...next,
    files: draft.files.with(index, read.file),
    rows: next.rows.map(row => (row.file === last ? { ...row, file: index } : row)),
  }
}

/**
 * The file that a submit names: of several, the first one's name with the number of the others, and
 * a hash of all. Null for rows of no file.
 */
export function submittedFile(
  draft: BulkDraft,
  rows: readonly GridRow[],
  hashText: (text: string) => string,
): Pick<DraftFile, 'name' | 'sha256' | 'source'> | null {
  const used = new Set(rows.map(row => row.file))
  const [first, ...others] = draft.files.filter((_, index) => used.has(index))
  if (!first) return null
  const name = others.length === 0 ? first.name : `${first.name} + ${others.length}`
  const hashes = [first, ...others].map(file => file.sha256)
  return {
    name: name.slice(0, MAX_FILE_NAME),
    sha256: others.length === 0 ? first.sha256 : hashText(hashes.toSorted().join('\n')),
    source: first.source,
  }
}

/** In characters, of the server. */
const MAX_FILE_NAME = 255
