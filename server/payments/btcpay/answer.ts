/** What BTCPay Server answers, as the house understands it. What it cannot mean is never guessed: `Nonsense`, and no money moves. Pure. */
import * as z from 'zod'
import { cents } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import { INVOICE_STATUSES } from '#contract/payments.ts'
import type { AdditionalStatus, ProviderInvoice } from '#server/payments/port.ts'
import { centsOf, decimal, minus, NOTHING, plus, times } from './decimal.ts'
import type { Decimal } from './decimal.ts'
import type { Store } from './request.ts'

/** An answer that cannot be right; the text is for the operator. */
export class Nonsense extends Error {}

const Seconds = z
  .number()
  .min(0)
  .max(1e11)
  .transform(seconds => new Date(seconds * 1000))
/** Money is text, so that nobody reads it as a double. */
const Amount = z.string().transform((text, told) => {
  const read = decimal(text)
  if (read) return read
  told.issues.push({ code: 'custom', message: 'is no decimal', input: text })
  return z.NEVER
})

/** `paidAmount` is said since 2.1.2. */
const Invoice = z.object({
  id: z.string().regex(/^[\w-]{1,100}$/),
  storeId: z.string(),
  currency: z.string(),
  checkoutLink: z.string(),
  createdTime: Seconds,
  expirationTime: Seconds,
  status: z.enum(INVOICE_STATUSES),
  additionalStatus: z.string().nullish(),
  paidAmount: Amount.nullish(),
  metadata: z.object({ orderId: z.string().nullish() }).nullish(),
})
type Invoice = z.output<typeof Invoice>

/** Payments that count, and nothing else, must be understood: a kind of coin that nobody paid with may lack a rate. */
const Counted = z.object({
  value: Amount,
  fee: Amount.nullish(),
  status: z.enum(['Settled', 'Processing']),
})
const Uncounted = z
  .object({ status: z.string().refine(status => status !== 'Settled' && status !== 'Processing') })
  .transform(({ status }) => ({ value: NOTHING, fee: null, status }))
const Payments = z.array(
  z.union([
    z.object({ rate: Amount, payments: z.array(z.union([Counted, Uncounted])) }),
    z
      .object({ payments: z.array(Uncounted).nullish() })
      .transform(({ payments }) => ({ rate: NOTHING, payments: payments ?? [] })),
  ]),
)

const ADDITIONAL: readonly string[] = [
  'None',
  'PaidLate',
  'PaidPartial',
  'Marked',
  'PaidOver',
  'Invalid',
] satisfies AdditionalStatus[]
/** One that we do not know yet is none: then what is confirmed is credited of a settled invoice, and of any other nothing. */
const additionalOf = (text: string | null | undefined): AdditionalStatus =>
  ADDITIONAL.includes(text ?? '') ? (text as AdditionalStatus) : 'None'

function understood<S extends z.ZodType>(shape: S, answer: unknown, what: string): z.output<S> {
  const { success, data, error } = shape.safeParse(answer)
  if (success) return data
  const [issue] = error.issues
  throw new Nonsense(`${what}: ${issue!.path.join('.') || 'the answer'} ${issue!.message}`)
}

/** An invoice without its payments. Throws Nonsense when it is of another store or currency, or has a state that we do not know. */
export function invoiceOf(store: Pick<Store, 'storeId'>, answer: unknown): Invoice {
  const invoice = understood(Invoice, answer, 'the invoice')
  if (invoice.storeId !== store.storeId)
    throw new Nonsense(`invoice ${invoice.id} is of the store ${invoice.storeId}`)
  if (invoice.currency !== 'USD')
    throw new Nonsense(`invoice ${invoice.id} is in ${invoice.currency}`)
  return invoice
}

/** The newest of the invoices with this reference; null when there is none. */
export function newestOf(
  store: Pick<Store, 'storeId'>,
  answer: unknown,
  reference: string,
): Invoice | null {
  const found = understood(z.array(z.unknown()), answer, 'the list of invoices')
    .map(one => invoiceOf(store, one))
    .filter(invoice => invoice.metadata?.orderId === reference)
  return found.toSorted((a, b) => b.createdTime.getTime() - a.createdTime.getTime())[0] ?? null
}

/** Whether its payments have to be read: when it has any, or does not say. */
export const hasPayments = ({ paidAmount }: Invoice): boolean =>
  !paidAmount || paidAmount.units !== 0n

/** An invoice as the house knows it. `methods`: the answer about its payments, where there are any. */
export function providerInvoice(invoice: Invoice, methods: unknown): ProviderInvoice {
  const { all, confirmed } = sumsOf(
    understood(Payments, methods, `the payments of invoice ${invoice.id}`),
  )
  const sums = { paid: centsOf(invoice.paidAmount ?? all), confirmed: centsOf(confirmed) }
  if (sums.paid === null || sums.confirmed === null)
    throw new Nonsense(`invoice ${invoice.id} was paid with more than there is`)
  return {
    id: invoice.id,
    reference: invoice.metadata?.orderId ?? '',
    status: invoice.status,
    additionalStatus: additionalOf(invoice.additionalStatus),
    // Both are rounded down, the one by BTCPay in its own way: what is confirmed has been paid.
    paid: larger(sums.paid, sums.confirmed),
    confirmed: sums.confirmed,
    createdAt: invoice.createdTime,
    expiresAt: invoice.expirationTime,
    checkoutLink: invoice.checkoutLink,
  }
}

const larger = (a: Cents, b: Cents): Cents => cents(Math.max(a, b))

/** What was paid in dollars, net of what each payment costs; a payment that became invalid counts nowhere. */
function sumsOf(methods: z.output<typeof Payments>): { all: Decimal; confirmed: Decimal } {
  let [all, confirmed] = [NOTHING, NOTHING]
  for (const { rate, payments } of methods) {
    for (const { value, fee, status } of payments) {
      const worth = times(minus(value, fee ?? NOTHING), rate)
      if (status === 'Settled') confirmed = plus(confirmed, worth)
      if (status === 'Settled' || status === 'Processing') all = plus(all, worth)
    }
  }
  return { all, confirmed }
}
