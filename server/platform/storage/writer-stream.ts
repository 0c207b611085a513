import { Readable } from 'node:stream'
import type { Sink } from './port.ts'

/** As much waits for the reader. */
const BUFFER_BYTES = 256 * 1024
/** A reader who takes nothing for so long has gone, whatever his connection says. */
const READER_TIMEOUT_MS = 60_000
/** How long a reader has to take the rest when the house closes. */
const SHUTDOWN_GRACE_MS = 5_000

/**
 * What `work` writes, as a stream: no more is written than its reader takes, and nothing more when he goes. Answers when the first bytes
 * are there, or when all is written; throws what `work` threw before that. What it throws later breaks the stream off, so that nobody
 * takes a part for the whole. `patienceMs`: a reader who takes nothing for so long has gone.
 */
export async function streamFromWriter(
  work: (sink: Sink) => Promise<void>,
  closing: AbortSignal,
  patienceMs = READER_TIMEOUT_MS,
): Promise<Readable> {
  const begun = Promise.withResolvers<void>()
  let taken = Promise.withResolvers<void>()
  let leaving: NodeJS.Timeout | undefined
  let watching: NodeJS.Timeout | undefined
  const leave = (): void => {
    leaving = setTimeout(() => stream.destroy(new Error('the house closes')), SHUTDOWN_GRACE_MS)
    leaving.unref()
  }
  const stream = new Readable({
    highWaterMark: BUFFER_BYTES,
    read: () => taken.resolve(),
    destroy(error, done) {
      taken.resolve()
      clearTimeout(leaving)
      clearInterval(watching)
      closing.removeEventListener('abort', leave)
      done(error)
    },
  })
  // Whoever sends it hears of its errors as well; until then nobody need be startled.
  stream.on('error', () => {})
  if (closing.aborted) leave()
  else closing.addEventListener('abort', leave, { once: true })

  const giveUp = (): void => void stream.destroy(new Error('nobody takes the file'))
  /** The last bytes wait for their reader when there is nothing more to write. */
  const watchTheRest = (): void => {
    let waiting = stream.readableLength
    watching = setInterval(() => {
      if (stream.readableLength === waiting) giveUp()
      waiting = stream.readableLength
    }, patienceMs)
    watching.unref()
  }

  async function write(chunk: Uint8Array): Promise<void> {
    if (stream.destroyed) throw stream.errored ?? new Error('its reader has gone')
    const isRoom = stream.push(chunk)
    begun.resolve()
    if (isRoom) return
    taken = Promise.withResolvers()
    const patience = setTimeout(giveUp, patienceMs)
    await taken.promise
    clearTimeout(patience)
    if (stream.destroyed) throw stream.errored ?? new Error('its reader has gone')
  }
  work({ write }).then(
    () => {
      begun.resolve()
      if (stream.destroyed) return
      stream.push(null)
      watchTheRest()
    },
    (error: Error) => {
      begun.reject(error)
      stream.destroy(error)
    },
  )
  await begun.promise
  return stream
}
