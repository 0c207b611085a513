/**
 * Prices of many services at once: from a file, by a rule from costs, or back to earlier ones; at
 * once, or from a moment on (docs/decisions/0055-price-tables.md, 0059-price-rules.md). Costs count
 * at once, with the prices that follow them.
 */
import { countText } from '#contract/format.ts'
import { MAX_DAYS_AHEAD } from '#contract/price-tables.ts'
import type { PriceSource } from '#contract/price-tables.ts'
import { zonesFromRows } from '#contract/zone-matrix.ts'
import type { ZoneRows } from '#contract/zone-matrix.ts'
import { insertAuditEntry } from '#server/accounts/audit-store.ts'
import { getUser, lockExistingUser } from '#server/accounts/service.ts'
import type { Context } from '#server/platform/context.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { isDatabaseUnavailable } from '#server/platform/database/faults.ts'
import { Refusal, refuseField } from '#server/platform/http/refusal.ts'
import { yieldToOthers } from '#server/platform/process/turns.ts'
import { insertCosts, selectCosts } from './costs-store.ts'
import type { CostRecord } from './costs-store.ts'
import {
  endPriceChange,
  insertPriceChange,
  selectDueChanges,
  selectPriceChange,
  selectPriceChangeByKey,
  selectPriceChanges,
} from './price-changes-store.ts'
import type { PriceChangeRecord } from './price-changes-store.ts'
import { applyRule, draftPrices, fitProblem, getPriceChange, isChanged } from './price-drafts.ts'
import type { DraftedChange, PriceDraft, PriceOwner } from './price-drafts.ts'
import type { Service } from './rules.ts'
import {
  copyDefaultServices,
  insertManyPrices,
  lockCatalogue,
  selectDefaultServices,
  selectUserServices,
} from './store.ts'
import type { ServicePrices } from './tables.ts'
import { countDroppedPairs, insertZoneMatrix, selectZoneMatrix } from './zones-store.ts'
import type { ZoneMatrixRecord } from './zones-store.ts'

export { readZones as zonesInUse } from './zones-store.ts'

type DatabaseContext = Pick<Context, 'database'>

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
    const { kind, content, fileName } = draft
    const id = await insertPriceChange(tx, {
      userId: owner,
      requestKey: requestId,
      kind,
      content,
      fileName,
      reason,
      startsAt,
      setBy: actorId,
    })
    const change = (await selectPriceChange(tx, id))!
    if (kind === 'costs') await applyCosts(tx, change, draft)
    else if (startsAt === null) await applyChange(tx, change)
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
  if (draft.kind === 'costs') return assertCostsConfirmable(draft, startsAt)
  const isSame = !draft.changes.some(isChanged)
  if (startsAt === null && isSame)
    throw refuseField('source', 'price_ranges_invalid', 'These are the prices of now already')
}

function assertCostsConfirmable({ newCosts }: PriceDraft, startsAt: Date | null): void {
  if (startsAt !== null)
    throw refuseField(
      'startsAt',
      'fields_exclusive',
      'Costs count at once; upload them on their day',
    )
  if (newCosts.length === 0)
    throw refuseField('source', 'price_ranges_invalid', 'These are the costs of now already')
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
async function applyChange(
  tx: Tx,
  change: PriceChangeRecord,
  more: Record<string, unknown> = {},
): Promise<void> {
  const { userId, content, setBy } = change
  if (userId !== null) {
    await lockExistingUser(tx, userId)
    await copyDefaultServices(tx, [userId], setBy.id)
  }
  const services =
    userId === null ? await selectDefaultServices(tx) : await selectUserServices(tx, userId)
  const costs = await selectCosts(tx)
  const changes = content.map(given => {
    const before = services.find(one => one.uid === given.uid)!
    return { userId, before, after: assertFits(before, given, costs) }
  })
  await appendPrices(tx, changes, change, costs)
  await audit(tx, change, 'prices-changed', more)
}

function assertFits(
  service: Service,
  given: ServicePrices,
  costs: readonly CostRecord[],
): ServicePrices {
  const priced = applyRule(service, given, costs)
  const problem = 'problem' in priced ? priced.problem : fitProblem(service, priced)
  if (problem !== null) throw refuseField('source', 'price_ranges_invalid', problem)
  return priced as ServicePrices
}

/** Those that differ from the prices of now; by a rule, with the costs that it was applied to. */
async function appendPrices(
  tx: Tx,
  changes: readonly DraftedChange[],
  change: PriceChangeRecord,
  costs: readonly CostRecord[],
): Promise<void> {
  for (let from = 0; from < changes.length; from += PRICES_AT_ONCE) {
    const added = changes.slice(from, from + PRICES_AT_ONCE).filter(isChanged)
    await insertManyPrices(
      tx,
      added.map(one => pricesToAdd(one, costs)),
      { setBy: change.setBy.id, changeId: change.id },
    )
    await yieldToOthers()
  }
}

const PRICES_AT_ONCE = 200

function pricesToAdd({ userId, before, after }: DraftedChange, costs: readonly CostRecord[]) {
  const { rule = null } = after
  const cost = costs.find(({ uid }) => uid === before.uid)
  const target = userId === null ? { defaultId: before.id } : { userId, serviceId: before.id }
  // A live rule has no costs of its own.
  const ruled = rule && { rule, costVersionId: rule.live ? null : cost!.id }
  return { target, prices: { ...after, ruled } }
}

/** Appends costs that differ from those of now, and the prices that follow them. */
async function applyCosts(
  tx: Tx,
  change: PriceChangeRecord,
  { newCosts, changes }: PriceDraft,
): Promise<void> {
  for (const { service, after } of newCosts) await insertCosts(tx, service.uid, after, change.id)
  const costs = await selectCosts(tx)
  await appendPrices(tx, changes, change, costs)
  await audit(tx, change, 'costs-changed')
}

async function audit(
  tx: Tx,
  { userId, content, reason, fileName, setBy }: PriceChangeRecord,
  action: 'prices-changed' | 'prices-scheduled' | 'costs-changed',
  more: Record<string, unknown> = {},
): Promise<void> {
  await insertAuditEntry(tx, {
    actorId: setBy.id,
    subjectId: userId,
    action,
    detail: { services: content.map(({ uid }) => uid), reason, file: fileName, ...more },
  })
}

/**
 * Applies scheduled changes whose time has come, of former administrators too. One that cannot be
 * applied tells why in the list; one that meets an unexpected error is tried again, after the others.
 */
export async function applyDueChanges(ctx: Pick<Context, 'database' | 'log'>): Promise<void> {
  for (const id of await selectDueChanges(ctx.database.db)) {
    try {
      await ctx.database.tx(async tx => {
        await lockCatalogue(tx)
        const change = await selectPriceChange(tx, id)
        if (change?.state !== 'scheduled') return
        await endPriceChange(tx, id, { state: 'applied' })
        await applyChange(tx, change, { scheduledAt: change.createdAt.toISOString() })
      })
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error
      if (!(error instanceof Refusal)) {
        ctx.log.error({ err: error, priceChangeId: id }, 'scheduled prices were not applied')
        continue
      }
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

export type NewZoneMatrix = { origins: ZoneRows; reason: string; dropsPairs: boolean }

/**
 * Replaces the zone matrix, unless it is the same. Throws Refusal 422 if pairs would lose their zone
 * and `dropsPairs` does not allow it.
 */
export const replaceZoneMatrix = (
  ctx: DatabaseContext,
  { origins, reason, dropsPairs }: NewZoneMatrix,
  actorId: number,
): Promise<ZoneMatrixRecord | null> =>
  ctx.database.tx(async tx => {
    await lockCatalogue(tx)
    const { zones, pairs } = zonesFromRows(origins)
    const dropped = await countDroppedPairs(tx, zones)
    if (dropped > 0 && !dropsPairs)
      throw refuseField('dropsPairs', 'required', droppedText(dropped))
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

const droppedText = (dropped: number): string =>
  `${countText(dropped, 'pair')} of ZIP prefixes would lose their zone. `
  + 'Parcels between them would cost the price for any zone, or could not be bought where there is none. '
  + 'Nothing was saved; replace the matrix without them, or upload all pairs.'
