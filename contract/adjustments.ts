/** The carrier's later corrections of what labels cost, and who pays them. */
import * as z from 'zod'
import { UserSummary } from './accounts.ts'
import {
  defineEndpoint,
  DollarsInput,
  DollarsOutput,
  Id,
  Moment,
  PageQuery,
  UserParams,
} from './endpoint.ts'

/** Lines of one file. */
export const MAX_ADJUSTMENT_ROWS = 5_000
export const MAX_ADJUSTMENT_CELLS = 80
export const MAX_ADJUSTMENT_CELL = 300
export const MAX_DISPUTE = 1_000
/** Lines and customers that a preview names; the others are counted. */
export const PREVIEW_LINES = 200
export const PREVIEW_CUSTOMERS = 100

/** `limit`: passed on up to an amount for each label. */
export const ADJUSTMENT_RULES = ['pass_on', 'absorb', 'limit'] as const
export type AdjustmentRuleKind = (typeof ADJUSTMENT_RULES)[number]

/**
 * `unmatched`: no label was found. `absorbed`: the customer pays nothing. `charged`: paid.
 * `waiting`: the balance does not cover it yet. `credited`: the carrier's credit was passed on.
 * `credited_back`: charged, and given back after a dispute.
 */
export const ADJUSTMENT_STATES = [
  'unmatched',
  'absorbed',
  'charged',
  'waiting',
  'credited',
  'credited_back',
] as const
export type AdjustmentState = (typeof ADJUSTMENT_STATES)[number]

const Measures = z
  .object({
    weightOz: z.number(),
    lengthIn: z.number(),
    widthIn: z.number(),
    heightIn: z.number(),
    zone: z.string(),
    service: z.string(),
    package: z.string(),
  })
  .partial()
export type Measures = z.output<typeof Measures>

/** What the carrier tells of a parcel: as it was declared, and as it was measured. */
export type Evidence = { declared: Measures; measured: Measures }

const Dispute = z.object({
  note: z.string(),
  at: Moment,
  state: z.enum(['open', 'credited', 'declined']),
  answer: z.string().nullable(),
  answeredAt: Moment.nullable(),
})

export const Adjustment = z.object({
  _id: Id,
  orderId: Id.nullable(),
  trackingNumber: z.string(),
  day: z.iso.date().nullable(),
  reason: z.string(),
  amount: DollarsOutput,
  waiting: DollarsOutput,
  creditedBack: DollarsOutput,
  state: z.enum(ADJUSTMENT_STATES),
  declared: Measures,
  measured: Measures,
  dispute: Dispute.nullable(),
  createdAt: Moment,
})
export type Adjustment = z.output<typeof Adjustment>

/** `carrierAmount`: the operator's cost, which customers do not see. */
export const AdminAdjustment = Adjustment.extend({
  carrierAmount: DollarsOutput,
  user: UserSummary.nullable(),
  carrier: z.string(),
  account: z.string().nullable(),
  fileName: z.string(),
  rule: z.enum(ADJUSTMENT_RULES).nullable(),
  limit: DollarsOutput.nullable(),
  wasVoided: z.boolean(),
})
export type AdminAdjustment = z.output<typeof AdminAdjustment>

const Waiting = z.object({ count: z.number(), amount: DollarsOutput })

export const listAdjustments = defineEndpoint({
  name: 'listAdjustments',
  method: 'GET',
  path: '/api/wallet/:userId/adjustments',
  access: 'self',
  isPersonal: true,
  scope: 'wallet:read',
  summary:
    'List the carrier’s corrections of labels that were charged or credited, newest first; orderId: of one label. waiting: what the '
    + 'balance did not cover, collected when money comes in',
  params: UserParams,
  query: z.object({
    orderId: Id.optional(),
    page: z.coerce.number().int().min(1).max(1_000_000).default(1),
    limit: z.coerce.number().int().min(1).max(1_000).default(100),
  }),
  response: z.object({
    adjustments: z.array(Adjustment),
    totalCount: z.number(),
    waiting: Waiting,
  }),
})

const AdjustmentParams = z.object({ id: Id })

export const disputeAdjustment = defineEndpoint({
  name: 'disputeAdjustment',
  method: 'POST',
  path: '/api/wallet/:userId/adjustments/:id/dispute',
  access: 'self',
  refusals: [404, 409],
  summary:
    'Dispute a charged correction with a note for the operator. The same note again is no second one',
  params: UserParams.extend(AdjustmentParams.shape),
  body: z.object({ note: z.string().trim().min(1).max(MAX_DISPUTE) }),
  response: Adjustment,
})

/** The cells of a sheet as text, the first row with the names of the columns. */
const AdjustmentFile = z.object({
  fileName: z.string().trim().min(1).max(255),
  rows: z
    .array(z.array(z.string().max(MAX_ADJUSTMENT_CELL)).max(MAX_ADJUSTMENT_CELLS))
    .max(MAX_ADJUSTMENT_ROWS + 1),
})
/**
 * `firstRow`: where the lines begin in the whole file, for one that is sent in parts. `rulesSeen`: of
 * the preview; under other rules nothing more is applied.
 */
const AdjustmentPart = AdjustmentFile.extend({
  firstRow: z.number().int().min(2).max(1_000_000).optional(),
  rulesSeen: z.string().max(100).optional(),
})
const FILE_LIMIT = 8 * 1024 * 1024

/** `repeated`: read before, so nothing happens. */
const PreviewLine = z.object({
  row: z.number(),
  trackingNumber: z.string(),
  orderId: Id.nullable(),
  user: UserSummary.nullable(),
  reason: z.string(),
  carrierAmount: DollarsOutput,
  amount: DollarsOutput,
  state: z.enum(['repeated', 'unmatched', 'absorbed', 'charged', 'waiting', 'credited']),
  wasVoided: z.boolean(),
})
export type AdjustmentPreviewLine = z.output<typeof PreviewLine>

/** `open`: rows of a report without a final amount yet, which are not read. */
const FileTotals = z.object({
  open: z.number(),
  lines: z.number(),
  repeated: z.number(),
  unmatched: z.number(),
  carrierAmount: DollarsOutput,
  charged: DollarsOutput,
  waiting: DollarsOutput,
  credited: DollarsOutput,
})

const FileFault = z.object({ row: z.number(), column: z.string().nullable(), text: z.string() })

/** `rulesSeen`: names the rules that it was made with. */
export const AdjustmentPreview = z.object({
  rulesSeen: z.string(),
  faults: z.array(FileFault),
  ignoredColumns: z.array(z.string()),
  lines: z.array(PreviewLine),
  customers: z.array(
    z.object({
      user: UserSummary,
      lines: z.number(),
      charged: DollarsOutput,
      waiting: DollarsOutput,
      credited: DollarsOutput,
    }),
  ),
  totals: FileTotals,
})
export type AdjustmentPreview = z.output<typeof AdjustmentPreview>

const ADMIN_PATH = '/api/admin/adjustments'

export const previewAdjustments = defineEndpoint({
  name: 'previewAdjustments',
  method: 'POST',
  path: `${ADMIN_PATH}/preview`,
  access: 'admin',
  readOnly: true,
  summary:
    'What a file of the carrier’s corrections would change: faults by row, and who is charged what. Nothing is saved',
  body: AdjustmentFile,
  bodyLimit: FILE_LIMIT,
  response: AdjustmentPreview,
})

export const applyAdjustments = defineEndpoint({
  name: 'applyAdjustments',
  method: 'POST',
  path: ADMIN_PATH,
  access: 'admin',
  proof: true,
  refusals: [409, 422],
  summary:
    'Apply a file of the carrier’s corrections, each line once: a file sent again changes nothing. '
    + 'Lines of the caller’s own account are refused. rulesSeen: of the preview, 409 if the rules have changed since',
  body: AdjustmentPart,
  bodyLimit: FILE_LIMIT,
  response: FileTotals,
})

export const ADJUSTMENT_FILTERS = ['all', 'disputed', 'unmatched', 'waiting'] as const
export type AdjustmentFilter = (typeof ADJUSTMENT_FILTERS)[number]

/** Days that the sums of `listAllAdjustments` are of. */
export const ADJUSTMENT_SUM_DAYS = 30

export const listAllAdjustments = defineEndpoint({
  name: 'listAllAdjustments',
  method: 'GET',
  path: ADMIN_PATH,
  access: 'admin',
  summary:
    'List the carrier’s corrections of all users, newest first. disputed: with an open dispute',
  query: PageQuery.extend({
    show: z.enum(ADJUSTMENT_FILTERS).default('all'),
    limit: z.coerce.number().int().min(1).max(1_000).default(100),
  }),
  response: z.object({
    adjustments: z.array(AdminAdjustment),
    totalCount: z.number(),
    disputed: z.number(),
    disputedAmount: DollarsOutput,
    unmatched: z.number(),
    waiting: Waiting,
    lastDays: z.object({ days: z.number(), passedOn: DollarsOutput, paid: DollarsOutput }),
  }),
})

export const creditAdjustment = defineEndpoint({
  name: 'creditAdjustment',
  method: 'POST',
  path: `${ADMIN_PATH}/:id/credit`,
  access: 'admin',
  proof: true,
  refusals: [404, 409],
  summary:
    'Give back what a customer paid for a correction; what still waits is no longer owed. A second call changes nothing',
  params: AdjustmentParams,
  response: AdminAdjustment,
})

export const declineDispute = defineEndpoint({
  name: 'declineDispute',
  method: 'POST',
  path: `${ADMIN_PATH}/:id/decline`,
  access: 'admin',
  refusals: [404, 409],
  summary: 'Decline a dispute with an answer that the customer reads',
  params: AdjustmentParams,
  body: z.object({ answer: z.string().trim().min(1).max(MAX_DISPUTE) }),
  response: AdminAdjustment,
})

export const matchAdjustment = defineEndpoint({
  name: 'matchAdjustment',
  method: 'POST',
  path: `${ADMIN_PATH}/:id/match`,
  access: 'admin',
  proof: true,
  refusals: [404, 409],
  summary:
    'Name the label of a correction for which none was found. The rule of its customer is applied',
  params: AdjustmentParams,
  body: z.object({ orderId: Id }),
  response: AdminAdjustment,
})

/** `limit`: dollars for each label, of the rule `limit` alone. */
export const AdjustmentRule = z.object({
  rule: z.enum(ADJUSTMENT_RULES),
  limit: DollarsOutput.nullable(),
})
export type AdjustmentRule = z.output<typeof AdjustmentRule>

const AdjustmentRules = z.object({
  all: AdjustmentRule,
  users: z.array(AdjustmentRule.extend({ user: UserSummary })),
})

export const adjustmentRules = defineEndpoint({
  name: 'adjustmentRules',
  method: 'GET',
  path: '/api/admin/adjustment-rules',
  access: 'admin',
  summary:
    'Who pays the carrier’s corrections: the rule for all, and the users with a rule of their own (at most 1,000)',
  response: AdjustmentRules,
})

export const setAdjustmentRule = defineEndpoint({
  name: 'setAdjustmentRule',
  method: 'PUT',
  path: '/api/admin/adjustment-rules',
  access: 'admin',
  proof: true,
  refusals: [404, 409],
  summary:
    'Set who pays the carrier’s corrections from now on: for all, or for userId. rule null: the user has none of their own. '
    + 'With seen, 409 if the rule has changed since',
  body: z
    .object({
      userId: Id.optional(),
      rule: z.enum(ADJUSTMENT_RULES).nullable(),
      limit: DollarsInput.nullable(),
      seen: z.object({ rule: z.enum(ADJUSTMENT_RULES), limit: DollarsInput.nullable() }).nullish(),
    })
    .refine(
      ({ rule, limit }) => (rule === 'limit' ? limit !== null && limit > 0 : limit === null),
      {
        path: ['limit'],
        message: 'must be an amount above 0 with the rule limit, and null with others',
      },
    )
    .refine(({ rule, userId }) => rule !== null || userId !== undefined, {
      path: ['rule'],
      message: 'must be a rule where no user is named',
    }),
  response: AdjustmentRules,
})
