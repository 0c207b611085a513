/**
 * What a command that was cut off needs to go on: the bulk order that a file was sent under. It is
 * written beside the file before the rows are sent, and removed at the end.
 */
import { open, readFile, rename, rm } from 'node:fs/promises'

export type JournalEntry = { server: string; userId: string; sha256: string; batchId: string }

export const journalPath = (file: string): string => `${file}.evenpost.json`

/** Null without one, or when it cannot be understood. */
export async function readJournal(file: string): Promise<JournalEntry | null> {
  const text = await readFile(journalPath(file), 'utf8').catch(() => '')
  try {
    const entry = JSON.parse(text) as Partial<JournalEntry>
    const { server, userId, sha256, batchId } = entry
    return server && userId && sha256 && batchId ? { server, userId, sha256, batchId } : null
  } catch {
    return null
  }
}

/** Survives a power failure once it returns. */
export async function writeJournal(file: string, entry: JournalEntry): Promise<void> {
  const draft = `${journalPath(file)}.part`
  const handle = await open(draft, 'w', 0o600)
  await handle.writeFile(`${JSON.stringify(entry)}\n`)
  await handle.sync()
  await handle.close()
  await rename(draft, journalPath(file))
}

export const removeJournal = (file: string): Promise<void> => rm(journalPath(file), { force: true })
