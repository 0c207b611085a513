/** The web worker of read-file.ts: reads one file, then hands over its rows piece by piece. */
import type { GridRow } from '#web/batches/grid-row.ts'
import { prepareWorkbooks } from '#web/client/workbook/workbook.ts'
import { packRows, transferOf } from './packed-rows.ts'
import type { PackedRows } from './packed-rows.ts'
import { readBytes } from './read-bytes.ts'
import type { FileAnswer, ReadContext, ReadProgress } from './read-bytes.ts'

export type WorkerRequest = { file: File; context: ReadContext }
/** `firstRows`: how the table will begin. `answer` comes without its rows; `rowCount` of them follow. */
export type WorkerMessage =
  | { started: true }
  | { progress: ReadProgress }
  | { firstRows: GridRow[] }
  | { unreadable: true }
  | { answer: FileAnswer; rowCount: number }
  | { rows: PackedRows }

/** The page takes about 10 ms for them. */
const ROWS_PER_MESSAGE = 5000

const post = (message: WorkerMessage, transfer: ArrayBuffer[] = []): void =>
  globalThis.postMessage(message, { transfer })

async function read({ file, context }: WorkerRequest): Promise<void> {
  let bytes: Uint8Array<ArrayBuffer>
  try {
    bytes = new Uint8Array(await file.arrayBuffer())
  } catch {
    return post({ unreadable: true })
  }
  const answer = await readBytes(bytes, file.name, context, {
    onProgress: progress => post({ progress }),
    onFirstRows: firstRows => post({ firstRows }),
  })
  if (!('rows' in answer)) return post({ answer, rowCount: 0 })
  const { rows } = answer
  post({ answer: { ...answer, rows: [] }, rowCount: rows.length })
  for (let at = 0; at < rows.length; at += ROWS_PER_MESSAGE) {
    const packed = packRows(rows.slice(at, at + ROWS_PER_MESSAGE))
    post({ rows: packed }, transferOf(packed))
  }
}

globalThis.addEventListener('message', ({ data }: MessageEvent<WorkerRequest>) => {
  // An unhandled rejection would reach the page as no event.
  read(data).catch((error: unknown) =>
    setTimeout(() => {
      throw error
    }),
  )
})
post({ started: true })
// The page starts this worker ahead of the file.
prepareWorkbooks()
