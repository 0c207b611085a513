import type { GridRow } from '#web/batches/grid-row.ts'
import { unlessAborted } from '#web/client/unless-aborted.ts'
import { texts } from '#web/client/workbook/texts.ts'
import type { WorkerMessage, WorkerRequest } from './import-worker.ts'
import { unpackRows } from './packed-rows.ts'
import type { FileAnswer, ReadContext, ReadListener } from './read-bytes.ts'

export type {
  FileAnswer,
  FileColumns,
  FileResult,
  ReadContext,
  ReadListener,
  ReadProgress,
  ReadStage,
} from './read-bytes.ts'

/** The most that is read of any file. */
const MAX_FILE_MB = 64

const NO_LISTENER: ReadListener = {}

/**
 * Reads a .csv, .txt, .tsv or .xlsx file in a web worker, which ends with it; nothing is sent to the
 * server. Answers with rows, with the columns of an unknown table (match them and read it again with
 * `context.mappings`), or with one sentence that names the file and a remedy. Rejects only with the signal's reason.
 */
export async function readFile(
  file: File,
  context: ReadContext,
  listener: ReadListener = NO_LISTENER,
  signal?: AbortSignal,
): Promise<FileAnswer> {
  signal?.throwIfAborted()
  if (file.size > MAX_FILE_MB * 1024 * 1024)
    return { problem: texts.tooLarge(file.name, MAX_FILE_MB) }
  listener.onProgress?.({ stage: 'read', fraction: 0 })
  // Functions and iterators cannot be sent to a worker.
  const plain: ReadContext = { ...context, skus: [...context.skus] }
  const answer = await readInWorker(file, plain, listener, signal)
  if (answer !== 'no worker') return answer
  const here = await readHere(file, plain, listener)
  signal?.throwIfAborted()
  return here
}

let spare: Promise<Worker | null> | null = null

/** Starts the worker of the next file ahead, so that its code is loaded when the file comes. */
export function prepareReading(): void {
  spare ??= startWorker()
}

/** Ends the worker that waits for the next file: there will be none. */
export function releaseReading(): void {
  endWorker(spare)
  spare = null
}

const endWorker = (starting: Promise<Worker | null> | null): void =>
  void starting?.then(worker => worker?.terminate())

/** The spare worker, or a new one: a spare may have failed to start. */
async function takeWorker(): Promise<Worker | null> {
  const ahead = spare
  spare = null
  return (await ahead) ?? startWorker()
}

/** Null where the browser knows no module workers, or an extension blocks them. */
function startWorker(): Promise<Worker | null> {
  if (typeof Worker === 'undefined') return Promise.resolve(null)
  return new Promise(resolve => {
    try {
      const worker = new Worker(new URL('./import-worker.ts', import.meta.url), { type: 'module' })
      worker.addEventListener('message', () => resolve(worker), { once: true })
      worker.addEventListener('error', event => {
        event.preventDefault()
        resolve(null)
      })
    } catch {
      resolve(null)
    }
  })
}

async function readInWorker(
  file: File,
  context: ReadContext,
  { onProgress, onFirstRows }: ReadListener,
  signal?: AbortSignal,
): Promise<FileAnswer | 'no worker'> {
  const starting = takeWorker()
  const worker = await unlessAborted(starting, signal).catch((reason: unknown) => {
    endWorker(starting)
    throw reason
  })
  if (worker === null) return 'no worker'
  const reading = new Promise<FileAnswer>(resolve => {
    let answer: FileAnswer | null = null
    let rowCount = 0
    const rows: GridRow[] = []
    worker.addEventListener('message', ({ data }: MessageEvent<WorkerMessage>) => {
      if ('progress' in data) onProgress?.(data.progress)
      else if ('firstRows' in data) onFirstRows?.(data.firstRows)
      else if ('unreadable' in data) resolve({ problem: texts.unreadable(file.name) })
      else if ('answer' in data) ({ answer, rowCount } = data)
      else if ('rows' in data) {
        for (const row of unpackRows(data.rows)) rows.push(row)
        onProgress?.({ stage: 'show', fraction: 0.8 + (0.2 * rows.length) / rowCount })
      }
      if (answer !== null && rows.length >= rowCount)
        resolve('rows' in answer ? { ...answer, rows } : answer)
    })
    worker.addEventListener('error', () => resolve({ problem: texts.failed(file.name) }))
    worker.postMessage({ file, context } satisfies WorkerRequest)
  })
  return unlessAborted(reading, signal).finally(() => worker.terminate())
}

async function readHere(
  file: File,
  context: ReadContext,
  listener: ReadListener,
): Promise<FileAnswer> {
  let bytes: Uint8Array<ArrayBuffer>
  try {
    bytes = new Uint8Array(await file.arrayBuffer())
  } catch {
    return { problem: texts.unreadable(file.name) }
  }
  const reader = await import('./read-bytes.ts').catch(() => null)
  if (reader === null) return { problem: texts.notLoaded(file.name) }
  try {
    return await reader.readBytes(bytes, file.name, context, listener)
  } catch {
    return { problem: texts.failed(file.name) }
  }
}
