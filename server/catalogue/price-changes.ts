/**
 * Prices of many services at once: from a file, or back to earlier ones; at once, or from a moment
 * on (docs/decisions/0055-price-tables.md).
 */
import { createHash } from 'node:crypto'
import { parsePriceSheet, samePrices, tableText } from '#contract/price-file.ts'
import type { PriceSheet } from '#contract/price-file.ts'
import { priceRangesText } from '#contract/price-ranges.ts'
import { MAX_DAYS_AHEAD } from '#contract/price-tables.ts'
import type { PriceSource } from '#contract/price-tables.ts'
import { OUNCES_PER_POUND } from '#contract/pricing.ts'
import type { Prices, ZoneLookup } from '#contract/pricing.ts'
import { zonesFromRows } from '#contract/zone-matrix.ts'
import type { ZoneRows } from '#contract/zone-matrix.ts'
import { insertAuditEntry } from '#server/accounts/audit-store.ts'
import { getUser, lockExistingUser } from '#server/accounts/service.ts'
import type { Context } from '#server/platform/context.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { Refusal, refuseField } from '#server/platform/http/refusal.ts'
import {
  endPriceChange,
  insertPriceChange,
  selectDueChanges,
  selectPriceChange,
  selectPriceChangeByKey,
  selectPriceChanges,
  selectPricesBefore,
} from './price-changes-store.ts'
import type { PriceChangeRecord } from './price-changes-store.ts'
import { pricesOf } from './rules.ts'
import type { Service } from './rules.ts'
import {
  copyDefaultServices,
  insertPrices,
  lockCatalogue,
  selectDefaultServices,
  selectEffectiveServices,
  selectPriceVersions,
  selectUserServices,
} from './store.ts'
import type { ServicePrices } from './tables.ts'
import { insertZoneMatrix, readZones, selectZoneMatrix } from './zones-store.ts'
import type { ZoneMatrixRecord } from './zones-store.ts'

type DatabaseContext = Pick<Context, 'database'>

/** Whose prices: null for the default services. */
export type PriceOwner = number | null

/** The services with the prices that apply to the owner now. */
export async function listPricedServices(db: Db, owner: PriceOwner): Promise<Service[]> {
  if (owner === null) return selectDefaultServices(db)
  await getUser(db, owner)
  return selectEffectiveServices(db, owner)
}

/** By the newest zone matrix; null without one. */
export const zonesInUse = (db: Db): Promise<ZoneLookup | null> => readZones(db)

/** '1 to 70 lb $6.50', '48 weights for zones 1 to 8'; 'none' without any. */
export const pricesText = ({ ranges, table }: Prices): string =>
  table ? tableText(table) : priceRangesText(pricesOf(ranges))

/** New prices beside those of now. `seen` changes with either of them. */
export type PriceDraft = Omit<PriceSheet, 'services'> & {
  changes: { before: Service; after: Prices }[]
  fileName: string | null
  seen: string
}

/** What `source` would set. Its services that keep their prices are among `changes` too. */
export async function draftPrices(
  db: Db,
  owner: PriceOwner,
  source: PriceSource,
): Promise<PriceDraft> {
  const services = await listPricedServices(db, owner)
  const sheet =
    source.kind === 'file'
      ? parsePriceSheet(source.rows, services)
      : earlierSheet(services, await earlierPrices(db, owner, services, source))
  const changes = sheet.services.map(({ uid, ...after }) => ({
    before: services.find(service => service.uid === uid)!,
    after,
  }))
  const compared = changes.map(({ before, after }) => [
    before.uid,
    before.maxWeight,
    before.ranges,
    before.table,
    after,
  ])
  return {
    faults: sheet.faults,
    warnings: sheet.warnings,
    changes,
    fileName: source.kind === 'file' ? source.fileName : null,
    seen: createHash('sha256').update(JSON.stringify(compared)).digest('base64url'),
  }
}

async function earlierPrices(
  db: Db,
  owner: PriceOwner,
  services: readonly Service[],
  source: Exclude<PriceSource, { kind: 'file' }>,
): Promise<ServicePrices[]> {
  if (source.kind === 'before') {
    const change = await getPriceChange(db, Number(source.changeId))
    if (change.userId !== owner) throw changeUnknown()
    return selectPricesBefore(db, change.id)
  }
  const own = owner === null ? services : await selectUserServices(db, owner)
  const service = own.find(({ uid }) => uid === source.uid)
  if (!service) throw new Refusal('catalogue_service_unknown', 'Service not found')
  const target =
    owner === null ? { defaultId: service.id } : { userId: owner, serviceId: service.id }
  const version = (await selectPriceVersions(db, target)).find(
    one => one.version === source.version,
  )
  if (!version) throw new Refusal('price_change_unknown', 'Price version not found')
  return [{ uid: service.uid, ranges: version.ranges, table: version.table }]
}

/** Prices of then that fit the services of now. */
function earlierSheet(services: readonly Service[], earlier: readonly ServicePrices[]): PriceSheet {
  const sheet: PriceSheet = { services: [], faults: [], warnings: [] }
  for (const prices of earlier) {
    const service = services.find(({ uid }) => uid === prices.uid)!
    const problem = fitProblem(service, prices)
    if (problem === null) sheet.services.push(prices)
    else sheet.faults.push({ row: 0, column: null, text: problem })
  }
  return sheet
}

function fitProblem(service: Service, { ranges, table }: Prices): string | null {
  const end = table ? (table.steps.at(-1)?.toOz ?? 0) / OUNCES_PER_POUND : (ranges.at(-1)?.to ?? 0)
  if (end === 0) return `${service.name} had no prices before; disable it instead`
  return end === service.maxWeight
    ? null
    : `These prices of ${service.name} end at ${end} lb, and it takes ${service.maxWeight} lb now. `
        + `Upload a file with prices up to ${service.maxWeight} lb`
}

export type ConfirmedPrices = {
  source: PriceSource
  seen: string
  requestId: string
  reason: string
  startsAt?: string | undefined
}

/**
 * Sets the prices of a preview, or schedules them. The same `requestId` again returns its change.
 * Throws Refusal 422 for faults and a time that has passed, 409 if the prices of the preview have
 * changed since.
 */
export const changePrices = (
  ctx: DatabaseContext,
  owner: PriceOwner,
  confirmed: ConfirmedPrices,
  actorId: number,
): Promise<PriceChangeRecord> =>
  ctx.database.tx(async tx => {
    await lockCatalogue(tx)
    if (owner !== null) await lockExistingUser(tx, owner)
    const before = await selectPriceChangeByKey(tx, confirmed.requestId)
    if (before) return before
    const draft = await draftPrices(tx, owner, confirmed.source)
    const startsAt = parseStart(confirmed.startsAt)
    assertConfirmable(draft, confirmed.seen, startsAt)
    const { reason, requestId } = confirmed
    const content = draft.changes.map(({ before: { uid }, after }) => ({ uid, ...after }))
    const id = await insertPriceChange(tx, {
      userId: owner,
      requestKey: requestId,
      content,
      fileName: draft.fileName,
      reason,
      startsAt,
      setBy: actorId,
    })
    const change = (await selectPriceChange(tx, id))!
    if (startsAt === null) await applyChange(tx, change)
    else await audit(tx, change, 'prices-scheduled', { from: startsAt.toISOString() })
    return change
  })

function assertConfirmable(draft: PriceDraft, seen: string, startsAt: Date | null): void {
  const [fault] = draft.faults
  if (fault) {
    const place = fault.row > 0 ? `Row ${fault.row}: ` : ''
    throw refuseField('source', 'price_ranges_invalid', `${place}${fault.text}`)
  }
  if (draft.seen !== seen)
    throw new Refusal(
      'changed_meanwhile',
      'Prices have changed since this preview. Nothing was saved; look at the preview again.',
    )
  const isSame = draft.changes.every(({ before, after }) => samePrices(before, after))
  if (startsAt === null && isSame)
    throw refuseField('source', 'price_ranges_invalid', 'These are the prices of now already')
}

const DAY_MS = 24 * 3600_000

/** Null: at once. */
function parseStart(text: string | undefined): Date | null {
  if (text === undefined) return null
  const startsAt = new Date(text)
  const ahead = startsAt.getTime() - Date.now()
  if (ahead <= 0)
    throw refuseField('startsAt', 'time_passed', 'The day has begun; choose a later one')
  if (ahead > MAX_DAYS_AHEAD * DAY_MS)
    throw refuseField(
      'startsAt',
      'above_limit',
      `Prices can be scheduled at most ${MAX_DAYS_AHEAD} days ahead`,
    )
  return startsAt
}

/** Appends the versions of a change. Throws Refusal if a service does not take them any more. */
async function applyChange(tx: Tx, change: PriceChangeRecord): Promise<void> {
  const { userId, content, setBy } = change
  if (userId !== null) {
    await lockExistingUser(tx, userId)
    await copyDefaultServices(tx, [userId], setBy.id)
  }
  const services =
    userId === null ? await selectDefaultServices(tx) : await selectUserServices(tx, userId)
  for (const { uid, ...prices } of content) {
    const service = services.find(one => one.uid === uid)!
    const problem = fitProblem(service, prices)
    if (problem !== null) throw refuseField('source', 'price_ranges_invalid', problem)
    if (samePrices(service, prices)) continue
    const target = userId === null ? { defaultId: service.id } : { userId, serviceId: service.id }
    await insertPrices(tx, target, prices, setBy.id, change.id)
  }
  await audit(tx, change, 'prices-changed')
}

async function audit(
  tx: Tx,
  { userId, content, reason, fileName, setBy }: PriceChangeRecord,
  action: 'prices-changed' | 'prices-scheduled',
  more: Record<string, unknown> = {},
): Promise<void> {
  await insertAuditEntry(tx, {
    actorId: setBy.id,
    subjectId: userId,
    action,
    detail: { services: content.map(({ uid }) => uid), reason, file: fileName, ...more },
  })
}

/** Applies scheduled changes whose time has come. One that cannot be applied tells why in the list. */
export async function applyDueChanges(ctx: DatabaseContext): Promise<void> {
  for (const id of await selectDueChanges(ctx.database.db)) {
    try {
      await ctx.database.tx(async tx => {
        await lockCatalogue(tx)
        const change = await selectPriceChange(tx, id)
        if (change?.state !== 'scheduled') return
        await endPriceChange(tx, id, { state: 'applied' })
        await applyChange(tx, change)
      })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      await ctx.database.tx(tx =>
        endPriceChange(tx, id, { state: 'failed', failure: error.message }),
      )
    }
  }
}

/** Newest first. */
export async function listPriceChanges(db: Db, owner: PriceOwner): Promise<PriceChangeRecord[]> {
  if (owner !== null) await getUser(db, owner)
  return selectPriceChanges(db, owner)
}

const changeUnknown = () => new Refusal('price_change_unknown', 'Price change not found')

async function getPriceChange(db: Db, id: number): Promise<PriceChangeRecord> {
  const change = await selectPriceChange(db, id)
  if (!change) throw changeUnknown()
  return change
}

/** Throws Refusal 409 if it was applied or has failed. */
export const cancelPriceChange = (
  ctx: DatabaseContext,
  id: number,
  actorId: number,
): Promise<PriceChangeRecord> =>
  ctx.database.tx(async tx => {
    await lockCatalogue(tx)
    const change = await getPriceChange(tx, id)
    if (change.state === 'canceled') return change
    if (change.state !== 'scheduled')
      throw new Refusal('price_change_ended', 'These prices are no longer scheduled')
    await endPriceChange(tx, id, { state: 'canceled', endedBy: actorId })
    await insertAuditEntry(tx, {
      actorId,
      subjectId: change.userId,
      action: 'prices-schedule-canceled',
      detail: { services: change.content.map(({ uid }) => uid), reason: change.reason },
    })
    return getPriceChange(tx, id)
  })

/** Replaces the zone matrix, unless it is the same. */
export const replaceZoneMatrix = (
  ctx: DatabaseContext,
  origins: ZoneRows,
  reason: string,
  actorId: number,
): Promise<ZoneMatrixRecord | null> =>
  ctx.database.tx(async tx => {
    await lockCatalogue(tx)
    const { zones, pairs } = zonesFromRows(origins)
    const added = await insertZoneMatrix(tx, zones, { pairs, reason, setBy: actorId })
    if (added !== null)
      await insertAuditEntry(tx, {
        actorId,
        subjectId: null,
        action: 'zones-changed',
        detail: { pairs, reason },
      })
    return selectZoneMatrix(tx)
  })
