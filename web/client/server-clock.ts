/** The server's time, for moments that the server names: the clock of this device may be wrong by hours. */

/** A smaller difference is the way of the answer, and its date in whole seconds. */
const LEAST_DIFFERENCE_MS = 10_000

let aheadMs = 0

/** Learns from an answer to a request that was made at `sentAt` (ms). One that came late, as after a sleep of the device, says nothing. */
export function learnServerTime({ headers }: Response, sentAt: number): void {
  const now = Date.now()
  const difference = Date.parse(headers.get('date') ?? '') - now
  if (Number.isNaN(difference) || Math.abs(now - sentAt) >= LEAST_DIFFERENCE_MS) return
  aheadMs = Math.abs(difference) < LEAST_DIFFERENCE_MS ? 0 : difference
}

/** In ms since 1970. */
export const serverNow = (): number => Date.now() + aheadMs
