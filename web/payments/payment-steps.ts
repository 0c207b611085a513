/** The steps of an invoice in words. Pure. */
import { usdFromDollars } from '#contract/money.ts'
import type { Invoice } from '#contract/payments.ts'
import type { StepState } from '#web/ui/StepRail.tsx'
import { invoiceSteps } from './invoice-steps.ts'
import { texts } from './texts.ts'

const t = texts.steps

type PaymentStep = { state: StepState; name: string; text: string | undefined }
type InvoiceState = Pick<Invoice, 'status' | 'amount' | 'credited'>

export function paymentSteps(invoice: InvoiceState): PaymentStep[] {
  const [waiting, seen, confirmed] = invoiceSteps(invoice)
  const paid = usdFromDollars(invoice.amount)
  return [
    {
      state: waiting,
      name:
        waiting !== 'stopped' ? t.waiting : invoice.status === 'Invalid' ? t.invalid : t.expired,
      text: waiting === 'stopped' ? t.expiredText : undefined,
    },
    {
      state: seen,
      name: t.seen,
      text: seen === 'current' ? t.unconfirmed : seen === 'done' ? t.received(paid) : undefined,
    },
    {
      state: confirmed,
      name: confirmed === 'stopped' ? t.invalid : t.confirmed,
      // A further payment may have arrived that is not confirmed yet.
      text:
        confirmed === 'done' && invoice.credited > 0
          ? t.inBalance(usdFromDollars(invoice.credited))
          : undefined,
    },
  ]
}

export function newestStepText(invoice: InvoiceState): string {
  const { name, text } = paymentSteps(invoice).findLast(({ state }) => state !== 'ahead')!
  return text === undefined ? `${name}.` : `${name}. ${text}.`
}
