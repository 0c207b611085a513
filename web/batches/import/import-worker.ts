/** The web worker of read-file.ts: reads one file, then hands over its rows piece by piece. */
import type { GridRow } from '#web/batches/grid-row.ts'
import { readBytes } from './read-bytes.ts'
import type { FileAnswer, ReadContext, ReadProgress } from './read-bytes.ts'

/** To the worker: a file, then a request for each piece of its rows. */
export type WorkerRequest = { file: File; context: ReadContext } | { more: true }
/** `answer` comes without its rows; `rowCount` of them follow on request. */
export type WorkerMessage =
  | { started: true }
  | { progress: ReadProgress }
  | { unreadable: true }
  | { answer: FileAnswer; rowCount: number }
  | { rows: GridRow[] }

/** Copying more to the page would take longer than a frame. */
const ROWS_PER_MESSAGE = 1000

let rows: GridRow[] = []

const post = (message: WorkerMessage): void => globalThis.postMessage(message)

async function read(file: File, context: ReadContext): Promise<void> {
  let bytes: Uint8Array<ArrayBuffer>
  try {
    bytes = new Uint8Array(await file.arrayBuffer())
  } catch {
    return post({ unreadable: true })
  }
  const answer = await readBytes(bytes, file.name, context, progress => post({ progress }))
  if (!('rows' in answer)) return post({ answer, rowCount: 0 })
  rows = answer.rows
  post({ answer: { ...answer, rows: [] }, rowCount: rows.length })
}

globalThis.addEventListener('message', ({ data }: MessageEvent<WorkerRequest>) => {
  // Rows that the page has are not kept here.
  if ('more' in data) return post({ rows: rows.splice(0, ROWS_PER_MESSAGE) })
  // An unhandled rejection would reach the page as no event.
  read(data.file, data.context).catch((error: unknown) =>
    setTimeout(() => {
      throw error
    }),
  )
})
post({ started: true })
