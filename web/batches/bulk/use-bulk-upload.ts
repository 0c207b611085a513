import { useRef, useState } from 'react'
import type { ColumnMapping } from '#contract/imports.ts'
import { NO_SENDER_PROBLEM } from '#web/batches/import/import-file.ts'
import type { ImportResult, SheetPreview } from '#web/batches/import/import-file.ts'
import { toastSuccess } from '#web/ui/toasts.ts'
import { commitDraft, replaceTable, useBulk } from './bulk-store.ts'
import type { BulkDraft, DraftFile } from './draft.ts'
import { readTableFile } from './read-table-file.ts'
import type { TableFileAnswer } from './read-table-file.ts'
import { draftOfFiles, withFiles } from './table-files.ts'
import type { FileRows } from './table-files.ts'
import { texts } from './texts.ts'

export { addressesQuery, skusQuery, systemInfoQuery } from './read-table-file.ts'

export type FileProblem = { text: string; needsAddress: boolean }

/** Columns that the user matches now. `answer` continues with them; null gives the file up. */
export type ColumnMatching = {
  fileName: string
  preview: SheetPreview
  /** What the file was read as, if its columns are known. */
  known: ImportResult | null
  answer: (mapping: ColumnMapping | null) => void
}

/** Rows that wait for a decision, because they would replace changed rows. */
export type PendingTable = { draft: BulkDraft; read: FileRows[] }

export type BulkUpload = {
  /** The file being read; null while none is. `share` from 0 to 1. */
  reading: { name: string; share: number } | null
  busy: boolean
  problem: FileProblem | null
  matching: ColumnMatching | null
  pending: PendingTable | null
  /** `replace` makes a new table, and asks first if changes would be lost. */
  importFiles: (files: File[], mode?: 'replace' | 'add') => Promise<void>
  cancel: () => void
  /** Opens the matching of the columns of a file of the table. */
  matchColumns: (file: DraftFile) => Promise<void>
  canMatchColumns: (file: DraftFile) => boolean
  /** Replaces the table; asks first if changes would be lost. */
  replaceDraft: (draft: BulkDraft) => void
  decide: (decision: 'replace' | 'add' | 'cancel') => void
}

/** Clipboard cells are read as a file of this name, but are no file of the table. */
export const PASTED_FILE_NAME = 'pasted-cells.tsv'

/** Imports files. The table is unchanged if no file can be read. */
export function useBulkUpload(userId: string, senderId: string | null): BulkUpload {
  const [reading, setReading] = useState<BulkUpload['reading']>(null)
  const [problem, setProblem] = useState<FileProblem | null>(null)
  const [matching, setMatching] = useState<ColumnMatching | null>(null)
  const [pending, setPending] = useState<PendingTable | null>(null)
  /** Of the run in progress; a cancelled one must not change the table. */
  const run = useRef<{ cancelled: boolean } | null>(null)
  /** The files of this page by hash, to match their columns again. A reload forgets them. */
  const known = useRef(new Map<string, File>())

  const askColumns = (fileName: string, preview: SheetPreview, result: ImportResult | null) =>
    new Promise<ColumnMapping | null>(resolve =>
      setMatching({
        fileName,
        preview,
        known: result,
        answer: mapping => {
          setMatching(null)
          resolve(mapping)
        },
      }),
    )

  /** Null if the user gave the file up. */
  const readOne = async (file: File): Promise<TableFileAnswer | null> => {
    const onProgress = (share: number) => setReading({ name: file.name, share })
    onProgress(0)
    const answer = await readTableFile(file, userId, senderId, { onProgress })
    if (!('unknownColumns' in answer)) return answer
    const mapping = await askColumns(file.name, answer.unknownColumns, null)
    return mapping && readTableFile(file, userId, senderId, { onProgress, mapping })
  }

  const load = (draft: BulkDraft) => {
    replaceTable(draft)
    if (Object.keys(draft.replaces).length === 0) toastSuccess(texts.uploaded)
  }
  const replaceDraft = (draft: BulkDraft, read: FileRows[] = []) => {
    const now = useBulk.getState().draft
    if (now.rows.length > 0 && (now.edited || now.lost)) setPending({ draft, read })
    else load(draft)
  }
  const add = (read: FileRows[]) => {
    const { draft } = useBulk.getState()
    commitDraft({ ...withFiles(draft, read), edited: true }, texts.files.added)
    toastSuccess(texts.uploaded)
  }

  const begin = () => {
    const current = { cancelled: false }
    run.current = current
    setProblem(null)
    return current
  }
  const importFiles = async (files: File[], mode: 'replace' | 'add' = 'replace') => {
    if (files.length === 0 || run.current) return
    const current = begin()
    const read: FileRows[] = []
    const problems: string[] = []
    try {
      for (const file of files) {
        const answer = await readOne(file)
        if (current.cancelled) return
        if (answer === null) continue
        if ('problem' in answer) problems.push(answer.problem)
        if (!('read' in answer)) continue
        const pasted = file.name === PASTED_FILE_NAME
        if (answer.read.file) known.current.set(answer.read.file.sha256, file)
        read.push(pasted ? { ...answer.read, file: null } : answer.read)
      }
    } finally {
      if (run.current === current) run.current = null
      setReading(null)
    }
    if (problems.length > 0)
      setProblem({
        text: [...new Set(problems)].join(' '),
        needsAddress: problems.includes(NO_SENDER_PROBLEM),
      })
    if (read.length === 0) return
    const { draft } = useBulk.getState()
    if (mode === 'add' && draft.rows.length > 0) add(read)
    else replaceDraft(draftOfFiles(read, draft.service), read)
  }

  const matchColumns = async (of: DraftFile) => {
    const file = known.current.get(of.sha256)
    if (!file || run.current) return
    const current = begin()
    const onProgress = (share: number) => setReading({ name: file.name, share })
    try {
      onProgress(0)
      const first = await readTableFile(file, userId, senderId, { onProgress })
      const asked = await readTableFile(file, userId, senderId, { onProgress, askColumns: true })
      setReading(null)
      if (current.cancelled || !('unknownColumns' in asked)) return
      const result = 'result' in first ? first.result : null
      const mapping = await askColumns(file.name, asked.unknownColumns, result)
      if (!mapping) return
      const answer = await readTableFile(file, userId, senderId, { onProgress, mapping })
      if (current.cancelled) return
      if ('problem' in answer) setProblem({ text: answer.problem, needsAddress: false })
      if ('read' in answer) replaceFile(of, answer.read)
    } finally {
      if (run.current === current) run.current = null
      setReading(null)
    }
  }
  /** The rows of one file as it is read now, in place of those of before. */
  const replaceFile = (of: DraftFile, read: FileRows) => {
    const { draft } = useBulk.getState()
    const index = draft.files.findIndex(file => file.sha256 === of.sha256)
    if (index < 0) return
    if (draft.files.length === 1) return replaceDraft(draftOfFiles([read], draft.service), [read])
    const others = draft.rows.filter(row => row.file !== index)
    const next = withFiles({ ...draft, rows: others }, [read])
    const files = next.files.slice(0, -1).with(index, next.files.at(-1)!)
    const last = next.files.length - 1
    const rows = next.rows.map(row => (row.file === last ? { ...row, file: index } : row))
    commitDraft({ ...next, rows, files, edited: true }, texts.files.readAgain)
    toastSuccess(texts.uploaded)
  }

  return {
    reading,
    busy: reading !== null || matching !== null,
    problem,
    matching,
    pending,
    importFiles,
    cancel: () => {
      if (run.current) run.current.cancelled = true
      run.current = null
      matching?.answer(null)
      setReading(null)
    },
    matchColumns,
    canMatchColumns: file => known.current.has(file.sha256),
    replaceDraft,
    decide: decision => {
      setPending(null)
      if (!pending || decision === 'cancel') return
      if (decision === 'replace') load(pending.draft)
      else add(pending.read)
    },
  }
}
