import { dollars, cents } from '#contract/money.ts'
import {
  IMPACT_CUSTOMERS,
  IMPACT_DAYS,
  IMPACT_LABELS,
  IMPACT_SERVICES,
} from '#contract/price-tables.ts'
import type { PricePreview, PriceSource, ServiceImpact } from '#contract/price-tables.ts'
import { zonesOf } from '#contract/pricing.ts'
import type { Prices } from '#contract/pricing.ts'
import { usersByIds } from '#server/accounts/service.ts'
import { personWire } from '#server/accounts/wire.ts'
import { zonesInUse } from '#server/catalogue/price-changes.ts'
import { draftPrices, isChanged, pricesText } from '#server/catalogue/price-drafts.ts'
import type { DraftedChange, PriceOwner } from '#server/catalogue/price-drafts.ts'
import type { Db } from '#server/platform/database/database.ts'
import { yieldToOthers } from '#server/platform/process/turns.ts'
import { addToImpact, byDifference, marginOf, newImpact } from './impact-rules.ts'
import type { Impact, ImpactSums, NewPrices, ServiceSums } from './impact-rules.ts'
import { countUsersWithOwnServices, selectBoughtLabels } from './impact-store.ts'

const LABELS_A_TURN = 2_000

/** What new prices would change, over the labels of the last 30 days. */
export async function previewPriceSource(
  db: Db,
  owner: PriceOwner,
  source: PriceSource,
): Promise<PricePreview> {
  const draft = await draftPrices(db, owner, source)
  const zoneOf = await zonesInUse(db)
  const keys = new Map(
    draft.changes.map(change => [keyOf(change.userId, change.before.uid), change]),
  )
  const changes = new Map<string, NewPrices>(
    [...keys].map(([key, { before, after }]) => [key, { before, after: { ...before, ...after } }]),
  )
  const { labels, isSample } = await selectBoughtLabels(db, {
    userId: owner,
    withOwn: draft.kind === 'costs',
    uids: [...new Set(draft.changes.map(({ before }) => before.uid))],
    days: IMPACT_DAYS,
    newest: IMPACT_LABELS,
  })
  const impact = newImpact(changes)
  for (const [at, label] of labels.entries()) {
    const key = keyOf(label.isOwn && owner === null ? label.userId : null, label.uid)
    if (changes.has(key)) addToImpact(impact, changes, { ...label, uid: key }, zoneOf)
    if (at % LABELS_A_TURN === LABELS_A_TURN - 1) await yieldToOthers()
  }
  const listed = draft.changes.slice(0, IMPACT_SERVICES)
  const owners = await usersByIds(db, [...new Set(listed.flatMap(({ userId }) => userId ?? []))])
  return {
    kind: draft.kind,
    costs: draft.newCosts.map(({ service, before, after }) => ({
      name: service.name,
      before: before ? pricesText(before) : 'none',
      after: pricesText(after),
    })),
    faults: draft.faults,
    warnings: draft.warnings,
    seen: draft.seen,
    services: [...keys].slice(0, IMPACT_SERVICES).map(([key, change]) => {
      const user = owners.find(({ id }) => id === change.userId)
      return {
        ...serviceWire(change, impact.services.get(key)!),
        owner: user ? personWire(user) : null,
      }
    }),
    omittedServices: Math.max(0, keys.size - IMPACT_SERVICES),
    ...(await customersWire(db, impact)),
    totals: figures(impact.totals),
    isSample,
    usersWithOwnPrices:
      owner === null && draft.kind === 'prices' ? await countUsersWithOwnServices(db) : 0,
    hasZoneMatrix: zoneOf !== null,
  }
}

/** A draft of costs has users' own services beside the default ones. */
const keyOf = (userId: number | null, uid: string): string => `${userId ?? ''} ${uid}`

const figures = ({ labels, before, after, unsold }: ImpactSums) => ({
  labels,
  before: dollars(cents(before)),
  after: dollars(cents(after)),
  unsold,
})

async function customersWire(
  db: Db,
  { customers }: Impact,
): Promise<Pick<PricePreview, 'customers' | 'omittedCustomers'>> {
  const listed = byDifference(customers).slice(0, IMPACT_CUSTOMERS)
  const users = new Map(
    (
      await usersByIds(
        db,
        listed.map(([id]) => id),
      )
    ).map(user => [user.id, user]),
  )
  const known = listed.flatMap(([id, sums]) => {
    const user = users.get(id)
    return user ? [{ user: personWire(user), ...figures(sums) }] : []
  })
  return { customers: known, omittedCustomers: customers.size - known.length }
}

function serviceWire(change: DraftedChange, sums: ServiceSums): Omit<ServiceImpact, 'owner'> {
  const { before, after } = change
  const margin = (price: number, of: { cost: number; costed: number }) => {
    const known = marginOf(price, of)
    return known === null ? null : dollars(known)
  }
  return {
    uid: before.uid,
    name: before.name,
    changes: isChanged(change),
    pricesBefore: pricesText(before),
    pricesAfter: pricesText(after),
    needsZones: needsZones(after),
    ...figures(sums),
    marginBefore: margin(sums.costedBefore, sums),
    marginAfter: margin(sums.costedAfter, sums),
    steps: sums.steps.map(step => ({
      fromOz: step.fromOz,
      toOz: step.toOz,
      labels: step.labels,
      after: dollars(cents(step.after)),
      margin: margin(step.costedAfter, step),
    })),
  }
}

const needsZones = ({ table }: Prices): boolean =>
  table !== null && zonesOf(table).some(zone => zone > 0)
