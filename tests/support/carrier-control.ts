import type { Carrier, QuoteResult, ScanForms, Shipment } from '#server/carriers/port.ts'
import { attemptKey } from '#server/carriers/port.ts'
import { TIMEOUT_CODE } from '#server/platform/process/timeout.ts'

/** Far more than the sandbox needs on a busy machine, and less than half of a label's lease of 15 s. */
export const CARRIER_TIMEOUT_MS = '7000'

type CallKind = 'purchase' | 'lookup' | 'void' | 'balance' | 'scanForm' | 'quote'

/**
 * Decides when and whether a test's carrier responds, so that no test depends on two timers. A label for 'SANDBOX LATE' times out as
 * soon as it is sold: the real time-out is tested in tests/crash/carrier-faults.test.ts.
 */
export type CarrierControl = {
  /** While true, calls reach the carrier and their responses are lost: every outcome is unknown. */
  losesResponses: boolean
  /** While false, no look-up tells whether a SCAN form was made. */
  tellsScanForms: boolean
  /** The most labels of a SCAN form; null: as many as the carrier takes. */
  maxScanFormLabels: number | null
  /** What the carrier quotes for every parcel; null: its own prices. */
  quotes: QuoteResult | null
  /** Holds calls before they reach the carrier until the returned function is called. `only` chooses purchases by their shipment. */
  hold(kind: CallKind, only?: (shipment: Shipment) => boolean): () => void
  /** How many calls of a kind have begun. */
  begun: Record<CallKind, number>
  wrap(carrier: Carrier): Carrier
}

export function createCarrierControl(): CarrierControl {
  const holds = new Map<CallKind, { only: (shipment: Shipment) => boolean; end: Promise<void> }>()
  const lateAttempts = new Set<string>()
  const begun = { purchase: 0, lookup: 0, void: 0, balance: 0, scanForm: 0, quote: 0 }

  async function control<T>(
    kind: CallKind,
    call: () => Promise<T>,
    about: { shipment?: Shipment; isLate?: boolean } = {},
  ): Promise<T> {
    begun[kind]++
    const held = holds.get(kind)
    if (held && (!about.shipment || held.only(about.shipment))) await held.end
    const isLost = controls.losesResponses
    const response = await call()
    if (isLost) throw Object.assign(new Error('the response was lost'), { code: 'ECONNRESET' })
    if (about.isLate) throw Object.assign(new Error('no answer in time'), { code: TIMEOUT_CODE })
    return response
  }

  const controlledForms = (forms: ScanForms): ScanForms => ({
    ...forms,
    make: (request, signal) => control('scanForm', () => forms.make(request, signal)),
    get maxLabels() {
      return controls.maxScanFormLabels ?? forms.maxLabels
    },
    get lookup() {
      return controls.tellsScanForms ? forms.lookup : null
    },
  })

  const controls: CarrierControl = {
    losesResponses: false,
    tellsScanForms: true,
    maxScanFormLabels: null,
    quotes: null,
    begun,
    hold(kind, only = () => true) {
      const { promise, resolve } = Promise.withResolvers<void>()
      holds.set(kind, { only, end: promise })
      return () => {
        holds.delete(kind)
        resolve()
      }
    },
    wrap: carrier => ({
      ...carrier,
      purchase(attempt, shipment, signal) {
        const isLate = /sandbox late/i.test(shipment.receiver.street2)
        if (isLate) lateAttempts.add(attemptKey(attempt))
        return control(
          'purchase',
          () => carrier.purchase(attempt, shipment, isLate ? AbortSignal.abort() : signal),
          { shipment, isLate },
        )
      },
      lookup: (attempt, signal) => control('lookup', () => carrier.lookup(attempt, signal)),
      ...(carrier.quote && {
        quote: (shipment, signal) =>
          control('quote', async () => controls.quotes ?? carrier.quote!(shipment, signal), {
            shipment,
          }),
      }),
      balance: signal => control('balance', () => carrier.balance(signal)),
      ...(carrier.scanForms && { scanForms: controlledForms(carrier.scanForms) }),
      void(purchase, signal) {
        // The carrier is late for the first void of such a label only.
        const isLate = lateAttempts.delete(attemptKey(purchase.attempt))
        return control(
          'void',
          () => carrier.void(purchase, isLate ? AbortSignal.abort() : signal),
          { isLate },
        )
      },
    }),
  }
  return controls
}
