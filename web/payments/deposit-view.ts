/** What of an open or ended invoice and the form is on the deposit page. Pure. */
import type { Invoice } from '#contract/payments.ts'

/**
 * Why the form is kept beside an open invoice: its user asked for another amount, or had begun to fill it in before any
 * invoice was known.
 */
export type FormInUse = { since: 'invoice'; id: string } | { since: 'before' }

export const isFormInUse = (inUse: FormInUse | null, { id }: Pick<Invoice, 'id'>): boolean =>
  inUse !== null && (inUse.since === 'before' || inUse.id === id)

export type DepositView = { hasPayment: boolean; hasForm: boolean }

/**
 * An invoice that waits for its payment is in the place of the form, unless the form is in use. Of one that was paid or has
 * ended the steps are shown, and the form, so that there is always a button to pay with.
 */
export function depositView(
  invoice: Pick<Invoice, 'id' | 'status'> | undefined,
  inUse: FormInUse | null,
): DepositView {
  if (!invoice) return { hasPayment: false, hasForm: true }
  if (invoice.status !== 'New') return { hasPayment: true, hasForm: true }
  const isInUse = isFormInUse(inUse, invoice)
  return { hasPayment: !isInUse, hasForm: isInUse }
}
