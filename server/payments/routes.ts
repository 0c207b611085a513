import type { Deposit, Invoice } from '#contract/payments.ts'
import { checkInvoice, creditDeposit, depositsInReview, listDeposits, recentDeposits, topUp as topUpCall } from '#contract/payments.ts'
import { dollars, usd } from '#contract/money.ts'
import type { Door } from '#server/platform/http.ts'
import { creditable, noteOf } from './rules.ts'
import type { KnownInvoice, Payments } from './service.ts'
import { checkInvoiceNow, creditAfterReview, depositsOf, inReview, topUp } from './service.ts'
import type { InvoiceRow } from './store.ts'

export function paymentRoutes(door: Door, payments: Payments): void {
  door.answer(topUpCall, async ({ params }) => invoiceWire(await topUp(payments, Number(params.userId))))

  door.answer(listDeposits, async ({ params, query }) => {
    const status = query.filter === 'all' ? null : query.filter
    const { rows, total } = await depositsOf(payments, Number(params.userId), status, query.page, query.limit)
    return { deposits: rows.map(depositWire), totalCount: total }
  })

  door.answer(recentDeposits, async ({ params, query, reply }) => {
    const { rows, total } = await depositsOf(payments, Number(params.userId), null, 1, query.limit)
    reply.header('x-total-count', String(total))
    return rows.map(depositWire)
  })

  door.answer(checkInvoice, async ({ params, caller }) => invoiceWire(await checkInvoiceNow(payments, caller, params.id)))

  door.answer(depositsInReview, async ({ query }) => {
    const { rows, total } = await inReview(payments, query.page, query.limit)
    return {
      totalCount: total,
      deposits: rows.map(row => ({
        ...depositWire(row), userId: String(row.userId), userName: row.userName, userEmail: row.userEmail,
        creditable: dollars(creditable(row, row.credited)),
      })),
    }
  })

  door.answer(creditDeposit, async ({ params, caller }) => {
    const row = await creditAfterReview(payments, caller, params.id)
    return { ok: true as const, message: `${usd(row.credited)} of this deposit is credited now`, deposit: depositWire(row) }
  })
}

const seconds = (moment: Date): number => Math.floor(moment.getTime() / 1000)

/** An invoice as the wire has it; the sandbox's calls answer with it too. */
export const invoiceWire = (row: KnownInvoice): Invoice => ({
  id: row.externalId, status: row.status, amount: dollars(row.paid), note: noteOf(row, row.credited, row.needsReview),
  createdTime: seconds(row.createdAt), expirationTime: seconds(row.expiresAt), checkoutLink: row.checkoutLink,
})

const depositWire = (row: InvoiceRow): Deposit => ({
  _id: String(row.id), invoiceId: row.externalId ?? '', amount: dollars(row.paid), createdTime: seconds(row.createdAt), status: row.status,
  note: noteOf(row, row.credited, row.needsReview),
})
