import { dollars, usd } from '#contract/money.ts'
import type { Deposit, Invoice } from '#contract/payments.ts'
import {
  checkInvoice,
  creditDeposit,
  depositsInReview,
  dismissDeposit,
  listDeposits,
  paymentWebhook,
  recentDeposits,
  reverseDeposit,
  topUp as topUpCall,
} from '#contract/payments.ts'
import { bytesOf } from '#server/platform/http.ts'
import type { Door } from '#server/platform/http.ts'
import type { Inbox } from './inbox.ts'
import { creditAfterReview, dismissReview, inReview, reverseAfterReview } from './review.ts'
import { netOf, noteOf } from './rules.ts'
import type { KnownInvoice, Payments } from './service.ts'
import { checkInvoiceNow, depositsOf, topUp } from './service.ts'
import type { InvoiceRow } from './store.ts'
import { SIGNATURE_HEADER } from './webhook.ts'

export function paymentRoutes(door: Door, payments: Payments): void {
  door.answer(topUpCall, async ({ params }) =>
    invoiceWire(await topUp(payments, Number(params.userId))),
  )

  door.answer(listDeposits, async ({ params, query }) => {
    const status = query.filter === 'all' ? null : query.filter
    const { rows, total } = await depositsOf(
      payments,
      Number(params.userId),
      status,
      query.page,
      query.limit,
    )
    return { deposits: rows.map(depositWire), totalCount: total }
  })

  door.answer(recentDeposits, async ({ params, query, reply }) => {
    const { rows, total } = await depositsOf(payments, Number(params.userId), null, 1, query.limit)
    reply.header('x-total-count', String(total))
    return rows.map(depositWire)
  })

  door.answer(checkInvoice, async ({ params, caller }) =>
    invoiceWire(await checkInvoiceNow(payments, caller, params.id)),
  )

  door.answer(depositsInReview, async ({ query }) => {
    const { rows, total } = await inReview(payments, query.page, query.limit)
    return {
      totalCount: total,
      deposits: rows.map(row => ({
        ...depositWire(row),
        userId: String(row.userId),
        userName: row.userName,
        userEmail: row.userEmail,
        creditable: dollars(row.creditable),
        owed: dollars(row.owed),
        takeable: dollars(row.takeable),
      })),
    }
  })

  door.answer(creditDeposit, async ({ params, caller }) => {
    const row = await creditAfterReview(payments, caller, params.id)
    return {
      ok: true as const,
      message: `${usd(netOf(row))} of this deposit is credited now`,
      deposit: depositWire(row),
    }
  })

  door.answer(reverseDeposit, async ({ params, caller }) => {
    const { row, taken, owed } = await reverseAfterReview(payments, caller, params.id)
    const rest = owed > 0 ? `; ${usd(owed)} stays owed, the balance had no more` : ''
    return {
      ok: true as const,
      message: `${usd(taken)} was taken back${rest}`,
      deposit: depositWire(row),
    }
  })

  door.answer(dismissDeposit, async ({ params, body, caller }) => {
    const row = await dismissReview(payments, caller, params.id, body.reason)
    return { ok: true as const, message: 'The deposit was laid aside', deposit: depositWire(row) }
  })
}

/** The door for the payment service's messages. */
export function webhookRoutes(door: Door, inbox: Inbox): void {
  door.answer(paymentWebhook, async ({ params, request }) => {
    const signature = request.headers[SIGNATURE_HEADER]
    await inbox.receive(
      params.provider,
      bytesOf(request),
      typeof signature === 'string' ? signature : undefined,
    )
    return { ok: true }
  })
}

const seconds = (moment: Date): number => Math.floor(moment.getTime() / 1000)

/** An invoice as the wire has it; the sandbox's calls answer with it too. */
export const invoiceWire = (row: KnownInvoice): Invoice => ({
  id: row.externalId,
  status: row.status,
  amount: dollars(row.paid),
  note: noteOf(row),
  createdTime: seconds(row.createdAt),
  expirationTime: seconds(row.expiresAt),
  checkoutLink: row.checkoutLink,
})

const depositWire = (row: InvoiceRow): Deposit => ({
  _id: String(row.id),
  invoiceId: row.externalId ?? '',
  amount: dollars(row.paid),
  createdTime: seconds(row.createdAt),
  status: row.status,
  note: noteOf(row),
})
