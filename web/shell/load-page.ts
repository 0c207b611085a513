/** Loads the chunks of pages (routes.tsx). */

/** Long enough for a server restart. A chunk removed by a new release fails after 6 s. */
const RETRY_DELAYS_MS = [500, 1_500, 4_000]

/** Why a chunk can't be loaded: a release has removed it, or the connection failed. A reload helps. */
export class ChunkError extends Error {}

/** Loads a chunk and retries after each pause (ms), but not while offline. Throws ChunkError in the end. */
export async function importWithRetry<Chunk>(
  load: () => Promise<Chunk>,
  pauses: readonly number[] = RETRY_DELAYS_MS,
): Promise<Chunk> {
  for (const pause of pauses) {
    try {
      return await load()
    } catch {
      await waitForNetwork()
      await new Promise(done => setTimeout(done, pause))
    }
  }
  return load().catch((cause: unknown) => {
    throw new ChunkError('a chunk could not be loaded', { cause })
  })
}

const waitForNetwork = (): Promise<unknown> | void => {
  if (navigator.onLine === false)
    return new Promise(done => addEventListener('online', done, { once: true }))
}

/**
 * Loads chunks soon after the first page, so that later pages open at once, also offline; in a browser that is asked to save data only
 * with 'always'. Returns a function that cancels it.
 */
export function prefetch(
  loads: Iterable<() => Promise<unknown>>,
  when: 'always' | 'unless saving' = 'unless saving',
): () => void {
  // Chromium alone knows this setting.
  const { connection } = navigator as Navigator & { connection?: { saveData: boolean } }
  if (connection?.saveData && when !== 'always') return () => {}
  const timer = setTimeout(() => {
    for (const load of loads) load().catch(() => null) // opening the page loads it again and shows the error
  }, PREFETCH_DELAY_MS)
  return () => clearTimeout(timer)
}
const PREFETCH_DELAY_MS = 2_000
