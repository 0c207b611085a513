/** The server's time: this device's clock may be wrong by hours. */

/** Answers take time, and their date has whole seconds. */
const LEAST_DIFFERENCE_MS = 10_000

let aheadMs = 0

/** `sentAt` in ms: an answer that took long, as over a sleep of the device, says nothing. */
export function learnServerTime({ headers }: Response, sentAt: number): void {
  const now = Date.now()
  const difference = Date.parse(headers.get('date') ?? '') - now
  if (Number.isNaN(difference) || Math.abs(now - sentAt) >= LEAST_DIFFERENCE_MS) return
  // Smaller changes would turn a clock on the page back.
  if (Math.abs(difference - aheadMs) >= LEAST_DIFFERENCE_MS) aheadMs = difference
}

/** In ms since 1970, of a moment by this device's clock. */
export const toServerTime = (deviceMs: number): number => deviceMs + aheadMs

export const serverNow = (): number => toServerTime(Date.now())
