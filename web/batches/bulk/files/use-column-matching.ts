import { useState } from 'react'
import type { ColumnMapping } from '#contract/imports.ts'
import type { FileResult } from '#web/batches/import/read-file.ts'
import type { FileColumns } from './read-table-file.ts'

/** The user's choice; `sheet` asks for the columns of another sheet. Null gives the file up. */
type ColumnsAnswer = { mapping: ColumnMapping; fingerprint: string } | { sheet: string } | null

/** Columns of a file that the user matches now. `known`: how they are read, if they are known. */
export type ColumnMatching = {
  fileName: string
  columns: FileColumns
  known: FileResult | null
  answer: (answer: ColumnsAnswer) => void
}

/** Asks for the columns of one file at a time. An abort gives the file up. */
export function useColumnMatching(): {
  matching: ColumnMatching | null
  ask: (question: Omit<ColumnMatching, 'answer'>, signal: AbortSignal) => Promise<ColumnsAnswer>
} {
  const [matching, setMatching] = useState<ColumnMatching | null>(null)
  const ask = (question: Omit<ColumnMatching, 'answer'>, signal: AbortSignal) =>
    new Promise<ColumnsAnswer>(resolve => {
      const answer = (chosen: ColumnsAnswer) => {
        signal.removeEventListener('abort', giveUp)
        setMatching(null)
        resolve(chosen)
      }
      const giveUp = () => answer(null)
      signal.addEventListener('abort', giveUp)
      setMatching({ ...question, answer })
    })
  return { matching, ask }
}
