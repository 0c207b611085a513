/** A wallet's movements in words, the same on the screen and in the exported file. */

/** What moves a balance. A capture moves what was held already and is none of them. */
export const MOVEMENT_KINDS = [
  'deposit',
  'hold',
  'release',
  'refund',
  'adjust_up',
  'adjust_down',
  'reversal',
] as const
export type MovementKind = (typeof MOVEMENT_KINDS)[number]

/** What a statement can be narrowed to; an adjustment is one thing to its reader, whichever way it went, and so is a deposit. */
export const STATEMENT_FILTERS = [
  'all',
  'deposit',
  'hold',
  'release',
  'refund',
  'adjustment',
] as const
export type StatementFilter = (typeof STATEMENT_FILTERS)[number]

/** The kinds behind a filter. */
export function movementKindsFor(filter: StatementFilter): readonly MovementKind[] {
  if (filter === 'all') return MOVEMENT_KINDS
  if (filter === 'deposit') return ['deposit', 'reversal']
  return filter === 'adjustment' ? ['adjust_up', 'adjust_down'] : [filter]
}

/** `round` counts the submissions of a bulk order and the tries of a label, from 1. */
type Movement = { kind: MovementKind; batchId?: unknown; round?: number | null | undefined }

/** Why the balance moved: 'Held for a bulk order'. What it was about (label, bulk order, invoice) and its note stand beside it. */
export function movementText({ kind, batchId, round }: Movement): string {
  switch (kind) {
    case 'deposit':
      return 'Deposit'
    case 'reversal':
      return 'Deposit taken back: the payment did not stay'
    case 'hold':
      if (!batchId) return 'Held for a label'
      return round && round > 1 ? 'Held to retry failed labels' : 'Held for a bulk order'
    case 'release':
      return 'Released: the label was not bought'
    case 'refund':
      return 'Refund for a voided label'
    case 'adjust_up':
    case 'adjust_down':
      return 'Adjustment by support'
  }
}
