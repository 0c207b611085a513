import { dollars, fromDollars, usd } from '#contract/money.ts'
import type { Deposit, Invoice } from '#contract/payments.ts'
import {
  checkInvoice,
  creditDeposit,
  listDepositsInReview,
  dismissDeposit,
  listDeposits,
  paymentWebhook,
  recentDeposits,
  reverseDeposit,
  topUp,
} from '#contract/payments.ts'
import { bodyBytes } from '#server/platform/http/body-parsers.ts'
import { pagesOf } from '#server/platform/http/long-answers.ts'
import type { LongAnswers } from '#server/platform/http/long-answers.ts'
import type { Router } from '#server/platform/http/router.ts'
import {
  creditAfterReview,
  depositsInReview,
  dismissReview,
  findIdsInReview,
  reverseAfterReview,
} from './review.ts'
import type { ReviewItem } from './review.ts'
import { netCredited, depositNote } from './rules.ts'
import type { IssuedInvoice, PaymentsContext } from './service.ts'
import { checkInvoiceNow, depositIdsOf, depositsByIds, getTopUpInvoice } from './service.ts'
import type { InvoiceRow } from './store.ts'
import type { WebhookInbox } from './webhook-inbox.ts'
import { SIGNATURE_HEADER } from './webhook.ts'

export function registerPaymentRoutes(
  router: Router,
  payments: PaymentsContext,
  answers: LongAnswers,
): void {
  router.handle(topUp, async ({ params, query }) => {
    const requested = query.amount === undefined ? null : fromDollars(query.amount)
    return invoiceWire(await getTopUpInvoice(payments, Number(params.userId), requested))
  })

  router.handle(listDeposits, async request => {
    const { page, limit, filter } = request.query
    const status = filter === 'all' ? null : filter
    const userId = Number(request.params.userId)
    const { ids, total } = await depositIdsOf(payments, userId, status, page, limit)
    return answers.list(listDeposits, request, {
      count: ids.length,
      pages: pagesOf(ids, some => depositsByIds(payments, some)),
      listName: 'deposits',
      wrap: rows => ({ deposits: rows.map(depositWire), totalCount: total }),
    })
  })

  router.handle(recentDeposits, async ({ params, query, reply }) => {
    const { ids, total } = await depositIdsOf(payments, Number(params.userId), null, 1, query.limit)
    reply.header('x-total-count', String(total))
    return (await depositsByIds(payments, ids)).map(depositWire)
  })

  router.handle(checkInvoice, async ({ params, caller }) =>
    invoiceWire(await checkInvoiceNow(payments, caller, params.id)),
  )

  router.handle(listDepositsInReview, async request => {
    const { page, limit } = request.query
    const { ids, total } = await findIdsInReview(payments, page, limit)
    return answers.list(listDepositsInReview, request, {
      count: ids.length,
      pages: pagesOf(ids, some => depositsInReview(payments, some)),
      listName: 'deposits',
      wrap: rows => ({ totalCount: total, deposits: rows.map(reviewWire) }),
    })
  })

  router.handle(creditDeposit, async ({ params, caller }) => {
    const row = await creditAfterReview(payments, caller, params.id)
    return {
      ok: true as const,
      message: `${usd(netCredited(row))} of this deposit is now credited`,
      deposit: depositWire(row),
    }
  })

  router.handle(reverseDeposit, async ({ params, caller }) => {
    const { row, taken, owed } = await reverseAfterReview(payments, caller, params.id)
    const rest = owed > 0 ? `; ${usd(owed)} stays owed because the balance was too low` : ''
    return {
      ok: true as const,
      message: `${usd(taken)} was reversed${rest}`,
      deposit: depositWire(row),
    }
  })

  router.handle(dismissDeposit, async ({ params, body, caller }) => {
    const row = await dismissReview(payments, caller, params.id, body.reason, body.seen)
    return { ok: true as const, message: 'The deposit was dismissed', deposit: depositWire(row) }
  })
}

export function registerWebhookRoutes(router: Router, inbox: WebhookInbox): void {
  router.handle(paymentWebhook, async ({ params, request }) => {
    const signature = request.headers[SIGNATURE_HEADER]
    await inbox.receive(
      params.provider,
      bodyBytes(request),
      typeof signature === 'string' ? signature : undefined,
    )
    return { ok: true }
  })
}

const seconds = (moment: Date): number => Math.floor(moment.getTime() / 1000)

export const invoiceWire = (row: IssuedInvoice): Invoice => ({
  id: row.externalId,
  number: String(row.id),
  status: row.status,
  amount: dollars(row.paid),
  credited: dollars(netCredited(row)),
  requested: row.requested === null ? null : dollars(row.requested),
  note: depositNote(row),
  createdTime: seconds(row.createdAt),
  expirationTime: seconds(row.expiresAt),
  checkoutLink: row.checkoutLink,
})

const reviewWire = (row: ReviewItem) => ({
  ...depositWire(row),
  userId: String(row.userId),
  userName: row.userName,
  userEmail: row.userEmail,
  creditable: dollars(row.creditable),
  owed: dollars(row.owed),
  takeable: dollars(row.takeable),
  seen: row.seen,
})

const depositWire = (row: InvoiceRow & { isUserDeleted?: boolean }): Deposit => ({
  _id: String(row.id),
  invoiceId: row.externalId ?? '',
  amount: dollars(row.paid),
  credited: dollars(netCredited(row)),
  requested: row.requested === null ? null : dollars(row.requested),
  createdTime: seconds(row.createdAt),
  status: row.status,
  note: depositNote(row),
})
