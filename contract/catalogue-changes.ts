import type { ConfiguredService } from './catalogue.ts'

type ServiceListing = Pick<ConfiguredService, 'uid' | 'name' | 'category' | 'maxWeight' | 'status'>

/**
 * What a sync with the carrier changed: names of services; `limits` in lb. A service can be in more
 * than one list.
 */
export type SyncChanges = {
  added: string[]
  vanished: string[]
  /** Offered again. */
  returned: string[]
  limits: { name: string; from: number; to: number }[]
  categories: { name: string; from: string; to: string }[]
}

export function syncChanges(
  before: readonly ServiceListing[],
  after: readonly ServiceListing[],
): SyncChanges {
  const known = new Map(before.map(service => [service.uid, service]))
  const both = after.flatMap(now => {
    const old = known.get(now.uid)
    return old ? [{ old, now, name: now.name }] : []
  })
  return {
    added: after.filter(({ uid }) => !known.has(uid)).map(({ name }) => name),
    vanished: both.filter(({ old, now }) => old.status && !now.status).map(({ name }) => name),
    returned: both.filter(({ old, now }) => !old.status && now.status).map(({ name }) => name),
    limits: both
      .filter(({ old, now }) => old.maxWeight !== now.maxWeight)
      .map(({ old, now, name }) => ({ name, from: old.maxWeight, to: now.maxWeight })),
    categories: both
      .filter(({ old, now }) => old.category !== now.category)
      .map(({ old, now, name }) => ({ name, from: old.category, to: now.category })),
  }
}

export const hasSyncChanges = (changes: SyncChanges): boolean =>
  Object.values(changes).some(list => list.length > 0)
