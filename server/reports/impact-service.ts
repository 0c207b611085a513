import { dollars, cents } from '#contract/money.ts'
import { samePrices } from '#contract/price-file.ts'
import { IMPACT_CUSTOMERS, IMPACT_DAYS, IMPACT_LABELS } from '#contract/price-tables.ts'
import type { PricePreview, PriceSource, ServiceImpact } from '#contract/price-tables.ts'
import { zonesOf } from '#contract/pricing.ts'
import type { Prices } from '#contract/pricing.ts'
import { usersByIds } from '#server/accounts/service.ts'
import { personWire } from '#server/accounts/wire.ts'
import { draftPrices, pricesText, zonesInUse } from '#server/catalogue/price-changes.ts'
import type { PriceDraft, PriceOwner } from '#server/catalogue/price-changes.ts'
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
  const changes = new Map<string, NewPrices>(
    draft.changes.map(({ before, after }) => [
      before.uid,
      { before, after: { ...before, ...after } },
    ]),
  )
  const { labels, isSample } = await selectBoughtLabels(db, {
    userId: owner,
    uids: [...changes.keys()],
    days: IMPACT_DAYS,
    newest: IMPACT_LABELS,
  })
  const impact = newImpact(changes)
  for (const [at, label] of labels.entries()) {
    addToImpact(impact, changes, label, zoneOf)
    if (at % LABELS_A_TURN === LABELS_A_TURN - 1) await yieldToOthers()
  }
  return {
    faults: draft.faults,
    warnings: draft.warnings,
    seen: draft.seen,
    services: draft.changes.map(change =>
      serviceWire(change, impact.services.get(change.before.uid)!),
    ),
    ...(await customersWire(db, impact)),
    totals: figures(impact.totals),
    isSample,
    usersWithOwnPrices: owner === null ? await countUsersWithOwnServices(db) : 0,
    hasZoneMatrix: zoneOf !== null,
  }
}

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

function serviceWire(
  { before, after }: PriceDraft['changes'][number],
  sums: ServiceSums,
): ServiceImpact {
  const margin = (price: number, of: { cost: number; costed: number }) => {
    const known = marginOf(price, of)
    return known === null ? null : dollars(known)
  }
  return {
    uid: before.uid,
    name: before.name,
    changes: !samePrices(before, after),
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
