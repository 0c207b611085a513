/** The hash that identifies a file: buying it a second time is a repeat. */
import { sha256OfText } from '#web/client/sha256.ts'
import type { FileResult } from './read-bytes.ts'

type ReadSheet = Pick<FileResult, 'sheets' | 'sheet'>

export const isOfSeveralSheets = ({ sheets = [], sheet }: ReadSheet): boolean =>
  sheets.length > 1 && sheet !== undefined

/** Two sheets of a workbook are two files: buying one is no repeat of the other. */
export const fileHash = (read: ReadSheet & Pick<FileResult, 'sha256'>): string =>
  isOfSeveralSheets(read) ? sha256OfText(`${read.sha256} ${read.sheet}`) : read.sha256
