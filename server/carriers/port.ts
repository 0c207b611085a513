/**
 * The interface to a carrier. Each adapter is a folder, the sandbox included. Adapters know nothing
 * of orders or money. We cannot undo a purchase, so every result says how certain it is
 * (docs/requirements.md#orders). Calls with a `signal` may throw or be late. Of a failure `message` is
 * for the seller, `code` for the operator; `permanent`: refused, `retryable`: certainly nothing
 * happened, `unknown`: it may have happened.
 */
import type { Signature } from '#contract/label-options.ts'
import type { Cents } from '#contract/money.ts'
import type { TrackingStatus } from '#contract/tracking.ts'

/** An address as it is stored with an order and given to the carrier. `email`: of a receiver, for us alone. */
export type StoredAddress = {
  name: string
  company: string
  phone: string
  street1: string
  street2: string
  city: string
  state: string
  zip: string
  country: string
  email?: string
}

/** Inches, pounds; quantity and references are only printed. */
export type StoredPackage = {
  length: number
  width: number
  height: number
  weight: number
  description: string
  quantity: string
  sku: string
}

/**
 * Order id and round. The same attempt always returns the same label. `mayBeKnown`: an earlier call of it may have reached
 * the carrier.
 */
export type Attempt = { reference: string; round: number; mayBeKnown?: true }

export const attemptKey = (attempt: Attempt): string => `${attempt.reference}:${attempt.round}`

/**
 * Inches and pounds. `maxCost` (cents): a carrier that tells its price before it sells refuses to
 * buy above it; null or absent without a limit. `signature` and `saturday`: asked for only where
 * `Carrier.options` has them.
 */
export type Shipment = {
  serviceUid: string
  sender: StoredAddress
  receiver: StoredAddress
  package: StoredPackage
  maxCost?: Cents | null
  signature?: Signature
  saturday?: boolean
}

/** What the carrier can do with a service. `adult`: the signature of a person of 21 or older. */
export type CarrierOptions = { signature: boolean; adult: boolean; saturday: boolean }

/** 4 x 6 inches; ZPL is for 203 dpi. */
export type CarrierLabelFormat = 'pdf' | 'png' | 'zpl'

/** The format asked for with a purchase; the carrier may deliver a PNG instead (isOfFormat). */
export const PURCHASED_FORMAT = 'pdf'

export const LABEL_MIME = {
  pdf: 'application/pdf',
  png: 'image/png',
  zpl: 'application/zpl',
} as const satisfies Record<CarrierLabelFormat, string>

export type LabelMime = (typeof LABEL_MIME)[CarrierLabelFormat]

/** A label file as the carrier delivered it. */
export type CarrierLabel = { mime: LabelMime; bytes: Uint8Array }

/** A carrier may deliver a PNG with the purchase: it becomes a page like any PDF. */
export const isOfFormat = ({ mime }: CarrierLabel, format: CarrierLabelFormat): boolean =>
  mime === LABEL_MIME[format] || (format === PURCHASED_FORMAT && mime === LABEL_MIME.png)

/**
 * `label`: if the response contained it; otherwise it is fetched. `isVoided`: a void was requested
 * before, which a restored database may not know; `void` then reports its state. `costCents`: null
 * if the carrier did not report it.
 */
export type Purchase = {
  trackingNumber: string
  costCents: Cents | null
  label?: CarrierLabel
  isVoided?: boolean
}

/** `account`: a problem of the operator's account, not of the label. */
export type FailureKind = 'permanent' | 'retryable' | 'unknown' | 'account'

/**
 * `retryAfterMs`: if the carrier named a time. `costCents`: the carrier's price, where it is the reason. `isUncertain`: of an account
 * problem without the carrier's own words. A proxy may have sent it in place of the answer to a sale,
 * so only the same account may be asked again.
 */
export type CarrierFailure = {
  ok: false
  kind: FailureKind
  code: string
  message: string
  retryAfterMs?: number
  costCents?: Cents
  isUncertain?: true
}
export type PurchaseResult = { ok: true; purchase: Purchase } | CarrierFailure

export type PurchaseLookupResult =
  | { found: 'purchased'; purchase: Purchase }
  | { found: 'not_purchased' }
  | { found: 'unknown' }

/** A purchased label, as needed to void, print or track it. */
export type PurchasedLabel = { attempt: Attempt; trackingNumber: string }

/**
 * `not_yet`: still being made. `gone`: not available, or not in this format. `message` is for the
 * operator.
 */
export type LabelFileResult =
  | { kind: 'label'; label: CarrierLabel }
  | { kind: 'not_yet' | 'gone'; code: string; message: string; retryAfterMs?: number }

/** One scan or message of a carrier. `place`: city and state, '' if not reported. */
export type TrackingEvent = { at: Date; status: TrackingStatus; text: string; place: string }

/**
 * `at`: time of the carrier's newest event; `detail`: its text. `events`: newest last.
 * `expectedDay`: yyyy-mm-dd at the receiver's place. `nextCheckMs`: when the next answer is likely
 * to differ, where the carrier knows.
 */
export type TrackingResult = {
  status: TrackingStatus
  detail: string | null
  at: Date | null
  events?: TrackingEvent[]
  expectedDay?: string | null
  nextCheckMs?: number
}

/** As received: the bytes, and its headers in lower case. */
export type CarrierMessage = {
  body: Uint8Array
  headers: Readonly<Record<string, string | string[] | undefined>>
}
/** `unsigned`: not from the carrier. `other`: about something that is not followed. */
export type CarrierMessageResult =
  | { kind: 'parcel'; trackingNumber: string }
  | { kind: 'unsigned' | 'other' }

/** Calls per minute, and how many of them at once after a pause. */
export type RateLimit = { perMinute: number; burst: number }

/** `isUnanswered`: an earlier request to void the label had no answer, so it may be voided. */
export type VoidRequest = PurchasedLabel & { isUnanswered?: boolean }

/**
 * Result of a void. `voided`: confirmed, now or before. `submitted`: pending; request again later.
 * `isStillValid`: after refusing, the carrier showed the label as not voided; without it a refusal
 * proves nothing if an earlier request had no answer.
 */
export type CarrierVoidResult =
  | { kind: 'voided' | 'submitted' }
  | {
      kind: 'permanent' | 'retryable' | 'unknown'
      code: string
      message: string
      retryAfterMs?: number
      isStillValid?: true
    }

/**
 * A SCAN form to make. `name`: ours, the same each time. `day`: when the parcels are mailed
 * ('2026-11-22', US Eastern time).
 */
export type ScanFormRequest = {
  name: string
  sender: StoredAddress
  day: string
  labels: readonly PurchasedLabel[]
}

/**
 * `ref`: what the carrier calls the form. `files`: PDFs; `drawn` by us, `not_yet` delivered, or
 * `gone`.
 */
export type MadeScanForm = {
  kind: 'made'
  ref: string
  files: readonly Uint8Array[] | 'drawn' | 'not_yet' | 'gone'
}

/** `pending`: being made; look it up. */
export type ScanFormResult =
  | MadeScanForm
  | { kind: 'pending'; ref: string }
  | {
      kind: 'permanent' | 'retryable' | 'unknown'
      code: string
      message: string
      retryAfterMs?: number
    }

/** `not_made`: the carrier has no form with these labels. */
export type ScanFormLookupResult = ScanFormResult | { kind: 'not_made' }

export type ScanForms = {
  /** The most labels of one form. */
  maxLabels: number
  /** 'Not made' counts so long (ms) after the request. */
  quarantineMs: number
  make(request: ScanFormRequest, signal: AbortSignal): Promise<ScanFormResult>
  /** Null where no call tells whether a form was made. `ref`: if one was told. */
  lookup:
    | ((
        request: ScanFormRequest,
        ref: string | null,
        signal: AbortSignal,
      ) => Promise<ScanFormLookupResult>)
    | null
  /** The most calls of a look-up; one without it. */
  lookupCalls?: (labels: number) => number
}

/** `costCents`: what the carrier charges for the shipment now. Nothing is bought. */
export type QuoteResult = { ok: true; costCents: Cents } | CarrierFailure

export type CarrierService = { uid: string; name: string; category: string; maxWeight: number }

export type Carrier = {
  name: string
  /** The account that pays and has the rate limit; contains no secret. */
  account: string
  /** Null: unlimited. */
  rateLimit: RateLimit | null
  /** Carrier calls per label, its file included. */
  callsPerLabel: number
  /** Carrier calls of a void that is accepted. Absent: one. */
  callsPerVoid?: number
  /** How long (ms) after the purchase a label can be voided; null without a limit. */
  voidWindowMs: number | null
  /** Days until a void that the carrier has accepted is decided. Absent: usually at once. */
  voidDecisionDays?: number
  /**
   * `key`: an attempt may be repeated. `two-step`: the shipment has an id before money moves.
   * `lookup`: only a lookup tells, and 'not purchased' counts `quarantineMs` after the attempt.
   */
  idempotency: 'key' | 'two-step' | 'lookup'
  quarantineMs: number
  /** All labels of a test account may have the same tracking number. */
  repeatsNumbers?: true
  services(): Promise<CarrierService[]>
  /** Absent for a carrier without signatures and Saturday delivery. */
  options?: (serviceUid: string) => CarrierOptions
  /** `signal` ends when the caller stops waiting; callPurchase turns what is thrown or late into 'unknown'. */
  purchase(attempt: Attempt, shipment: Shipment, signal: AbortSignal): Promise<PurchaseResult>
  lookup(attempt: Attempt, signal: AbortSignal): Promise<PurchaseLookupResult>
  /**
   * False if a lookup never reports `isVoided` or uses up a reprint: purchased labels are then not
   * checked.
   */
  lookupReportsVoids?: false
  /** Absent for a carrier that tells no price before it sells. */
  quote?: (shipment: Shipment, signal: AbortSignal) => Promise<QuoteResult>
  /** Repeatable: voids, or reports the state. */
  void(request: VoidRequest, signal: AbortSignal): Promise<CarrierVoidResult>
  /** What `fetchLabel` can be asked for; empty for a carrier whose labels we draw. */
  labelFormats: readonly CarrierLabelFormat[]
  /** Null for a carrier whose labels we draw. */
  fetchLabel:
    | ((
        purchase: PurchasedLabel,
        format: CarrierLabelFormat,
        signal: AbortSignal,
      ) => Promise<LabelFileResult>)
    | null
  /** Null for a carrier without tracking. */
  track: ((purchase: PurchasedLabel, signal: AbortSignal) => Promise<TrackingResult>) | null
  /**
   * How long (ms) after the purchase a parcel is first looked up, null for never; six hours by
   * default.
   */
  firstTrackMs?: (receiver: StoredAddress) => number | null
  /** Absent for a carrier without SCAN forms. */
  scanForms?: ScanForms
  /** Reads a message that the carrier sent by itself; absent where it sends none. May throw. */
  readMessage?: (message: CarrierMessage) => Promise<CarrierMessageResult>
  /** The operator's balance; null if not reported. May throw. */
  balance(signal: AbortSignal): Promise<Cents | null>
}
