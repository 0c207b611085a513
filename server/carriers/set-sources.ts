/** The sources of services, for administrators. */
import { insertAuditEntry } from '#server/accounts/audit-store.ts'
import type { Db } from '#server/platform/database/database.ts'
import { Refusal, refuseField } from '#server/platform/http/refusal.ts'
import { carrierAccounts } from './accounts.ts'
import type { CarrierContext } from './service.ts'
import { sourcesOfService } from './source-rules.ts'
import type { SourcesOfService } from './source-rules.ts'
import {
  lockServiceSources,
  replaceServiceSources,
  selectDownAccounts,
  selectServiceSources,
} from './source-store.ts'
import { selectRawServices } from './store.ts'

export type SourcedService = SourcesOfService & { uid: string; name: string }

const namesOf = (ctx: CarrierContext): string[] => carrierAccounts(ctx).map(({ name }) => name)

/** Every service that an account offers. */
export async function listSourcedServices(ctx: CarrierContext, db: Db): Promise<SourcedService[]> {
  const stored = await selectServiceSources(db)
  return (await selectRawServices(db)).map(({ uid, name }) => ({
    uid,
    name,
    ...sourcesOfService(stored, namesOf(ctx), uid),
  }))
}

/** Names at their carriers of the accounts whose services go to their second sources now. */
export const listDownAccounts = (ctx: CarrierContext): Promise<string[]> =>
  selectDownAccounts(
    ctx.database.db,
    carrierAccounts(ctx).map(({ carrier }) => carrier.account),
  )

/**
 * Counts for labels that are claimed from then on. Throws Refusal: 404 for an unknown service, 409 if the sources are
 * not those `seen`, 422 for an account that is not connected or does not offer the service.
 */
export async function setServiceSources(
  ctx: CarrierContext,
  actorId: number,
  uid: string,
  sources: SourcesOfService,
  seen?: SourcesOfService,
): Promise<SourcedService> {
  await assertOffered(ctx, uid, sources)
  return ctx.database.tx(async tx => {
    await lockServiceSources(tx)
    const before = (await listSourcedServices(ctx, tx)).find(one => one.uid === uid)
    if (!before) throw new Refusal('catalogue_service_unknown', 'Service not found')
    if (areEqual(before, sources)) return before
    if (seen && !areEqual(before, seen))
      throw new Refusal(
        'changed_meanwhile',
        `The carrier accounts of ${before.name} have changed in the meantime, to ${sourcesText(before)}. Nothing was saved.`,
      )
    const { first, second } = sources
    await replaceServiceSources(tx, uid, second === null ? [first] : [first, second])
    const detail = { service: before.name, from: sourcesText(before), to: sourcesText(sources) }
    await insertAuditEntry(tx, { actorId, subjectId: null, action: 'service-sources-set', detail })
    return { ...before, first, second }
  })
}

const areEqual = (a: SourcesOfService, b: SourcesOfService): boolean =>
  a.first === b.first && a.second === b.second

const sourcesText = ({ first, second }: SourcesOfService): string =>
  second === null ? first : `${first}, then ${second}`

async function assertOffered(
  ctx: CarrierContext,
  uid: string,
  { first, second }: SourcesOfService,
): Promise<void> {
  if (first === second)
    throw refuseField(
      'sources.second',
      'not_a_choice',
      `The second account must be another one than ${first}, or none`,
    )
  for (const [field, name] of [
    ['sources.first', first],
    ['sources.second', second],
  ] as const) {
    if (name === null) continue
    const account = carrierAccounts(ctx).find(one => one.name === name)
    if (!account)
      throw refuseField(
        field,
        'not_a_choice',
        `There is no carrier account ${name}; choose one of: ${namesOf(ctx).join(', ')}`,
      )
    if (!(await account.carrier.services()).some(one => one.uid === uid))
      throw refuseField(field, 'not_a_choice', `The account ${name} does not sell this service`)
  }
}
