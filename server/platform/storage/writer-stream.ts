import { Readable } from 'node:stream'
import type { WorkSlot } from '#server/platform/process/work-slots.ts'
import type { Sink } from './port.ts'

/** Bytes that may wait for the reader. */
const BUFFER_BYTES = 256 * 1024
/** A reader that reads nothing for this long is gone, even if the connection is open. */
const READER_TIMEOUT_MS = 60_000
/** How long a reader may take for the rest while the process stops. */
const SHUTDOWN_GRACE_MS = 5_000

/** `slot`: others have it while the work waits for its reader. */
export type WriterOptions = { readerTimeoutMs?: number; slot?: Pick<WorkSlot, 'pause' | 'resume'> }

/**
 * A stream of what `work` writes, at the speed of its reader. Returns when the first bytes are
 * written; throws what `work` threw before that. A later error destroys the stream, so that a part
 * is not taken for the whole.
 */
export async function streamFromWriter(
  work: (sink: Sink) => Promise<void>,
  closing: AbortSignal,
  { readerTimeoutMs = READER_TIMEOUT_MS, slot }: WriterOptions = {},
): Promise<Readable> {
  const begun = Promise.withResolvers<void>()
  let drained = Promise.withResolvers<void>()
  let shutdownTimer: NodeJS.Timeout | undefined
  let drainTimer: NodeJS.Timeout | undefined
  const onClosing = (): void => {
    shutdownTimer = setTimeout(
      () => stream.destroy(new Error('the process stops')),
      SHUTDOWN_GRACE_MS,
    )
    shutdownTimer.unref()
  }
  const stream = new Readable({
    highWaterMark: BUFFER_BYTES,
    read: () => drained.resolve(),
    destroy(error, done) {
      drained.resolve()
      clearTimeout(shutdownTimer)
      clearInterval(drainTimer)
      closing.removeEventListener('abort', onClosing)
      done(error)
    },
  })
  // Until the stream is sent there is no other error listener, and an error without one ends the
  // process.
  stream.on('error', () => {})
  if (closing.aborted) onClosing()
  else closing.addEventListener('abort', onClosing, { once: true })
  const giveUp = (): void => void stream.destroy(new Error('the reader stopped reading'))
  /** After the last write, gives up when the reader makes no progress. */
  const watchDrain = (): void => {
    let waiting = stream.readableLength
    drainTimer = setInterval(() => {
      if (stream.readableLength === waiting) giveUp()
      waiting = stream.readableLength
    }, readerTimeoutMs)
    drainTimer.unref()
  }
  async function write(chunk: Uint8Array): Promise<void> {
    assertOpen(stream)
    const hasCapacity = stream.push(chunk)
    begun.resolve()
    if (hasCapacity) return
    drained = Promise.withResolvers()
    const timer = setTimeout(giveUp, readerTimeoutMs)
    slot?.pause()
    await drained.promise
    clearTimeout(timer)
    assertOpen(stream)
    await slot?.resume()
  }
  work({ write }).then(
    () => {
      begun.resolve()
      if (stream.destroyed) return
      stream.push(null)
      watchDrain()
    },
    (error: Error) => {
      begun.reject(error)
      stream.destroy(error)
    },
  )
  await begun.promise
  return stream
}

function assertOpen(stream: Readable): void {
  if (stream.destroyed) throw stream.errored ?? new Error('the reader is gone')
}
