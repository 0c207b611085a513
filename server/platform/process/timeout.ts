/** The `code` of the error after a timeout. */
export const TIMEOUT_CODE = 'ETIMEDOUT'

/**
 * After the timeout the signal is aborted and an error with TIMEOUT_CODE is thrown, whether or not
 * `work` reacts to the signal.
 */
export async function withTimeout<T>(
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController()
  const timedOut = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    limit.abort()
    timedOut.reject(Object.assign(new Error('no response in time'), { code: TIMEOUT_CODE }))
  }, timeoutMs)
  try {
    const result = work(limit.signal)
    result.catch(() => {})
    return await Promise.race([result, timedOut.promise])
  } finally {
    clearTimeout(timer)
  }
}
