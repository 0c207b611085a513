/**
 * What the conformance suite asks of whoever brings a carrier to it. One subject a carrier: the adapter, and behind it something that
 * keeps books of what it really sold and misbehaves when it is told to.
 */
import type { TrackingStatus } from '#contract/tracking.ts'
import type { Attempt, Carrier } from '#server/carriers/port.ts'
import type { TestDatabase } from '#tests/support/database.ts'

/**
 * A kind of day at the carrier: how it treats everything it is asked until the next day begins.
 * - fine: as published; a void is confirmed at once, a label's file is there at once
 * - resets-before, resets-after: the connection breaks, before or after the label is sold
 * - error-after: sold, then a 500; page-after: sold, then a 502 with a page of HTML
 * - cut-after: sold, and the JSON breaks off; nonsense-after: sold, and a 200 of another shape
 * - late: sold, and the answer comes when nobody waits any more
 * - refuses: the address is refused for good, with a reason in which the caller's secrets are repeated
 * - busy: 429 with Retry-After to whoever wants to buy; nothing is sold
 * - no-funds, wrong-key: the operator's account has a problem; the answer repeats the caller's secrets
 * - away: nobody listens at its address
 * - void-submitted: it sells, and thinks about voids until the next fine day; void-refused: it sells, and refuses voids;
 *   void-lost: it sells and voids, but the answer to a void is lost; void-busy: it sells, and has no time for voids (429)
 * - label-late: it sells, and the label's file is not made yet; label-strange: a page of HTML comes instead of it
 */
export type CarrierBehavior =
  | 'fine'
  | 'resets-before'
  | 'resets-after'
  | 'error-after'
  | 'page-after'
  | 'cut-after'
  | 'nonsense-after'
  | 'late'
  | 'refuses'
  | 'busy'
  | 'no-funds'
  | 'wrong-key'
  | 'away'
  | 'void-submitted'
  | 'void-refused'
  | 'void-lost'
  | 'void-busy'
  | 'label-late'
  | 'label-strange'

/** A label in the carrier's own books. `cents`: what it took for it. */
export type SoldLabel = { trackingNumber: string; cents: number; isVoided: boolean }

export type OpenedSubject = {
  /** The carrier on a day of this kind, with the same books as on all others. */
  withBehavior(day: CarrierBehavior): Carrier
  /** What was really sold for an attempt, by the carrier's own books. */
  soldFor(attempt: Attempt): Promise<SoldLabel[]>
  /** Moves a parcel, where the carrier says where parcels are. */
  moveParcel?(trackingNumber: string, status: TrackingStatus): void
  /** What must stand in no answer, error or log: keys, tokens. */
  secrets: string[]
  close(): Promise<void>
}

export type ConformanceSubject = {
  name: string
  /** Days that this carrier cannot have, each with the reason. */
  unsupported: Partial<Record<CarrierBehavior, string>>
  /** `database`: migrated, for notes and for carriers that keep their books there. */
  open(database: TestDatabase): Promise<OpenedSubject>
}
