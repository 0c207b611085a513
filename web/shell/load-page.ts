/** Pages come in chunks of their own (routes.tsx). Here is how they are fetched. */

/** Long enough for a server to start again; what is gone for good, because of a new release, is said soon enough. */
const RETRY_DELAYS_MS = [500, 1_500, 4_000]

/**
 * Fetches a chunk and tries again where it cannot be had: without a network once there is one, else after each pause (ms).
 * Throws the last reason.
 */
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
  return load()
}

const waitForNetwork = (): Promise<unknown> | void => {
  if (navigator.onLine === false)
    return new Promise(done => addEventListener('online', done, { once: true }))
}

/** Fetches what will be wanted when the first page stands, so that going there needs neither time nor a network. */
export function prefetch(loads: Iterable<() => Promise<unknown>>): () => void {
  const timer = setTimeout(() => {
    for (const load of loads) load().catch(() => null) // the page asks again when it is gone to, and says what is wrong
  }, PREFETCH_DELAY_MS)
  return () => clearTimeout(timer)
}
const PREFETCH_DELAY_MS = 2_000
