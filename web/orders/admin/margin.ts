import type { AdminOrder } from '#contract/orders-admin.ts'

/** Earnings in dollars. Only a bought label earns; null if unknown. */
export const marginOf = ({
  state,
  price,
  cost,
}: Pick<AdminOrder, 'state' | 'price' | 'cost'>): number | null =>
  state === 'purchased' && cost !== null ? Math.round((price - cost) * 100) / 100 : null
