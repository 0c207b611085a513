import { useEffect, useRef, useState } from 'react'
import { checkAhead } from '#web/batches/bulk/checks/check-ahead.ts'
import { commitDraft, replaceTable, useBulk } from '#web/batches/bulk/drafts/bulk-store.ts'
import type { BulkDraft, DraftFile } from '#web/batches/bulk/drafts/draft.ts'
import { texts } from '#web/batches/bulk/texts.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { prepareReading, releaseReading } from '#web/batches/import/read-file.ts'
import type { FileResult } from '#web/batches/import/read-file.ts'
import { texts as importTexts } from '#web/batches/import/texts.ts'
import { toastError, toastSuccess } from '#web/ui/toasts.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { READ_SHARE, readTableFile, rememberMapping } from './read-table-file.ts'
import type { FileColumns, ReadOptions, TableFileAnswer } from './read-table-file.ts'
import { draftOfFiles, withFileAgain, withFiles } from './table-files.ts'
import type { FileRows } from './table-files.ts'
import { useColumnMatching } from './use-column-matching.ts'
import type { ColumnMatching } from './use-column-matching.ts'

/** `ofFile`: the file can't be read; otherwise something else is missing. */
type FileProblem = { text: string; ofFile: boolean; needsAddress: boolean }

/**
 * Rows that wait for a decision, because they would replace changed rows. `of`: the file of the table that was read again, if it was.
 * `draft`: the new table; null where rows of `of` alone are replaced, in the table as it is then: another tab may submit some.
 */
type PendingRows = { read: FileRows[]; of: DraftFile | null; draft: BulkDraft | null }

export type BulkUpload = {
  /** The file being read; null while none is. `share` from 0 to 1. */
  reading: { name: string; share: number } | null
  /** How a large file begins, in the table's place while it is read; null without one. */
  firstRows: readonly GridRow[] | null
  busy: boolean
  problem: FileProblem | null
  matching: ColumnMatching | null
  /** `replacedRows`: how many, where they are only those of one file of several. */
  pending: { read: FileRows[]; replacedRows: number | null } | null
  /** `replace` makes a new table, and asks first if changes would be lost. */
  importFiles: (files: File[], mode?: 'replace' | 'add') => Promise<void>
  cancel: () => void
  /** Opens the matching of the columns of a file of the table. */
  matchColumns: (file: DraftFile) => Promise<void>
  canMatchColumns: (file: DraftFile) => boolean
  /** Reads another sheet of a workbook of the table. */
  chooseSheet: (file: DraftFile, sheet: string) => Promise<void>
  /** Replaces the table; asks first if changes would be lost. */
  replaceDraft: (draft: BulkDraft) => void
  decide: (decision: 'replace' | 'add' | 'cancel') => void
}

/** Clipboard cells are read as a file of this name, but are no file of the table. */
export const PASTED_FILE_NAME = 'pasted-cells.tsv'

type FileOutcome = TableFileAnswer | 'given up'

/** Time to draw the page; choosing a file takes longer. */
const PREPARE_AFTER_MS = 500

/** Of the whole way. */
const PROGRESS_STEP = 0.02

/** -1 once rows of the table are submitted: its files get other hashes. */
const fileIndex = ({ files }: BulkDraft, { sha256 }: DraftFile): number =>
  files.findIndex(file => file.sha256 === sha256)

/** Null once the file that they would replace is gone. */
function pendingIn(table: BulkDraft, waiting: PendingRows | null): BulkUpload['pending'] {
  if (!waiting) return null
  const { read, of, draft } = waiting
  const index = of ? fileIndex(table, of) : undefined
  if (index === -1) return null
  const replacedRows = draft ? null : table.rows.filter(row => row.file === index).length
  return { read, replacedRows }
}

/** Imports files. The table is unchanged if no file can be read. */
export function useBulkUpload(
  userId: string,
  senderId: string | null,
  /** A last change of a table that was just read. */
  arrange: (draft: BulkDraft) => BulkDraft,
  /** The row that has changes that are not saved yet. */
  unsavedRow: GridRow['id'] | null,
): BulkUpload {
  const [isRunning, setRunning] = useState(false)
  const [reading, setReading] = useState<BulkUpload['reading']>(null)
  const [firstRows, setFirstRows] = useState<BulkUpload['firstRows']>(null)
  const [problem, setProblem] = useState<FileProblem | null>(null)
  const [waiting, setWaiting] = useState<PendingRows | null>(null)
  const table = useBulk(bulk => bulk.draft)
  const { matching, ask } = useColumnMatching()
  /** A cancelled run must not change the table. */
  const [turns] = useState(oneAtATime)
  /** The files of this page by hash, to match their columns again. A reload forgets them. */
  const known = useRef(new Map<string, File>())
  /** As it is when the file has been read. */
  const unsavedNow = useRef(unsavedRow)
  useEffect(() => {
    unsavedNow.current = unsavedRow
  })

  useEffect(() => {
    if (isRunning) return
    const timer = setTimeout(prepareReading, PREPARE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [isRunning])
  useEffect(
    () => () => {
      turns.abort()
      releaseReading()
    },
    [turns],
  )

  /**
   * Runs one import at a time; `replaces`: instead of a file that is being read. `work` rejects when it
   * is cancelled.
   */
  const inTurn = (work: (signal: AbortSignal) => Promise<void>, replaces = false): Promise<void> =>
    turns.run(
      async signal => {
        setRunning(true)
        setProblem(null)
        try {
          await work(signal)
        } catch {
          if (!signal.aborted)
            setProblem({ text: texts.fileFailed, ofFile: false, needsAddress: false })
        } finally {
          setRunning(false)
          setReading(null)
          setFirstRows(null)
        }
      },
      replaces && matching === null,
    )
  /** Whether a new table would take away changes. */
  const asksToReplace = (): boolean => {
    const { rows, edited, lost } = useBulk.getState().draft
    return rows.length > 0 && (edited || lost || unsavedNow.current !== null)
  }
  /** Call it before a change of the table: after a sign-out it is no longer this user's. */
  const throwIfLeft = (signal: AbortSignal) => {
    if (useBulk.getState().userId !== userId) turns.abort()
    signal.throwIfAborted()
  }
  // Each step draws the page again.
  const showProgress = (file: File | undefined) => (share: number) =>
    setReading(before => {
      const name = file?.name ?? ''
      const isStep = before?.name !== name || Math.abs(share - before.share) >= PROGRESS_STEP
      return isStep ? { name, share } : before
    })
  const read = (file: File, options: Omit<ReadOptions, 'onProgress'>) => {
    showProgress(file)(0)
    return readTableFile(file, userId, senderId, { ...options, onProgress: showProgress(file) })
  }
  /** Asks for the columns of a file until they are matched, and reads it with them. */
  const readMatched = async (
    file: File,
    columns: FileColumns,
    result: FileResult | null,
    signal: AbortSignal,
  ): Promise<FileOutcome> => {
    signal.throwIfAborted()
    setReading(null)
    const answer = await ask({ fileName: file.name, columns, known: result }, signal)
    signal.throwIfAborted()
    if (answer === null) return 'given up'
    if ('sheet' in answer) {
      // A sheet with known columns needs no matching.
      return readOne(file, { signal, sheet: answer.sheet })
    }
    const isRemembered = await rememberMapping(userId, file.name, answer)
    if (!isRemembered) toastError(texts.files.notRemembered)
    const { sheet } = columns
    return read(file, { signal, mapping: answer, ...(sheet !== undefined && { sheet }) })
  }
  const showFirst = (rows: GridRow[]) => {
    const { service } = useBulk.getState().draft
    for (const row of rows) row.ServiceName ||= service
    setFirstRows(rows)
  }
  const readOne = async (
    file: File,
    options: Omit<ReadOptions, 'onProgress'>,
  ): Promise<FileOutcome> => {
    const answer = await read(file, options)
    return 'columns' in answer ? readMatched(file, answer.columns, null, options.signal) : answer
  }

  const load = ({ read: files, of, draft }: PendingRows) => {
    if (draft) replaceTable(draft)
    else if (of) commitDraft(tableWith(of, files[0]!), texts.files.readAgain)
    if (files.length > 0) toastSuccess(texts.uploaded)
    else if (draft && Object.keys(draft.replaces).length === 0) toastSuccess(texts.drafts.opened)
  }
  const replaceDraft = (draft: BulkDraft, read: FileRows[] = [], of: DraftFile | null = null) => {
    if (asksToReplace()) setWaiting({ read, of, draft })
    else load({ read, of, draft })
  }
  const tableWith = (of: DraftFile, again: FileRows): BulkDraft =>
    arrange({ ...withFileAgain(useBulk.getState().draft, of.sha256, again), edited: true })
  const add = (files: FileRows[]) => {
    const { draft } = useBulk.getState()
    commitDraft(arrange({ ...withFiles(draft, files), edited: true }), texts.files.added)
    toastSuccess(texts.uploaded)
  }
  const showProblems = (problems: readonly string[]) =>
    setProblem({
      text: [...new Set(problems)].join(' '),
      ofFile: problems.some(one => one !== importTexts.senderMissing && one !== texts.dataFailed),
      needsAddress: problems.includes(importTexts.senderMissing),
    })

  const importFiles = (files: File[], mode: 'replace' | 'add' = 'replace') =>
    inTurn(async signal => {
      const found: FileRows[] = []
      const problems: string[] = []
      const shows = mode === 'replace' && !asksToReplace()
      for (const file of files) {
        const onFirstRows = shows && file === files[0] ? showFirst : undefined
        const outcome = await readOne(file, { signal, onFirstRows })
        if (outcome === 'given up') continue
        if ('problem' in outcome) problems.push(outcome.problem)
        if (!('read' in outcome)) continue
        const { file: of } = outcome.read
        if (of) known.current.set(of.sha256, file)
        found.push(file.name === PASTED_FILE_NAME ? { ...outcome.read, file: null } : outcome.read)
      }
      throwIfLeft(signal)
      if (problems.length > 0) showProblems(problems)
      if (found.length === 0) return
      const { draft } = useBulk.getState()
      if (mode === 'add' && draft.rows.length > 0) add(found)
      else {
        const next = arrange(draftOfFiles(found, draft.service))
        await checkAhead(userId, next, signal, share =>
          showProgress(files.at(-1))(READ_SHARE + (1 - READ_SHARE) * share),
        )
        throwIfLeft(signal)
        replaceDraft(next, found)
      }
    }, mode === 'replace')

  /** Reads a file of the table as `readAs` does, and puts its rows in place of those of before. */
  const readAgain = (
    of: DraftFile,
    readAs: (file: File, signal: AbortSignal) => Promise<FileOutcome>,
  ) =>
    inTurn(async signal => {
      const file = known.current.get(of.sha256)
      if (!file) return
      const outcome = await readAs(file, signal)
      throwIfLeft(signal)
      replaceFile(of, file, outcome)
    })
  const matchColumns = (of: DraftFile) =>
    readAgain(of, async (file, signal) => {
      const { sheet } = of
      const now = await read(file, { signal, sheet })
      const asked = await read(file, { signal, sheet, askColumns: true })
      if (!('columns' in asked)) return 'given up'
      return readMatched(file, asked.columns, 'result' in now ? now.result : null, signal)
    })
  const chooseSheet = (of: DraftFile, sheet: string) =>
    readAgain(of, (file, signal) => readOne(file, { signal, sheet }))
  /** Nothing, once another tab has submitted rows of the table. */
  const replaceFile = (of: DraftFile, file: File, outcome: FileOutcome) => {
    if (outcome === 'given up') return
    if ('problem' in outcome) showProblems([outcome.problem])
    if (!('read' in outcome)) return
    const { draft } = useBulk.getState()
    if (fileIndex(draft, of) < 0) return
    const read = [outcome.read]
    if (outcome.read.file) known.current.set(outcome.read.file.sha256, file)
    if (draft.files.length === 1)
      return replaceDraft(arrange(draftOfFiles(read, draft.service)), read, of)
    const id = unsavedNow.current
    const isUnsavedLost =
      id !== null && tableWith(of, outcome.read).rows.every(row => row.id !== id)
    if (isUnsavedLost) setWaiting({ read, of, draft: null })
    else load({ read, of, draft: null })
  }
  const pending = pendingIn(table, waiting)
  if (waiting && !pending) setWaiting(null)

  return {
    reading,
    firstRows,
    busy: isRunning,
    problem,
    matching,
    pending,
    importFiles,
    cancel: turns.abort,
    matchColumns,
    chooseSheet,
    canMatchColumns: file => known.current.has(file.sha256),
    replaceDraft,
    decide: decision => {
      setWaiting(null)
      if (!waiting || !pending || decision === 'cancel') return
      // Another tab may have submitted it.
      if (decision === 'replace' || table.rows.length === 0) load(waiting)
      else add(waiting.read)
    },
  }
}
