import { TRACKING_STATUSES } from '#contract/tracking.ts'
import { TIMEOUT_CODE, withTimeout } from '#server/platform/process/timeout.ts'
import type {
  Attempt,
  PurchasedLabel,
  Carrier,
  ScanFormLookupResult,
  ScanFormRequest,
  ScanFormResult,
  ScanForms,
  CarrierLabelFormat,
  FailureKind,
  PurchaseLookupResult,
  LabelFileResult,
  PurchaseResult,
  QuoteResult,
  Purchase,
  Shipment,
  TrackingEvent,
  TrackingResult,
  CarrierVoidResult,
  VoidRequest,
} from './port.ts'
import { INVALID_RESPONSE } from './wire/failures.ts'

/**
 * Purchases and never throws. A late, broken or invalid response is an unknown result: the label
 * may have been purchased.
 */
export async function callPurchase(
  carrier: Carrier,
  attempt: Attempt,
  shipment: Shipment,
  timeoutMs: number,
): Promise<PurchaseResult> {
  try {
    const outcome = await withTimeout(timeoutMs, signal =>
      carrier.purchase(attempt, shipment, signal),
    )
    return isValidResult(outcome) ? withPlainText(outcome) : INVALID_RESPONSE
  } catch (error) {
    return { ok: false, kind: 'unknown', ...failureReason(error) }
  }
}

/**
 * Voids and never throws. Without a response the label may have been voided; the call may be
 * repeated.
 */
export async function callVoid(
  carrier: Carrier,
  request: VoidRequest,
  timeoutMs: number,
): Promise<CarrierVoidResult> {
  try {
    const response = await withTimeout(timeoutMs, signal => carrier.void(request, signal))
    return VOID_RESULT_KINDS.has(response?.kind) ? withPlainText(response) : INVALID_RESPONSE
  } catch (error) {
    return { kind: 'unknown', ...failureReason(error) }
  }
}

/** Never throws. Only for carriers that tell a price before they sell; nothing is bought. */
export async function callQuote(
  carrier: Carrier,
  shipment: Shipment,
  timeoutMs: number,
): Promise<QuoteResult> {
  try {
    const quote = await withTimeout(timeoutMs, signal => carrier.quote!(shipment, signal))
    const isClear =
      quote?.ok === true
        ? Number.isSafeInteger(quote.costCents) && quote.costCents >= 0
        : quote?.ok === false && FAILURE_KINDS.has(quote.kind)
    return isClear ? withPlainText(quote) : { ...INVALID_RESPONSE, kind: 'retryable' }
  } catch (error) {
    return { ok: false, kind: 'retryable', ...failureReason(error) }
  }
}

/** Looks up an attempt and never throws; every error leaves it unknown. */
export async function callLookup(
  carrier: Carrier,
  attempt: Attempt,
  timeoutMs: number,
): Promise<PurchaseLookupResult> {
  try {
    const found = await withTimeout(timeoutMs, signal => carrier.lookup(attempt, signal))
    const isClear =
      found?.found === 'not_purchased'
      || (found?.found === 'purchased' && isValidPurchase(found.purchase))
    return isClear ? found : { found: 'unknown' }
  } catch {
    return { found: 'unknown' }
  }
}

/**
 * Fetches a label file and never throws; every error means that it has not arrived. Only for
 * carriers that make labels.
 */
export async function callFetchLabel(
  carrier: Carrier,
  purchase: PurchasedLabel,
  format: CarrierLabelFormat,
  timeoutMs: number,
): Promise<LabelFileResult> {
  try {
    const response = await withTimeout(timeoutMs, signal =>
      carrier.fetchLabel!(purchase, format, signal),
    )
    if (response?.kind === 'gone' || response?.kind === 'not_yet') return withPlainText(response)
    return response?.kind === 'label' && response.label?.bytes instanceof Uint8Array
      ? response
      : { ...INVALID_RESPONSE, kind: 'not_yet' }
  } catch (error) {
    return { kind: 'not_yet', ...failureReason(error) }
  }
}

/**
 * Returns null if the carrier did not answer; never throws. Only for carriers that track parcels.
 */
export async function callTrack(
  carrier: Carrier,
  purchase: PurchasedLabel,
  timeoutMs: number,
): Promise<TrackingResult | null> {
  try {
    const { status, detail, at, events, expectedDay, nextCheckMs } = await withTimeout(
      timeoutMs,
      signal => carrier.track!(purchase, signal),
    )
    if (!TRACKING_STATUSES.includes(status)) return null
    return {
      status,
      detail: detail ? plainText(detail) : null,
      at: at && isStorableTime(at) ? at : null,
      ...(events && { events: events.filter(isValidEvent).map(plainEvent) }),
      ...(expectedDay && isStorableTime(new Date(expectedDay)) && { expectedDay }),
      ...(nextCheckMs !== undefined && nextCheckMs > 0 && { nextCheckMs }),
    }
  } catch {
    return null
  }
}

/** Before 2000 or after 2100 a carrier's clock is wrong. */
const isStorableTime = (at: Date): boolean =>
  at.getUTCFullYear() >= 2000 && at.getUTCFullYear() < 2100
const isValidEvent = ({ at, status }: TrackingEvent): boolean =>
  isStorableTime(at) && TRACKING_STATUSES.includes(status)
const plainEvent = (event: TrackingEvent): TrackingEvent => ({
  ...event,
  text: plainText(event.text).trim(),
  place: plainText(event.place).trim(),
})

/** Never throws. Without a clear response the form may have been made. */
export async function callMakeScanForm(
  forms: ScanForms,
  request: ScanFormRequest,
  timeoutMs: number,
): Promise<ScanFormResult> {
  try {
    const result = await withTimeout(timeoutMs, signal => forms.make(request, signal))
    return isClearScanForm(result) ? withPlainText(result) : INVALID_RESPONSE
  } catch (error) {
    return { kind: 'unknown', ...failureReason(error) }
  }
}

/** Never throws; every error leaves it unknown. Only for carriers that tell. */
export async function callLookUpScanForm(
  forms: ScanForms,
  request: ScanFormRequest,
  ref: string | null,
  timeoutMs: number,
): Promise<ScanFormLookupResult> {
  try {
    const result = await withTimeout(timeoutMs, signal => forms.lookup!(request, ref, signal))
    return result?.kind === 'not_made' || isClearScanForm(result)
      ? withPlainText(result)
      : INVALID_RESPONSE
  } catch (error) {
    return { kind: 'unknown', ...failureReason(error) }
  }
}

const SCAN_FORM_FAILURES = new Set(['permanent', 'retryable', 'unknown'])
const isClearScanForm = (result: ScanFormLookupResult | undefined): boolean =>
  result?.kind === 'made' || result?.kind === 'pending'
    ? typeof result.ref === 'string' && result.ref !== '' && !/\p{Cc}/u.test(result.ref)
    : SCAN_FORM_FAILURES.has(result?.kind ?? '')

const MAX_TEXT_LENGTH = 300
const plainText = (text: string): string => text.replace(/\p{Cc}+/gu, ' ').slice(0, MAX_TEXT_LENGTH)

/** The same result without NUL, which PostgreSQL cannot store in text. */
function withPlainText<A extends object>(response: A): A {
  const { code, message } = response as { code?: unknown; message?: unknown }
  return {
    ...response,
    ...(code !== undefined && { code: plainText(String(code)) }),
    ...(message !== undefined && { message: plainText(String(message)) }),
  }
}

/** Checked at run time too, because money follows from it. */
const isValidResult = (outcome: PurchaseResult | undefined): boolean =>
  outcome?.ok === true
    ? isValidPurchase(outcome.purchase)
    : outcome?.ok === false && FAILURE_KINDS.has(outcome.kind)
const isValidPurchase = (purchase: Purchase | undefined): boolean =>
  typeof purchase?.trackingNumber === 'string'
  && TRACKING_NUMBER.test(purchase.trackingNumber)
  && (purchase.costCents === null
    || (Number.isSafeInteger(purchase.costCents) && purchase.costCents >= 0))
/** Spaces may group its digits. */
const TRACKING_NUMBER = /^[A-Za-z0-9](?:[A-Za-z0-9 -]{0,98}[A-Za-z0-9])?$/
const FAILURE_KINDS = new Set<FailureKind>(['permanent', 'retryable', 'unknown', 'account'])
const VOID_RESULT_KINDS = new Set<CarrierVoidResult['kind']>([
  'voided',
  'submitted',
  'permanent',
  'retryable',
  'unknown',
])

function failureReason(error: unknown): { code: string; message: string } {
  const code = (error as { code?: unknown } | null)?.code
  return {
    code: typeof code === 'string' ? code : 'NO_ANSWER',
    message:
      code === TIMEOUT_CODE
        ? 'The carrier did not answer in time'
        : 'The connection to the carrier broke',
  }
}
