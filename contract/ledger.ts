import * as z from 'zod'
import { call, DollarsOut, Id, Moment, PageQuery, UserParams } from './call.ts'

/** One movement of a wallet, signed from the customer's side; `balance` is what was there after it. */
export const StatementEntry = z.object({
  at: Moment, kind: z.string(), amount: DollarsOut, balance: DollarsOut,
  orderId: Id.optional(), batchId: Id.optional(), invoiceId: z.string().optional(), note: z.string().optional(),
})

export const statement = call({
  method: 'GET', path: '/api/wallet/:userId/statement', access: 'self', summary: 'Every movement of a balance, newest first',
  params: UserParams, query: PageQuery, answer: z.object({ entries: z.array(StatementEntry), totalCount: z.number() }),
})

export const invariants = call({
  method: 'GET', path: '/api/admin/invariants', access: 'admin', summary: 'Rows that break a rule of the books; empty when all is well',
  answer: z.object({ ok: z.boolean(), violations: z.array(z.object({ rule: z.string(), subject: z.string(), detail: z.string() })) }),
})
