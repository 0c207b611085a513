/** How many cents a label of a default service may cost above its price (docs/carriers.md#losses). */
import { usd } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import { insertAuditEntry } from '#server/accounts/audit-store.ts'
import type { Context } from '#server/platform/context.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { selectLossLimits, updateLossLimit } from './loss-limits-store.ts'
import type { LossLimitRecord } from './loss-limits-store.ts'
import { lockCatalogue } from './store.ts'

const limitText = (limit: Cents | null): string =>
  limit === null ? 'the limit of the installation' : usd(limit)

/**
 * `maxLoss`: null for the limit of the installation. Labels claimed from now on have it. Throws
 * Refusal: 404 unknown service, 409 when the current limit differs from `expected`.
 */
export const setLossLimit = (
  { database }: Pick<Context, 'database'>,
  defaultId: number,
  maxLoss: Cents | null,
  actorId: number,
  expected?: Cents | null,
): Promise<LossLimitRecord> =>
  database.tx(async tx => {
    await lockCatalogue(tx)
    const before = (await selectLossLimits(tx)).find(({ id }) => id === defaultId)
    if (!before) throw new Refusal('catalogue_service_unknown', 'Service not found')
    if (maxLoss === before.maxLoss) return before
    if (expected !== undefined && expected !== before.maxLoss)
      throw new Refusal(
        'changed_meanwhile',
        `The limit of ${before.name} has changed in the meantime, to ${limitText(before.maxLoss)}. Nothing was saved.`,
      )
    await updateLossLimit(tx, defaultId, maxLoss)
    await insertAuditEntry(tx, {
      actorId,
      subjectId: null,
      action: 'service-loss-limited',
      detail: { service: before.name, from: limitText(before.maxLoss), to: limitText(maxLoss) },
    })
    return { ...before, maxLoss }
  })
