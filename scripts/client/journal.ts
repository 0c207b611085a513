/**
 * What a command that was cut off needs to go on: the bulk order that a file, or a sheet of it, was
 * sent under. It is written beside the file before the rows are sent, and removed at the end.
 */
import { open, readFile, rename, rm } from 'node:fs/promises'
import { fileNamePart } from './arguments.ts'
import type { BuyOptions } from './arguments.ts'

export type JournalEntry = { server: string; userId: string; sha256: string; batchId: string }

export const journalPath = ({ file, sheet }: Pick<BuyOptions, 'file' | 'sheet'>): string =>
  `${file}${sheet === null ? '' : `.${fileNamePart(sheet)}`}.evenpost.json`

/** Null without one, or when it cannot be understood. */
export async function readJournal(path: string): Promise<JournalEntry | null> {
  const text = await readFile(path, 'utf8').catch(() => '')
  try {
    const entry = JSON.parse(text) as Partial<JournalEntry>
    const { server, userId, sha256, batchId } = entry
    return server && userId && sha256 && batchId ? { server, userId, sha256, batchId } : null
  } catch {
    return null
  }
}

/** Survives a power failure once it returns. */
export async function writeJournal(path: string, entry: JournalEntry): Promise<void> {
  const draft = `${path}.part`
  const handle = await open(draft, 'w', 0o600)
  await handle.writeFile(`${JSON.stringify(entry)}\n`)
  await handle.sync()
  await handle.close()
  await rename(draft, path)
}

export const removeJournal = (path: string): Promise<void> => rm(path, { force: true })
