/**
 * Responses of BTCPay Server. An unclear response throws InvalidResponseError, and no money moves.
 * Pure.
 */
import * as z from 'zod'
import { cents } from '#contract/money.ts'
import { INVOICE_STATUSES } from '#contract/payments.ts'
import type { AdditionalStatus, ProviderInvoice } from '#server/payments/port.ts'
import { floorToCents, parseDecimal, minus, ZERO_DECIMAL, plus, times } from './decimal.ts'
import type { Decimal } from './decimal.ts'
import type { BtcpayStore } from './request.ts'

/** The message is for the operator. */
export class InvalidResponseError extends Error {}

const UnixSeconds = z
  .number()
  .min(0)
  .max(1e11)
  .transform(seconds => new Date(seconds * 1000))
/** Amounts are text, since a double could not hold them. */
const DecimalAmount = z.string().transform((text, context) => {
  const read = parseDecimal(text)
  if (read) return read
  context.issues.push({ code: 'custom', message: 'is no decimal', input: text })
  return z.NEVER
})

/** `paidAmount` exists since 2.1.2. */
const BtcpayInvoice = z.object({
  id: z.string().regex(/^[\w-]{1,100}$/),
  storeId: z.string(),
  currency: z.string(),
  checkoutLink: z.string(),
  createdTime: UnixSeconds,
  expirationTime: UnixSeconds,
  status: z.enum(INVOICE_STATUSES),
  additionalStatus: z.string().nullish(),
  paidAmount: DecimalAmount.nullish(),
  metadata: z.object({ orderId: z.string().nullish() }).nullish(),
})
type BtcpayInvoice = z.output<typeof BtcpayInvoice>

/** Only payments that count must be complete: a currency without payments may lack a rate. */
const CountedPayment = z.object({
  value: DecimalAmount,
  fee: DecimalAmount.nullish(),
  status: z.enum(['Settled', 'Processing']),
  // No credit depends on it, so a response without it is valid.
  receivedDate: UnixSeconds.nullish().catch(null),
})
const UncountedPayment = z
  .object({ status: z.string().refine(status => status !== 'Settled' && status !== 'Processing') })
  .transform(({ status }) => ({ value: ZERO_DECIMAL, fee: null, status, receivedDate: null }))
const PaymentMethods = z.array(
  z.union([
    z.object({
      rate: DecimalAmount,
      payments: z.array(z.union([CountedPayment, UncountedPayment])),
    }),
    z
      .object({ payments: z.array(UncountedPayment).nullish() })
      .transform(({ payments }) => ({ rate: ZERO_DECIMAL, payments: payments ?? [] })),
  ]),
)

const ADDITIONAL_STATUSES: readonly string[] = [
  'None',
  'PaidLate',
  'PaidPartial',
  'Marked',
  'PaidOver',
  'Invalid',
] satisfies AdditionalStatus[]
/**
 * An unknown value counts as 'None': a settled invoice credits its confirmed amount, any other
 * nothing.
 */
const toAdditionalStatus = (text: string | null | undefined): AdditionalStatus =>
  ADDITIONAL_STATUSES.includes(text ?? '') ? (text as AdditionalStatus) : 'None'

function parseResponse<S extends z.ZodType>(
  shape: S,
  response: unknown,
  what: string,
): z.output<S> {
  const { success, data, error } = shape.safeParse(response)
  if (success) return data
  const [issue] = error.issues
  throw new InvalidResponseError(
    `${what}: ${issue!.path.join('.') || 'the response'} ${issue!.message}`,
  )
}

/**
 * An invoice without its payments. Throws InvalidResponseError for another store or currency, or an
 * unknown status.
 */
export function parseInvoice(
  store: Pick<BtcpayStore, 'storeId'>,
  response: unknown,
): BtcpayInvoice {
  const invoice = parseResponse(BtcpayInvoice, response, 'the invoice')
  if (invoice.storeId !== store.storeId)
    throw new InvalidResponseError(`invoice ${invoice.id} is of the store ${invoice.storeId}`)
  if (invoice.currency !== 'USD')
    throw new InvalidResponseError(`invoice ${invoice.id} is in ${invoice.currency}`)
  return invoice
}

export function newestInvoice(
  store: Pick<BtcpayStore, 'storeId'>,
  response: unknown,
  reference: string,
): BtcpayInvoice | null {
  const found = parseResponse(z.array(z.unknown()), response, 'the list of invoices')
    .map(one => parseInvoice(store, one))
    .filter(invoice => invoice.metadata?.orderId === reference)
  return found.toSorted((a, b) => b.createdTime.getTime() - a.createdTime.getTime())[0] ?? null
}

/** True also if the response does not tell. */
export const hasPayments = ({ paidAmount }: BtcpayInvoice): boolean =>
  !paidAmount || paidAmount.units !== 0n

/** `methods`: the response about its payments; [] without any. */
export function toProviderInvoice(invoice: BtcpayInvoice, methods: unknown): ProviderInvoice {
  const { all, confirmed, confirmedCount, unconfirmed } = sumPayments(
    parseResponse(PaymentMethods, methods, `the payments of invoice ${invoice.id}`),
  )
  const sums = { paid: floorToCents(invoice.paidAmount ?? all), confirmed: floorToCents(confirmed) }
  if (sums.paid === null || sums.confirmed === null)
    throw new InvalidResponseError(`invoice ${invoice.id} has an impossible amount`)
  // BTCPay rounds the payments in `paidAmount` one by one. Confirmed money is paid money, and a cent more for each payment is no
  // further payment while none is unconfirmed. Any more is a payment that the response does not list.
  const isRounded = unconfirmed.length === 0 && sums.paid - sums.confirmed <= confirmedCount
  return {
    id: invoice.id,
    reference: invoice.metadata?.orderId ?? '',
    status: invoice.status,
    additionalStatus: toAdditionalStatus(invoice.additionalStatus),
    paid: isRounded ? sums.confirmed : cents(Math.max(sums.paid, sums.confirmed)),
    confirmed: sums.confirmed,
    unconfirmedSince: oldest(unconfirmed, invoice.createdTime),
    createdAt: invoice.createdTime,
    expiresAt: invoice.expirationTime,
    checkoutLink: invoice.checkoutLink,
  }
}

/** A payment without its time counts from the invoice's creation. */
const oldest = (times: readonly (Date | null)[], createdAt: Date): Date | null =>
  times.length === 0
    ? null
    : new Date(Math.min(...times.map(time => (time ?? createdAt).getTime())))

/** Dollars net of fees; invalid payments count nowhere. `unconfirmed`: when each of those arrived. */
function sumPayments(methods: z.output<typeof PaymentMethods>): {
  all: Decimal
  confirmed: Decimal
  confirmedCount: number
  unconfirmed: (Date | null)[]
} {
  let [all, confirmed, confirmedCount] = [ZERO_DECIMAL, ZERO_DECIMAL, 0]
  const unconfirmed: (Date | null)[] = []
  for (const { rate, payments } of methods) {
    for (const { value, fee, status, receivedDate } of payments) {
      const worth = times(minus(value, fee ?? ZERO_DECIMAL), rate)
      if (status === 'Settled') {
        confirmed = plus(confirmed, worth)
        confirmedCount++
      }
      if (status === 'Settled' || status === 'Processing') all = plus(all, worth)
      if (status === 'Processing') unconfirmed.push(receivedDate ?? null)
    }
  }
  return { all, confirmed, confirmedCount, unconfirmed }
}
