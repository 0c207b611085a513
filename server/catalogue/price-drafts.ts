/** What new prices, rules or costs would set, beside the prices of now. Nothing is saved here. */
import { createHash } from 'node:crypto'
import { belowCost, belowCostText } from '#contract/price-below-cost.ts'
import { parsePriceSheet, samePrices, tableText } from '#contract/price-file.ts'
import type { PriceRowFault, PriceSheet } from '#contract/price-file.ts'
import { priceRangesSummary } from '#contract/price-ranges.ts'
import { isLive, pricesByRule, ruleFrom, ruleText, sameRule } from '#contract/price-rules.ts'
import type { PriceRule } from '#contract/price-rules.ts'
import type { PriceSource } from '#contract/price-tables.ts'
import { OUNCES_PER_POUND } from '#contract/pricing.ts'
import type { Prices } from '#contract/pricing.ts'
import { getUser } from '#server/accounts/service.ts'
import type { Carrier } from '#server/carriers/port.ts'
import type { Db } from '#server/platform/database/database.ts'
import { Refusal, refuseField } from '#server/platform/http/refusal.ts'
import { countedTurns } from '#server/platform/process/turns.ts'
import {
  selectCosts,
  selectCostsBefore,
  selectOwnServices,
  selectRuledServiceIds,
} from './costs-store.ts'
import type { CostRecord } from './costs-store.ts'
import { selectPriceChange, selectPricesBefore } from './price-changes-store.ts'
import type { PriceChangeRecord } from './price-changes-store.ts'
import { pricesOf } from './rules.ts'
import type { Service } from './rules.ts'
import {
  selectDefaultServices,
  selectEffectiveServices,
  selectPriceVersions,
  selectUserServices,
} from './store.ts'
import type { ServicePrices } from './tables.ts'
import { selectZoneMatrix } from './zones-store.ts'

export { selectCosts as listCosts } from './costs-store.ts'

/** Whose prices: null for the default services. */
export type PriceOwner = number | null

/** Prices that may follow a rule. */
export type RuledPrices = Prices & { rule?: PriceRule | null }

/** `userId`: whose own service it is; null for those of the draft's owner. */
export type DraftedChange = { userId: number | null; before: Service; after: RuledPrices }

/**
 * `content`: the prices or costs to set. `changes`: the prices that follow, beside those of now, of
 * services that keep theirs too. `seen` changes with either of them and with the zone matrix.
 */
export type PriceDraft = Omit<PriceSheet, 'services'> & {
  kind: 'prices' | 'costs'
  content: ServicePrices[]
  changes: DraftedChange[]
  /** Those that differ from the costs of now; `before`: null where there are none. */
  newCosts: { service: Service; before: Prices | null; after: Prices }[]
  fileName: string | null
  seen: string
}

/** The services with the prices that apply to the owner now. */
export async function listPricedServices(db: Db, owner: PriceOwner): Promise<Service[]> {
  if (owner === null) return selectDefaultServices(db)
  await getUser(db, owner)
  return selectEffectiveServices(db, owner)
}

/** '1 to 70 lb $6.50', 'Cost + 20%: 48 weights for zones 1 to 8'; 'none' without any. */
export function pricesText({ ranges, table, rule }: RuledPrices): string {
  if (rule?.live) return ruleText(rule)
  const prices = table ? tableText(table) : priceRangesSummary(pricesOf(ranges))
  return rule ? `${ruleText(rule)}: ${prices}` : prices
}

export const isChanged = ({ before, after }: DraftedChange): boolean =>
  !samePrices(before, after) || !sameRule(before.rule, after.rule ?? null)

/** What `source` would set. */
export async function draftPrices(
  db: Db,
  owner: PriceOwner,
  source: PriceSource,
): Promise<PriceDraft> {
  const services = await listPricedServices(db, owner)
  const costs = await selectCosts(db)
  const read = await readSource(db, owner, { source, services, costs })
  const drafted =
    read.kind === 'costs'
      ? await draftCosts(db, owner, read, { services, costs })
      : { changes: changesOf(read, services), newCosts: [] }
  const matrix = await selectZoneMatrix(db)
  return {
    kind: read.kind,
    faults: read.faults,
    warnings: [...read.warnings, ...lossWarnings(read, { services, costs })],
    content: read.services,
    ...drafted,
    fileName: 'fileName' in source ? source.fileName : null,
    seen: await fingerprint(read, drafted.changes, matrix?.id ?? null),
  }
}

/**
 * Services that would be sold below their uploaded costs. Prices by a rule follow the costs, and live
 * ones the carrier.
 */
function lossWarnings(
  { kind, services: read }: ReadPrices,
  { services, costs }: KnownCatalogue,
): PriceRowFault[] {
  return read.flatMap(one => {
    const service = findService(services, one.uid)
    const prices = kind === 'prices' ? one : service
    const cost = kind === 'prices' ? costs.find(({ uid }) => uid === one.uid) : one
    const found = cost && !prices.rule ? belowCost(prices, cost) : null
    return found ? [{ row: 0, column: null, text: belowCostText(service.name, found) }] : []
  })
}

/** One change after the other: users' own services may be many. */
async function fingerprint(
  { kind, services }: ReadPrices,
  changes: readonly DraftedChange[],
  matrixId: number | null,
): Promise<string> {
  const giveTurn = countedTurns(SERVICES_AT_ONCE)
  const hash = createHash('sha256').update(JSON.stringify([kind, services, matrixId]))
  for (const { userId, before, after } of changes) {
    const { uid, maxWeight, ranges, table, rule } = before
    const next = [after.ranges, after.table, after.rule ?? null]
    hash.update(JSON.stringify([userId, uid, maxWeight, ranges, table, rule, next]))
    await giveTurn()
  }
  return hash.digest('base64url')
}

/** Throws Refusal 422 for a live rule with a carrier that tells no price before it sells. */
export function assertQuotable({ quote }: Pick<Carrier, 'quote'>, source: PriceSource): void {
  if (source.kind === 'rule' && source.rule.live && !quote)
    throw refuseField(
      'source',
      'option_not_offered',
      'Your carrier tells no price before it sells, so prices cannot come from it. Use your own costs',
    )
}

type ReadPrices = Omit<PriceSheet, 'services'> & {
  kind: PriceDraft['kind']
  services: ServicePrices[]
}

type KnownCatalogue = { services: readonly Service[]; costs: readonly CostRecord[] }

async function readSource(
  db: Db,
  owner: PriceOwner,
  { source, services, costs }: KnownCatalogue & { source: PriceSource },
): Promise<ReadPrices> {
  switch (source.kind) {
    case 'file':
    case 'costs': {
      const kind = source.kind === 'file' ? 'prices' : 'costs'
      return { kind, ...parsePriceSheet(source.rows, services) }
    }
    case 'rule': {
      const { uid, rule } = source
      findService(services, uid)
      return fittingPrices('prices', [{ uid, ranges: [], table: null, rule: ruleFrom(rule) }], {
        services,
        costs,
      })
    }
    default: {
      const { kind, earlier } = await earlierPrices(db, owner, services, source)
      return fittingPrices(kind, earlier, { services, costs })
    }
  }
}

function findService(services: readonly Service[], uid: string): Service {
  const service = services.find(one => one.uid === uid)
  if (!service) throw new Refusal('catalogue_service_unknown', 'Service not found')
  return service
}

const changesOf = (read: ReadPrices, services: readonly Service[]): DraftedChange[] =>
  read.services.map(({ uid, ...after }) => ({
    userId: null,
    before: findService(services, uid),
    after,
  }))

/** Every service whose prices follow the costs: the default and users' own ones. */
async function draftCosts(
  db: Db,
  owner: PriceOwner,
  read: ReadPrices,
  { services, costs }: KnownCatalogue,
): Promise<Pick<PriceDraft, 'changes' | 'newCosts'>> {
  if (owner !== null)
    throw refuseField(
      'userId',
      'fields_exclusive',
      'Costs are the same for all users; set them with the default services',
    )
  const newCosts = read.services.flatMap(({ uid, ...after }) => {
    const before = costs.find(one => one.uid === uid) ?? null
    if (before && samePrices(before, after)) return []
    return { service: findService(services, uid), before, after }
  })
  const priced = pricedByCosts(read.services)
  const changes = services.flatMap(service => priced(service, null))
  const ids = await selectRuledServiceIds(
    db,
    read.services.map(({ uid }) => uid),
  )
  for (let from = 0; from < ids.length; from += SERVICES_AT_ONCE) {
    const own = await selectOwnServices(db, ids.slice(from, from + SERVICES_AT_ONCE))
    for (const { userId, ...service } of own) changes.push(...priced(service, userId))
  }
  return { changes, newCosts }
}

/** Users' own services may be thousands, each with a table. */
const SERVICES_AT_ONCE = 200

/** The change of a service that follows a rule; services with equal rules share their new prices. */
function pricedByCosts(
  costs: readonly ServicePrices[],
): (service: Service, userId: number | null) => DraftedChange[] {
  const known = new Map<string, Prices>()
  return (before, userId) => {
    const { uid, rule } = before
    const cost = costs.find(one => one.uid === uid)
    if (!rule || rule.live || !cost) return []
    const key = JSON.stringify([uid, rule])
    const prices = known.get(key) ?? pricesByRule(rule, cost)
    known.set(key, prices)
    return [{ userId, before, after: { ...prices, rule } }]
  }
}

type EarlierSource = Extract<PriceSource, { kind: 'before' | 'version' }>

async function earlierPrices(
  db: Db,
  owner: PriceOwner,
  services: readonly Service[],
  source: EarlierSource,
): Promise<{ kind: PriceDraft['kind']; earlier: ServicePrices[] }> {
  if (source.kind === 'before') {
    const change = await getPriceChange(db, Number(source.changeId))
    if (change.userId !== owner) throw changeUnknown()
    const select = change.kind === 'costs' ? selectCostsBefore : selectPricesBefore
    return { kind: change.kind, earlier: await select(db, change.id) }
  }
  const own = owner === null ? services : await selectUserServices(db, owner)
  const service = findService(own, source.uid)
  const target =
    owner === null ? { defaultId: service.id } : { userId: owner, serviceId: service.id }
  const version = (await selectPriceVersions(db, target)).find(
    one => one.version === source.version,
  )
  if (!version) throw new Refusal('price_change_unknown', 'Price version not found')
  const { ranges, table, rule } = version
  return { kind: 'prices', earlier: [{ uid: service.uid, ranges, table, rule }] }
}

/** Those that fit the services of now; a rule gives its prices by the costs of now. */
function fittingPrices(
  kind: PriceDraft['kind'],
  given: readonly ServicePrices[],
  { services, costs }: KnownCatalogue,
): ReadPrices {
  const read: ReadPrices = { kind, services: [], faults: [], warnings: [] }
  for (const one of given) {
    const service = findService(services, one.uid)
    const priced = applyRule(service, one, costs)
    const problem = 'problem' in priced ? priced.problem : fitProblem(service, priced, kind)
    if (problem === null && !('problem' in priced)) read.services.push(priced)
    else read.faults.push({ row: 0, column: null, text: problem! })
  }
  return read
}

/** The prices of a rule by the newest costs; others stay as they are. */
export function applyRule(
  service: Pick<Service, 'name' | 'maxWeight'>,
  prices: ServicePrices,
  costs: readonly CostRecord[],
): ServicePrices | { problem: string } {
  if (!prices.rule) return prices
  if (prices.rule.live) return { ...prices, ranges: [], table: null }
  const cost = costs.find(({ uid }) => uid === prices.uid)
  if (!cost)
    return {
      problem: `No costs of ${service.name} are known. Upload costs first: a file with what the carrier charges you`,
    }
  const problem = fitProblem(service, cost, 'costs')
  return problem === null ? { ...prices, ...pricesByRule(prices.rule, cost) } : { problem }
}

/** Why prices or costs do not fit the carrier's limit; null if they do. */
export function fitProblem(
  service: Pick<Service, 'name' | 'maxWeight'>,
  { ranges, table, rule = null }: RuledPrices,
  kind: PriceDraft['kind'] = 'prices',
): string | null {
  if (isLive({ rule })) return null
  const end = table ? (table.steps.at(-1)?.toOz ?? 0) / OUNCES_PER_POUND : (ranges.at(-1)?.to ?? 0)
  if (end === 0)
    return kind === 'costs'
      ? `${service.name} had no costs before; upload costs instead`
      : `${service.name} had no prices before; disable it instead`
  return end === service.maxWeight
    ? null
    : `These ${kind} of ${service.name} end at ${end} lb, and it takes ${service.maxWeight} lb now. `
        + `Upload a file with ${kind} up to ${service.maxWeight} lb`
}

export const changeUnknown = () => new Refusal('price_change_unknown', 'Price change not found')

export async function getPriceChange(db: Db, id: number): Promise<PriceChangeRecord> {
  const change = await selectPriceChange(db, id)
  if (!change) throw changeUnknown()
  return change
}
