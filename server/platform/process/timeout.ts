/** The `code` of the error that stands for an answer that did not come in time. */
export const TIMEOUT_CODE = 'ETIMEDOUT'

/**
 * Gives `work` so many milliseconds; then its signal is aborted and the answer is an error with the code `TOO_LATE`, whether or
 * not the work heeds the signal. What it answers or throws after that is nobody's.
 */
export async function withTimeout<T>(
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const waiting = new AbortController()
  const tooLate = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    waiting.abort()
    tooLate.reject(Object.assign(new Error('no answer in time'), { code: TIMEOUT_CODE }))
  }, timeoutMs)
  try {
    const asked = work(waiting.signal)
    asked.catch(() => {})
    return await Promise.race([asked, tooLate.promise])
  } finally {
    clearTimeout(timer)
  }
}
