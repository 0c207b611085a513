import { countText } from './format.ts'

/** Kinds of balance movements. A capture is none of them: it moves money that was held before. */
export const MOVEMENT_KINDS = [
  'deposit',
  'hold',
  'release',
  'refund',
  'adjust_up',
  'adjust_down',
  'reversal',
  'carrier_charge',
  'carrier_credit',
] as const
export type MovementKind = (typeof MOVEMENT_KINDS)[number]

/**
 * Filters of a statement; 'deposit' includes reversals, 'adjustment' and 'carrier' have both
 * directions.
 */
export const STATEMENT_FILTERS = [
  'all',
  'deposit',
  'hold',
  'release',
  'refund',
  'adjustment',
  'carrier',
] as const
export type StatementFilter = (typeof STATEMENT_FILTERS)[number]

export function movementKindsFor(filter: StatementFilter): readonly MovementKind[] {
  if (filter === 'all') return MOVEMENT_KINDS
  if (filter === 'deposit') return ['deposit', 'reversal']
  if (filter === 'carrier') return ['carrier_charge', 'carrier_credit']
  return filter === 'adjustment' ? ['adjust_up', 'adjust_down'] : [filter]
}

/** `round`: submission of a bulk order or attempt of a label, from 1. */
type Movement = {
  kind: MovementKind
  batchId?: unknown
  round?: number | null | undefined
  labels?: number | null | undefined
}

/** Why the balance moved ('Bulk order placed, 17 labels'), the same on the screen and in the export. */
export function movementText({ kind, batchId, round, labels }: Movement): string {
  switch (kind) {
    case 'deposit':
      return 'Deposit'
    case 'reversal':
      return 'Deposit reversed: the payment did not go through'
    case 'hold':
      if (!batchId) return 'Label ordered'
      if (round && round > 1) return 'Failed labels retried'
      return labels ? `Bulk order placed, ${countText(labels, 'label')}` : 'Bulk order placed'
    case 'release':
      return 'Returned: label not bought'
    case 'refund':
      return 'Refund for a voided label'
    case 'adjust_up':
    case 'adjust_down':
      return 'Adjustment by support'
    case 'carrier_charge':
      return 'Carrier adjustment'
    case 'carrier_credit':
      return 'Carrier credit'
  }
}
