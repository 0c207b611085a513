import { performance } from 'node:perf_hooks'
import type { Carrier, ScanForms } from '#server/carriers/port.ts'
import { defineHistogram, SLOW_BUCKETS } from '#server/platform/process/meter.ts'
import type { Meter, Metric } from '#server/platform/process/meter.ts'

const CARRIER_CALL_SECONDS = defineHistogram(
  'carrier_call_seconds',
  'Calls to carriers, by account, action and outcome',
  SLOW_BUCKETS,
  ['account', 'act', 'outcome'],
)
export const CARRIER_METRICS: Metric[] = [CARRIER_CALL_SECONDS]

type MeasureCall = <A>(
  act: string,
  signal: AbortSignal,
  call: () => Promise<A>,
  outcomeOf: (result: A) => string,
) => Promise<A>

/** Measures a call until its result or until the caller stops waiting, whichever is first. */
const timedWith =
  (meter: Meter, account: string): MeasureCall =>
  async (act, signal, call, outcomeOf) => {
    const began = performance.now()
    let isRecorded = false
    const record = (outcome: string): void => {
      if (!isRecorded)
        meter.observe(CARRIER_CALL_SECONDS, (performance.now() - began) / 1000, {
          account,
          act,
          outcome,
        })
      isRecorded = true
    }
    const onAbort = (): void => record('too_late')
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      const result = await call()
      record(outcomeOf(result))
      return result
    } catch (error) {
      record('broken')
      throw error
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

/** The same carrier, with duration and outcome of each call measured; unchanged without a meter. */
export function withMetrics(carrier: Carrier, meter: Meter | undefined, account: string): Carrier {
  if (!meter) return carrier
  const timed = timedWith(meter, account)
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
    ...(carrier.scanForms && { scanForms: timedScanForms(carrier.scanForms, timed) }),
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

const timedScanForms = (forms: ScanForms, timed: MeasureCall): ScanForms => ({
  ...forms,
  make: (request, signal) =>
    timed(
      'make_scan_form',
      signal,
      () => forms.make(request, signal),
      ({ kind }) => kind,
    ),
  lookup:
    forms.lookup
    && ((request, ref, signal) =>
      timed(
        'look_up_scan_form',
        signal,
        () => forms.lookup!(request, ref, signal),
        ({ kind }) => kind,
      )),
})
