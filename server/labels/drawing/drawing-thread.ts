/** Draws pages beside the server's thread (docs/decisions/0081). */
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { SpecimenPage } from '#server/labels/specimen-page.ts'

/** `bytes`: of all pages. */
export type DrawingResult = { bytes: Uint8Array; lengths: number[] } | { error: Error }

type WaitingGroup = { resolve: (pages: Uint8Array[]) => void; reject: (error: Error) => void }

/** The thread takes 25 MB, so it ends after so long without work. */
const IDLE_MS = 10_000
/** Without them it has those of the process, for 96 MB of new objects. */
const LIMITS = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 64 }
const ENDED = 'The thread that draws labels has ended'
const ENTRY = `drawing-thread-entry.${import.meta.filename.endsWith('.ts') ? 'ts' : 'cjs'}`

export class DrawingThread {
  #worker: Worker | null = null
  /** In the order of requests, which the thread keeps. */
  #waiting: WaitingGroup[] = []
  #end: NodeJS.Timeout | null = null

  /** As `drawPage` draws each. Rejects if one cannot be drawn, or if the thread ends meanwhile. */
  draw(pages: readonly SpecimenPage[]): Promise<Uint8Array[]> {
    const worker = (this.#worker ??= this.#start())
    if (this.#end) clearTimeout(this.#end)
    worker.ref()
    worker.postMessage(pages)
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }))
  }

  /** What waits is rejected; the next request starts the thread again. */
  async end(): Promise<void> {
    const worker = this.#worker
    if (worker === null) return
    this.#fail(worker, new Error(ENDED))
    await worker.terminate()
  }

  #start(): Worker {
    const worker = new Worker(join(import.meta.dirname, ENTRY), { resourceLimits: LIMITS })
    worker.on('message', (result: DrawingResult) => {
      if (this.#worker === worker) this.#take(worker, result)
    })
    worker.on('error', (error: Error) => this.#fail(worker, error))
    worker.on('exit', () => this.#fail(worker, new Error(ENDED)))
    return worker
  }

  #take(worker: Worker, result: DrawingResult): void {
    const { resolve, reject } = this.#waiting.shift()!
    if ('error' in result) reject(result.error)
    else resolve(split(result.bytes, result.lengths))
    if (this.#waiting.length > 0) return
    worker.unref()
    this.#end = setTimeout(() => void this.end(), IDLE_MS).unref()
  }

  #fail(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return
    this.#worker = null
    for (const { reject } of this.#waiting.splice(0)) reject(error)
  }
}

function split(bytes: Uint8Array, lengths: readonly number[]): Uint8Array[] {
  let end = 0
  return lengths.map(length => bytes.subarray(end, (end += length)))
}

/** Of this process. */
export const drawingThread = new DrawingThread()
