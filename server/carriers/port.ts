/**
 * What we ask of a carrier. One adapter a folder; the sandbox is one of them. An adapter knows nothing of orders or money.
 * A purchase cannot be undone by us, so every answer says how sure it is (facts: failure kinds).
 */
import type { Cents } from '#contract/money.ts'
import type { TrackingStatus } from '#contract/tracking.ts'
import type { StoredAddress, StoredPackage } from '#server/platform/database/tables.ts'

/** One attempt to buy: order id and round. The same attempt always means the same label, however often it is asked. */
export type Attempt = { reference: string; round: number }

export const attemptKey = (attempt: Attempt): string => `${attempt.reference}:${attempt.round}`

/** Inches and pounds. */
export type Shipment = {
  serviceUid: string
  sender: StoredAddress
  receiver: StoredAddress
  package: StoredPackage
}

/** A label as a carrier made it. It is kept as it came: nothing of it is drawn anew. */
export type CarrierLabel = { mime: 'application/pdf' | 'image/png'; bytes: Uint8Array }

/**
 * `label` where the answer to the purchase brought it; otherwise it is fetched. `isVoided`: somebody has asked for its money back since,
 * which a database that was restored from a backup may have forgotten. The void is asked for again, and `void` says how far it has come.
 * `costCents`: null where the carrier has not said what it took; the label is sold all the same.
 */
export type Purchase = {
  trackingNumber: string
  costCents: Cents | null
  label?: CarrierLabel
  isVoided?: boolean
}

/**
 * `permanent`: the carrier refuses this label for good. `retryable`: certainly nothing happened, try later. `unknown`: it may
 * have been bought; ask before anything else. `account`: the operator's account has a problem, no label is to blame.
 */
export type FailureKind = 'permanent' | 'retryable' | 'unknown' | 'account'

/** `message` is for the seller; `code` for the operator. `retryAfterMs` where the carrier named a time. */
export type CarrierFailure = {
  ok: false
  kind: FailureKind
  code: string
  message: string
  retryAfterMs?: number
}
export type PurchaseResult = { ok: true; purchase: Purchase } | CarrierFailure

export type PurchaseLookupResult =
  | { found: 'purchased'; purchase: Purchase }
  | { found: 'not_purchased' }
  | { found: 'unknown' }

/** A label that was bought: what a carrier must be told to void it, to print it or to say where its parcel is. */
export type PurchasedLabel = { attempt: Attempt; trackingNumber: string }

/**
 * What a carrier gives when a label's file is asked for. `not_yet`: it is still being made. `gone`: it will never come again.
 * `message` is for the operator.
 */
export type LabelFileResult =
  | { kind: 'label'; label: CarrierLabel }
  | { kind: 'not_yet' | 'gone'; code: string; message: string; retryAfterMs?: number }

/** Where a parcel is; `at` is when the carrier saw it there, `detail` its own words. */
export type TrackingResult = { status: TrackingStatus; detail: string | null; at: Date | null }

/** How many questions a carrier account takes within any minute, and how many of these at once after a rest. */
export type RateLimit = { perMinute: number; burst: number }

/**
 * What became of the wish to void a label. `voided`: confirmed, now or before. `submitted`: the carrier thinks about it; ask again
 * later. `permanent`: refused for good. `retryable`: certainly nothing happened. `unknown`: it may have been voided.
 * `message` is for the seller; `code` for the operator. `retryAfterMs` where the carrier named a time.
 */
export type CarrierVoidResult =
  | { kind: 'voided' | 'submitted' }
  | {
      kind: 'permanent' | 'retryable' | 'unknown'
      code: string
      message: string
      retryAfterMs?: number
    }

export type CarrierService = { uid: string; name: string; category: string; maxWeight: number }

export type Carrier = {
  name: string
  /** The account at the carrier that pays and whose pace is counted, without anything secret in it. */
  account: string
  /** Null: as many questions as one likes. */
  rateLimit: RateLimit | null
  /** How many questions to the carrier one label costs, its file included. */
  callsPerLabel: number
  /** How long (ms) after its purchase a label can be voided; null where the carrier names no end. */
  voidWindowMs: number | null
  /**
   * `key`: repeating an attempt is safe. `two-step`: what is to be bought has an id before money moves. `lookup`: only a
   * question afterwards tells, and 'not purchased' is believed only `quarantineMs` after the attempt.
   */
  idempotency: 'key' | 'two-step' | 'lookup'
  quarantineMs: number
  services(): Promise<CarrierService[]>
  /** Buys. May throw or answer late: `ask` turns both into 'unknown'. `signal` ends when the caller stops waiting. */
  purchase(attempt: Attempt, shipment: Shipment, signal: AbortSignal): Promise<PurchaseResult>
  lookup(attempt: Attempt, signal: AbortSignal): Promise<PurchaseLookupResult>
  /** False where a look-up never says `isVoided`, or spends something of the label: bought labels are not asked about for it then. */
  lookupReportsVoids?: false
  /** Voids, or says what became of it: asking twice is safe. May throw or answer late, as `purchase` may. */
  void(purchase: PurchasedLabel, signal: AbortSignal): Promise<CarrierVoidResult>
  /** The label's file. Null for a carrier whose labels we draw ourselves. May throw or answer late. */
  fetchLabel: ((purchase: PurchasedLabel, signal: AbortSignal) => Promise<LabelFileResult>) | null
  /** Where the parcel is. Null for a carrier that does not say. May throw or answer late. */
  track: ((purchase: PurchasedLabel, signal: AbortSignal) => Promise<TrackingResult>) | null
  /** What the operator's account has left; null where the carrier does not say. May throw. */
  balance(signal: AbortSignal): Promise<Cents | null>
}
