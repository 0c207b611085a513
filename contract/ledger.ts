import * as z from 'zod'
import { defineEndpoint, DollarsOutput, Id, Moment, PageQuery, UserParams } from './endpoint.ts'
import { TrendQuery } from './trend.ts'
import { MOVEMENT_KINDS, STATEMENT_FILTERS } from './wallet-movements.ts'

/**
 * One movement of a wallet, signed from the customer's side; `balance` is what was there after it. `note`: the carrier's or the
 * administrator's words; `round`: which submission of a bulk order or try of a label it was, from 1.
 */
export const StatementEntry = z.object({
  at: Moment,
  kind: z.enum(MOVEMENT_KINDS),
  amount: DollarsOutput,
  balance: DollarsOutput,
  orderId: Id.optional(),
  batchId: Id.optional(),
  invoiceId: z.string().optional(),
  round: z.number().optional(),
  note: z.string().optional(),
})
export type StatementEntry = z.output<typeof StatementEntry>

export const statement = defineEndpoint({
  method: 'GET',
  path: '/api/wallet/:userId/statement',
  access: 'self',
  summary:
    'Every movement of a balance, newest first; filter leaves some out, balances stay what they were',
  params: UserParams,
  query: PageQuery.extend({ filter: z.enum(STATEMENT_FILTERS).default('all') }),
  response: z.object({ entries: z.array(StatementEntry), totalCount: z.number() }),
})

export const statementCsv = defineEndpoint({
  method: 'GET',
  path: '/api/wallet/:userId/statement.csv',
  access: 'self',
  acceptsDownloadCookie: true,
  summary:
    'All movements of a balance as a CSV file, newest first; the amounts add up to the balance',
  params: UserParams,
  fileTypes: ['text/csv'],
  response: z.any(),
})

export const walletTrend = defineEndpoint({
  method: 'GET',
  path: '/api/wallet/:userId/trend',
  access: 'self',
  summary:
    'Dollars deposited and spent on each of the last 14 days, the oldest first; spent is less refunds',
  params: UserParams,
  query: TrendQuery,
  response: z.object({
    days: z.array(z.object({ day: z.iso.date(), deposited: DollarsOutput, spent: DollarsOutput })),
  }),
})

export const invariants = defineEndpoint({
  method: 'GET',
  path: '/api/admin/invariants',
  access: 'admin',
  summary: 'Rows that break a rule of the books; empty when all is well',
  response: z.object({
    ok: z.boolean(),
    violations: z.array(z.object({ rule: z.string(), subject: z.string(), detail: z.string() })),
  }),
})
