/**
 * What the conformance suite needs from a carrier: the adapter, and behind it a stub that records
 * what it sold and fails on command.
 */
import type { Signature } from '#contract/label-options.ts'
import type { TrackingStatus } from '#contract/tracking.ts'
import type { Attempt, Carrier } from '#server/carriers/port.ts'
import type { CarrierBehavior } from '#tests/support/carriers/behavior.ts'
import type { StubRequest } from '#tests/support/carriers/stub-server.ts'
import type { TestDatabase } from '#tests/support/database.ts'
import type { PublishedContract } from '#tests/support/published-contracts.ts'

/** A label in the carrier's own books. `cents`: what it took for it. */
export type SoldLabel = { trackingNumber: string; cents: number; isVoided: boolean }

export type AskedOptions = { signature: Signature; saturday: boolean }

export type OpenedSubject = {
  /** The carrier with this behavior; all share its records. */
  withBehavior(behavior: CarrierBehavior): Carrier
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
  /** Keys and tokens that must be in no response, error or log. */
  secrets: string[]
  close(): Promise<void>
}

export type ConformanceSubject = {
  name: string
  /** Behaviors that this carrier cannot have, each with the reason. */
  unsupported: Partial<Record<CarrierBehavior, string>>
  /** `database`: migrated, for notes and for carriers that keep their books there. */
  open(database: TestDatabase): Promise<OpenedSubject>
}
