/**
 * Stops purchases while a carrier does not answer; otherwise a whole queue would become unknown and
 * need look-ups. One label at a time probes the carrier. Look-ups continue, and after an answer of one
 * the next probe is due at once.
 */

const MAX_SILENT_IN_A_ROW = 20
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 15_000

/** Times in ms of a monotonic clock. */
export type CircuitBreaker = {
  /** Labels that may be claimed now: Infinity, 1 as a probe, or 0. */
  allowance(now: number): number
  /** How long (ms) no label may be claimed; 0 while the carrier answers or a probe is due. */
  pauseMs(now: number): number
  /** Returns whether the queue was waiting. */
  recordAnswer(now: number): boolean
  /** Returns whether the queue waits from now on. */
  recordSilence(calledAt: number, now: number): boolean
  /** Ends the wait for the next probe. The queue waits until a probe has its answer. */
  probeNow(): void
}

export function createCircuitBreaker(): CircuitBreaker {
  let answeredAt = -Infinity
  let silence = 0
  let pauseMs = 0
  let waitsUntil = -Infinity
  const waits = (): boolean => silence >= MAX_SILENT_IN_A_ROW
  return {
    allowance: now => (waits() ? Number(now >= waitsUntil) : Infinity),
    pauseMs: now => (waits() ? Math.max(0, waitsUntil - now) : 0),
    recordAnswer(now) {
      const waited = waits()
      answeredAt = now
      silence = 0
      waitsUntil = -Infinity
      pauseMs = 0
      return waited
    },
    recordSilence(calledAt, now) {
      // The carrier has answered a later call.
      if (calledAt <= answeredAt) return false
      const waited = waits()
      silence++
      if (!waits() || now < waitsUntil) return false
      pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, 2 * pauseMs))
      waitsUntil = now + pauseMs
      return !waited
    },
    probeNow() {
      waitsUntil = -Infinity
    },
  }
}
