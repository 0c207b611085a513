import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** `at`: ISO text. Either the exit code or the signal is null. */
export type UnexpectedEnd = { at: string; code: number | null; signal: string | null }

const FILE = 'unexpected-ends.json'
const MAX_RECORDED = 50

/** Unexpected ends of the server, oldest first; [] when the record cannot be read. */
export async function readUnexpectedEnds(dataDir: string): Promise<UnexpectedEnd[]> {
  try {
    return JSON.parse(await readFile(join(dataDir, FILE), 'utf8')) as UnexpectedEnd[]
  } catch {
    return []
  }
}

export async function recordUnexpectedEnd(dataDir: string, end: UnexpectedEnd): Promise<void> {
  const ends = [...(await readUnexpectedEnds(dataDir)), end].slice(-MAX_RECORDED)
  const draft = join(dataDir, `.${FILE}.part`)
  await writeFile(draft, `${JSON.stringify(ends, null, 2)}\n`, { mode: 0o600 })
  await rename(draft, join(dataDir, FILE))
}
