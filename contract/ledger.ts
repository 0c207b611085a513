import * as z from 'zod'
import {
  AfterId,
  NextId,
  defineEndpoint,
  DollarsOutput,
  Id,
  Moment,
  PageQuery,
  UserParams,
} from './endpoint.ts'
import { TABLE_FILE_TYPES, TableFormatQuery } from './table-files.ts'
import { TrendQuery } from './trend.ts'
import { MOVEMENT_KINDS, STATEMENT_FILTERS } from './wallet-movements.ts'

/**
 * One movement of a wallet in dollars, signed from the customer's side; `balance`: after it.
 * `note`: the carrier's or the administrator's text; `round`: the submission of a bulk order or the
 * attempt of a label, from 1; `labels`: how many a bulk order was placed with.
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
  labels: z.number().optional(),
  note: z.string().optional(),
})
export type StatementEntry = z.output<typeof StatementEntry>

const Month = z
  .string()
  .regex(/^20\d\d-(?:0[1-9]|1[0-2])$/, 'must be a month such as 2026-11')
  .optional()

export const statement = defineEndpoint({
  name: 'statement',
  method: 'GET',
  path: '/api/wallet/:userId/statement',
  access: 'self',
  scope: 'wallet:read',
  isPersonal: true,
  summary:
    'List wallet movements, newest first: all, or those of one month in UTC. filter leaves movements out; balances are unaffected',
  params: UserParams,
  query: PageQuery.extend({
    filter: z.enum(STATEMENT_FILTERS).default('all'),
    month: Month,
    after: AfterId,
  }),
  response: z.object({
    entries: z.array(StatementEntry),
    totalCount: z.number(),
    next: NextId,
  }),
})

export const statementCsv = defineEndpoint({
  name: 'statementCsv',
  method: 'GET',
  path: '/api/wallet/:userId/statement.csv',
  access: 'self',
  scope: 'wallet:read',
  acceptsDownloadCookie: true,
  summary:
    'Export wallet movements as CSV or xlsx, newest first: all, whose amounts add up to the balance, or those of one month in UTC',
  params: UserParams,
  query: TableFormatQuery.extend({ month: Month }),
  fileTypes: TABLE_FILE_TYPES,
  response: z.any(),
})

export const walletTrend = defineEndpoint({
  name: 'walletTrend',
  method: 'GET',
  path: '/api/wallet/:userId/trend',
  access: 'self',
  scope: 'wallet:read',
  summary:
    'List dollars deposited and spent (net of refunds) per day for the last 14 days, oldest first',
  params: UserParams,
  query: TrendQuery,
  response: z.object({
    days: z.array(z.object({ day: z.iso.date(), deposited: DollarsOutput, spent: DollarsOutput })),
  }),
})

export const invariants = defineEndpoint({
  name: 'invariants',
  method: 'GET',
  path: '/api/admin/invariants',
  access: 'admin',
  summary: 'Check the books. Lists rows that violate an invariant; empty if none do',
  response: z.object({
    ok: z.boolean(),
    violations: z.array(z.object({ rule: z.string(), subject: z.string(), detail: z.string() })),
  }),
})
