/**
 * What the conformance suite needs from a carrier: the adapter, and behind it a stub that records
 * what it sold and fails on command.
 */
import type { Signature } from '#contract/label-options.ts'
import type { TrackingStatus } from '#contract/tracking.ts'
import type { Attempt, Carrier } from '#server/carriers/port.ts'
import type { StubRequest } from '#tests/support/carriers/stub-server.ts'
import type { TestDatabase } from '#tests/support/database.ts'
import type { PublishedContract } from '#tests/support/published-contracts.ts'

/**
 * How the carrier behaves until the next change:
 * - fine: as published; a void is confirmed at once, a label file is ready at once
 * - resets-before, resets-after: the connection breaks, before or after the sale
 * - error-after: sold, then a 500; page-after: sold, then a 502 with an HTML page
 * - cut-after: sold, truncated JSON; nonsense-after: sold, and a 200 of another shape
 * - late: sold, and the response comes after the timeout
 * - refuses: the address is refused, with a reason that repeats the caller's secrets
 * - busy: 429 with Retry-After to purchases; nothing is sold
 * - no-funds, wrong-key: the operator's account has a problem; the response repeats the caller's
 * secrets
 * - away: nothing listens at its address
 * - void-submitted: sells, and voids stay pending until the next fine behavior; void-refused:
 * sells, and refuses voids; void-lost: sells and voids, but the void's response is lost; void-busy:
 * sells, 429 to voids
 * - form-late: a SCAN form is made by the next fine behavior; form-refused: refuses it; form-lost:
 * makes it, but its response is lost
 * - label-late: sells, and the label file is not ready; label-strange: an HTML page instead of the
 * file
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
  | 'form-late'
  | 'form-refused'
  | 'form-lost'
  | 'label-late'
  | 'label-strange'

/** A label in the carrier's own books. `cents`: what it took for it. */
export type SoldLabel = { trackingNumber: string; cents: number; isVoided: boolean }

export type AskedOptions = { signature: Signature; saturday: boolean }

export type OpenedSubject = {
  /** The carrier on a day of this kind, with the same books as on all others. */
  withBehavior(day: CarrierBehavior): Carrier
  /** What was really sold for an attempt, by the carrier's own books. */
  soldFor(attempt: Attempt): Promise<SoldLabel[]>
  /** Moves a parcel, where the carrier says where parcels are. */
  moveParcel?(trackingNumber: string, status: TrackingStatus): void
  /** How many SCAN forms have this label, by the carrier's own books. */
  formsWith(trackingNumber: string): Promise<number>
  /** What was asked for with an attempt's label; absent where the carrier's books have none of it. */
  optionsOf?(attempt: Attempt): AskedOptions
  /** The requests that came, and what is published of them; absent for a carrier without HTTP. */
  wire?: { asked: readonly StubRequest[]; contracts: readonly PublishedContract[] }
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
