/** Through which carrier account a service is sold (docs/decisions/0060). */

export type SourceRank = 1 | 2

/** `account`: its short name in the configuration. */
export type ServiceSource = { serviceUid: string; rank: SourceRank; account: string }

/** The accounts of a service; `second` null: it waits while the first is down. */
export type SourcesOfService = { first: string; second: string | null }

/**
 * What is stored for a service, of the accounts that are connected. A first source that is not connected
 * counts as not stored: the second one takes its place, otherwise the first account of the configuration.
 */
export function sourcesOfService(
  stored: readonly ServiceSource[],
  connected: readonly string[],
  serviceUid: string,
): SourcesOfService {
  const [first = connected[0]!, second = null] = stored
    .filter(one => one.serviceUid === serviceUid && connected.includes(one.account))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ account }) => account)
  return { first, second: second === first ? null : second }
}

/** The account that a label of these sources may be sold by now. A second one that is down too changes nothing. */
export const sellerNow = (
  { first, second }: SourcesOfService,
  isDown: (account: string) => boolean,
): string => (second !== null && isDown(first) && !isDown(second) ? second : first)

/** Services that an account may sell now. `all`: a service without stored sources, too. */
export type SaleScope = { all: boolean; listed: string[] }

/**
 * `listed`: with `all` those that it may not sell, otherwise those that it may. The first source may
 * always: a label that waits for it is what finds out that it works again.
 */
export function saleScope(
  stored: readonly ServiceSource[],
  connected: readonly string[],
  account: string,
  isDown: (account: string) => boolean,
): SaleScope {
  const all = account === connected[0]
  const services = [...new Set(stored.map(({ serviceUid }) => serviceUid))]
  const maySell = (uid: string): boolean => {
    const sources = sourcesOfService(stored, connected, uid)
    return sources.first === account || sellerNow(sources, isDown) === account
  }
  return { all, listed: services.filter(uid => maySell(uid) !== all) }
}
