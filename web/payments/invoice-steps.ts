/** The steps of an invoice from the request to the balance. Pure. */
import type { Invoice } from '#contract/payments.ts'
import type { StepState } from '#web/ui/StepRail.tsx'

/** Waiting for the payment, seen, confirmed. */
type InvoiceSteps = readonly [waiting: StepState, seen: StepState, confirmed: StepState]

/** `stopped` is the step at which an expired or invalid invoice ended. */
export function invoiceSteps({ status, amount }: Pick<Invoice, 'status' | 'amount'>): InvoiceSteps {
  switch (status) {
    case 'New':
      return ['current', 'ahead', 'ahead']
    case 'Processing':
      return ['done', 'current', 'ahead']
    case 'Settled':
      return ['done', 'done', 'done']
    case 'Expired':
    case 'Invalid':
      return amount > 0 ? ['done', 'done', 'stopped'] : ['stopped', 'ahead', 'ahead']
  }
}

/** The checkout page of an unpaid invoice whose dialog could not be loaded (`withoutDialog`: its id); else null. */
export const checkoutPage = (
  { id, status, checkoutLink }: Pick<Invoice, 'id' | 'status' | 'checkoutLink'>,
  withoutDialog: string | null,
): string | null => (id === withoutDialog && status === 'New' ? checkoutLink : null)

/** '14:05' until a moment; '0:00' from then on. Both in ms. */
export function remainingText(untilMs: number, nowMs: number): string {
  const seconds = Math.max(0, Math.round((untilMs - nowMs) / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
