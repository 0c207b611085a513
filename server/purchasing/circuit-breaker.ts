/**
 * When to stop asking a carrier to buy. One that is away would turn a whole queue into labels of unknown outcome, each of which must
 * be looked up before it is tried again; so after some silence in a row the queue waits, and one label at a time finds out whether
 * the carrier is back. Looking up is never stopped: an answer there is a sign of life too.
 */

/** Tries in a row without an answer until the queue waits; fewer are an unlucky moment. */
const MAX_SILENT_IN_A_ROW = 20
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 15_000

/** Times are in ms of a clock that only goes forward. */
export type CircuitBreaker = {
  /** How many labels may be taken now: any number, one to try, or none. */
  allowance(now: number): number
  /** The carrier has answered, whatever it said. Returns whether the queue was waiting. */
  recordAnswer(now: number): boolean
  /** A try that began at `askedAt` had no answer. Returns whether the queue waits from now on. */
  recordSilence(askedAt: number, now: number): boolean
}

export function createCircuitBreaker(): CircuitBreaker {
  let heardAt = -Infinity
  let silence = 0
  let pauseMs = 0
  let waitsUntil = -Infinity
  const waits = (): boolean => silence >= MAX_SILENT_IN_A_ROW
  return {
    allowance: now => (waits() ? Number(now >= waitsUntil) : Infinity),
    recordAnswer(now) {
      const waited = waits()
      heardAt = now
      silence = 0
      waitsUntil = -Infinity
      pauseMs = 0
      return waited
    },
    recordSilence(askedAt, now) {
      // Somebody was answered after this one had asked: it says nothing about the carrier.
      if (askedAt <= heardAt) return false
      const waited = waits()
      silence++
      if (!waits() || now < waitsUntil) return false
      pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, 2 * pauseMs))
      waitsUntil = now + pauseMs
      return !waited
    },
  }
}
