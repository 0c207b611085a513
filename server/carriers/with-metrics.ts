import { performance } from 'node:perf_hooks'
import { histogram, SLOW_BUCKETS } from '#server/platform/process/meter.ts'
import type { Meter, Metric } from '#server/platform/process/meter.ts'
import type { Carrier } from './port.ts'

const CARRIER_CALL_SECONDS = histogram(
  'carrier_call_seconds',
  'Calls to the carrier, by action and outcome',
  SLOW_BUCKETS,
  ['act', 'outcome'],
)
export const CARRIER_METRICS: Metric[] = [CARRIER_CALL_SECONDS]

/** The same carrier, with the duration and outcome of each call measured. Without a meter it is returned unchanged. */
export function withMetrics(carrier: Carrier, meter: Meter | undefined): Carrier {
  if (!meter) return carrier
  const timed = async <A>(
    act: string,
    signal: AbortSignal,
    asked: () => Promise<A>,
    outcomeOf: (response: A) => string,
  ): Promise<A> => {
    const began = performance.now()
    let isTold = false
    const tell = (outcome: string): void => {
      if (!isTold)
        meter.observe(CARRIER_CALL_SECONDS, (performance.now() - began) / 1000, { act, outcome })
      isTold = true
    }
    // The caller has stopped waiting: the result is unused.
    const gone = (): void => tell('too_late')
    signal.addEventListener('abort', gone, { once: true })
    try {
      const response = await asked()
      tell(outcomeOf(response))
      return response
    } catch (error) {
      tell('broken')
      throw error
    } finally {
      signal.removeEventListener('abort', gone)
    }
  }
  return {
    ...carrier,
    purchase: (attempt, shipment, signal) =>
      timed(
        'buy',
        signal,
        () => carrier.purchase(attempt, shipment, signal),
        outcome => (outcome.ok ? 'bought' : outcome.kind),
      ),
    lookup: (attempt, signal) =>
      timed(
        'look_up',
        signal,
        () => carrier.lookup(attempt, signal),
        ({ found }) => found,
      ),
    void: (purchase, signal) =>
      timed(
        'void',
        signal,
        () => carrier.void(purchase, signal),
        ({ kind }) => kind,
      ),
    fetchLabel:
      carrier.fetchLabel
      && ((purchase, format, signal) =>
        timed(
          'fetch_label',
          signal,
          () => carrier.fetchLabel!(purchase, format, signal),
          ({ kind }) => kind,
        )),
    track:
      carrier.track
      && ((purchase, signal) =>
        timed(
          'track',
          signal,
          () => carrier.track!(purchase, signal),
          ({ status }) => status,
        )),
  }
}
