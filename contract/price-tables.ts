/** Prices of many services at once: files, what they would change, and when they count. */
import * as z from 'zod'
import { UserSummary } from './accounts.ts'
import { boundedRecord } from './bounded-record.ts'
import { PriceTableWire, PriceRange } from './catalogue.ts'
import { defineEndpoint, DollarsOutput, Id, Moment, MomentInput } from './endpoint.ts'
import { MAX_PRICE_CELL, MAX_PRICE_CELLS, MAX_PRICE_ROWS } from './price-file.ts'
import { PriceRuleInput, PriceRuleWire } from './price-rules.ts'
import { TABLE_FILE_TYPES, TableFormatQuery } from './table-files.ts'
import { PREFIXES } from './zone-matrix.ts'

/** Without it the default services. */
const UserChoice = z.object({ userId: Id.optional() })

/** The effect of new prices is computed over the labels of so many days. */
export const IMPACT_DAYS = 30
/** Of these, at most so many, the newest. */
export const IMPACT_LABELS = 50_000
/** Customers in a preview, those with the largest difference first. */
export const IMPACT_CUSTOMERS = 100

/** Services in a preview: the default ones first, then users' own. */
export const IMPACT_SERVICES = 200

export const MAX_REASON = 300
/** How far ahead prices can be scheduled. */
export const MAX_DAYS_AHEAD = 366

const Sheet = {
  fileName: z.string().trim().min(1).max(255),
  rows: z
    .array(z.array(z.string().max(MAX_PRICE_CELL)).max(MAX_PRICE_CELLS))
    .max(MAX_PRICE_ROWS + 1),
}

/**
 * `file`: the cells of a sheet as text, the first row with the names of the columns. `costs`: such a
 * sheet with what the carrier charges the operator; all prices that follow a rule follow it.
 * `rule`: prices of one service from its costs. `before`: the prices, or costs, of before a change,
 * of all its services. `version`: an earlier version of one service.
 */
export const PriceSource = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('file'), ...Sheet }),
  z.object({ kind: z.literal('costs'), ...Sheet }),
  z.object({ kind: z.literal('rule'), uid: z.string().max(200), rule: PriceRuleInput }),
  z.object({ kind: z.literal('before'), changeId: Id }),
  z.object({ kind: z.literal('version'), uid: z.string().max(200), version: z.int().min(1) }),
])
export type PriceSource = z.output<typeof PriceSource>

const PriceRowFault = z.object({
  row: z.number(),
  column: z.string().nullable(),
  text: z.string(),
})

/** `before` and `after`: by the prices of now and by the new ones; `cost`: what the carrier charged. */
const ImpactFigures = z.object({
  labels: z.number(),
  before: DollarsOutput,
  after: DollarsOutput,
  /** Of labels that the new prices sell no more; they are in no sum. */
  unsold: z.number(),
})

/** `from` exclusive and `to` inclusive, in ounces. */
const StepImpact = z.object({
  fromOz: z.number(),
  toOz: z.number(),
  labels: z.number(),
  after: DollarsOutput,
  /** Of the labels whose cost is known; null where it is not known of any. */
  margin: DollarsOutput.nullable(),
})

const ServiceImpact = ImpactFigures.extend({
  uid: z.string(),
  /** Whose own service; null for those whose services `PricePreview` is about. */
  owner: UserSummary.nullable(),
  name: z.string(),
  changes: z.boolean(),
  /** As text: '1 to 70 lb $6.50', or '48 weights for zones 1 to 8'. */
  pricesBefore: z.string(),
  pricesAfter: z.string(),
  needsZones: z.boolean(),
  marginBefore: DollarsOutput.nullable(),
  marginAfter: DollarsOutput.nullable(),
  steps: z.array(StepImpact),
})
export type ServiceImpact = z.output<typeof ServiceImpact>

export const PricePreview = z.object({
  kind: z.enum(['prices', 'costs']),
  /** New costs as text, like `pricesBefore`; `before`: 'none' of a service without any. */
  costs: z.array(z.object({ name: z.string(), before: z.string(), after: z.string() })),
  faults: z.array(PriceRowFault),
  warnings: z.array(PriceRowFault),
  services: z.array(ServiceImpact),
  /** Of users' own, beyond `IMPACT_SERVICES`; they are in the sums. */
  omittedServices: z.number(),
  /** Of which `omitted` more are not listed. */
  customers: z.array(ImpactFigures.extend({ user: UserSummary })),
  omittedCustomers: z.number(),
  totals: ImpactFigures,
  /** Whether the labels are fewer than those of the time. */
  isSample: z.boolean(),
  /** Users with own services; a change of the defaults does not reach them. */
  usersWithOwnPrices: z.number(),
  hasZoneMatrix: z.boolean(),
  /** Of the prices that were compared: sent back when they are confirmed. */
  seen: z.string(),
})
export type PricePreview = z.output<typeof PricePreview>

export const PriceChange = z.object({
  _id: Id,
  state: z.enum(['scheduled', 'applied', 'canceled', 'failed']),
  services: z.array(z.string()),
  /** Null: a rule, or back to earlier prices. */
  fileName: z.string().nullable(),
  reason: z.string(),
  startsAt: Moment,
  setBy: z.object({ _id: Id, name: z.string() }),
  createdAt: Moment,
  /** Of costs: the prices by rule have followed them. */
  kind: z.enum(['prices', 'costs']),
  /** That sets the prices of its service; null without one. */
  rule: PriceRuleWire.nullable(),
  /** When it was applied, canceled or refused. */
  endedAt: Moment.nullable(),
  canceledBy: z.object({ _id: Id, name: z.string() }).nullable(),
  failure: z.string().nullable(),
})
export type PriceChange = z.output<typeof PriceChange>

export const priceTableFile = defineEndpoint({
  name: 'priceTableFile',
  method: 'GET',
  path: '/api/admin/price-tables/file',
  access: 'admin',
  summary:
    'Download the prices of all services as one flat sheet, CSV or xlsx; with content=costs the costs that rules price from',
  query: UserChoice.extend(TableFormatQuery.shape).extend({
    content: z.enum(['prices', 'costs']).default('prices'),
  }),
  refusals: [404],
  fileTypes: TABLE_FILE_TYPES,
  response: z.any(),
})

const ServiceCosts = z.object({
  uid: z.string(),
  version: z.number(),
  prices: z.array(PriceRange),
  table: PriceTableWire.nullable(),
  reason: z.string(),
  setBy: z.object({ _id: Id, name: z.string() }),
  createdAt: Moment,
})
export type ServiceCosts = z.output<typeof ServiceCosts>

export const serviceCosts = defineEndpoint({
  name: 'serviceCosts',
  method: 'GET',
  path: '/api/admin/price-tables/costs',
  access: 'admin',
  summary: 'What the carrier charges the operator, per service: the costs that rules price from',
  response: z.array(ServiceCosts),
})

/** Labels that a check of costs asks the carrier about. */
export const CHECKED_LABELS = 3

/** A parcel of the last days. Dollars; `charged` for its label, `known` by the costs, `now` by the carrier. */
const CostCheck = z.object({
  weight: z.number(),
  fromZip: z.string(),
  toZip: z.string(),
  charged: DollarsOutput.nullable(),
  known: DollarsOutput.nullable(),
  now: DollarsOutput.nullable(),
  /** Why the carrier told no price. */
  reason: z.string().nullable(),
})
export type CostCheck = z.output<typeof CostCheck>

export const checkServiceCosts = defineEndpoint({
  name: 'checkServiceCosts',
  method: 'POST',
  path: '/api/admin/price-tables/costs/check',
  access: 'admin',
  readOnly: true,
  refusals: [404],
  summary: `Ask the carrier what the parcels of the newest ${CHECKED_LABELS} labels of a service cost now. Nothing is bought or saved`,
  body: z.object({ uid: z.string().max(200) }),
  response: z.array(CostCheck),
})

export const previewPrices = defineEndpoint({
  name: 'previewPrices',
  method: 'POST',
  path: '/api/admin/price-tables/preview',
  access: 'admin',
  readOnly: true,
  refusals: [404, 422],
  summary:
    'What new prices would change: faults of the file by row, and who pays what over the labels of the last 30 days. Nothing is saved',
  body: UserChoice.extend({ source: PriceSource }),
  bodyLimit: 4 * 1024 * 1024,
  response: PricePreview,
})

export const changePrices = defineEndpoint({
  name: 'changePrices',
  method: 'POST',
  path: '/api/admin/price-tables',
  access: 'admin',
  proof: true,
  refusals: [404, 409, 422],
  summary:
    'Set the prices of a preview, at once or from a moment on. A repeated requestId returns its change',
  body: UserChoice.extend({
    source: PriceSource,
    seen: z.string().max(100),
    requestId: z.uuid(),
    reason: z.string().trim().min(1).max(MAX_REASON),
    startsAt: MomentInput.optional(),
  }),
  bodyLimit: 4 * 1024 * 1024,
  response: PriceChange,
})

export const priceChanges = defineEndpoint({
  name: 'priceChanges',
  method: 'GET',
  path: '/api/admin/price-tables',
  access: 'admin',
  refusals: [404],
  summary: 'The newest 100 changes of prices by files, and of ways back, newest first',
  query: UserChoice,
  response: z.array(PriceChange),
})

export const cancelPriceChange = defineEndpoint({
  name: 'cancelPriceChange',
  method: 'DELETE',
  path: '/api/admin/price-tables/:id',
  access: 'admin',
  proof: true,
  refusals: [404, 409],
  summary: 'Cancel scheduled prices. A second call changes nothing',
  params: z.object({ id: Id }),
  response: PriceChange,
})

export const ZoneMatrix = z.object({
  pairs: z.number(),
  reason: z.string(),
  setBy: z.object({ _id: Id, name: z.string() }),
  createdAt: Moment,
})
export type ZoneMatrix = z.output<typeof ZoneMatrix>

export const zoneMatrix = defineEndpoint({
  name: 'zoneMatrix',
  method: 'GET',
  path: '/api/admin/zone-matrix',
  access: 'admin',
  summary: 'The zone matrix that prices by zone use; null without one',
  response: z.object({ matrix: ZoneMatrix.nullable() }),
})

/**
 * `origins`: of each origin the zones to the destinations 000 to 999 as digits, 0 for none.
 * `dropsPairs`: also where pairs lose the zone that they have now.
 */
export const setZoneMatrix = defineEndpoint({
  name: 'setZoneMatrix',
  method: 'PUT',
  path: '/api/admin/zone-matrix',
  access: 'admin',
  proof: true,
  refusals: [422],
  summary: 'Replace the zone matrix. Without origins there is none',
  body: z.object({
    origins: boundedRecord(
      z.string().regex(/^\d{3}$/, 'must be three digits'),
      z.string().regex(/^\d{1000}$/, `must be ${PREFIXES} digits`),
      PREFIXES,
    ),
    reason: z.string().trim().min(1).max(MAX_REASON),
    dropsPairs: z.boolean().default(false),
  }),
  bodyLimit: 4 * 1024 * 1024,
  response: z.object({ matrix: ZoneMatrix.nullable() }),
})
