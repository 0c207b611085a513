/** Rejects with the signal's reason as soon as it is aborted, however long `waiting` takes. */
export function unlessAborted<T>(waiting: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return waiting
  const aborted = Promise.withResolvers<never>()
  const abort = () => aborted.reject(signal.reason)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  return Promise.race([aborted.promise, waiting]).finally(() =>
    signal.removeEventListener('abort', abort),
  )
}
