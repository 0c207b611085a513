/** Which of several accounts may sell a service now. With one account nothing is asked. */
import type { Db, Tx } from '#server/platform/database/database.ts'
import { carrierAccounts } from './accounts.ts'
import type { CarrierContext } from './service.ts'
import { saleScope, sellerNow, sourcesOfService } from './source-rules.ts'
import type { SaleScope } from './source-rules.ts'
import {
  clearSilentAccount,
  recordSilentAccount,
  selectDownAccounts,
  selectServiceSources,
} from './source-store.ts'

/** Services that the account of `ctx` may sell now; null: every service, as it is the only account. */
export async function saleScopeOf(ctx: CarrierContext, tx: Tx): Promise<SaleScope | null> {
  if (ctx.carrierAccounts === undefined) return null
  const { stored, connected, isDown } = await readSources(ctx, tx)
  const own = ctx.carrierAccounts.find(one => one.carrier.account === ctx.carrier.account)
  return saleScope(stored, connected, own?.name ?? '', isDown)
}

/** The context of the account that sells a new label of this service. */
export async function sellerOf<Own extends CarrierContext>(
  ctx: Own,
  db: Db,
  serviceUid: string,
): Promise<Own> {
  if (ctx.carrierAccounts === undefined) return ctx
  const { stored, connected, isDown } = await readSources(ctx, db)
  const name = sellerNow(sourcesOfService(stored, connected, serviceUid), isDown)
  return { ...ctx, carrier: ctx.carrierAccounts.find(one => one.name === name)!.carrier }
}

/** The context of the account that sells this service while it works. */
export async function firstSourceOf<Own extends CarrierContext>(
  ctx: Own,
  db: Db,
  serviceUid: string,
): Promise<Own> {
  const [group] = await sourcesOfServices(ctx, db, [serviceUid])
  return group!.sources[0]
}

/** The services that have a second source: a label of them need not wait for the first. */
export async function servicesWithSecondSource(
  ctx: CarrierContext,
  db: Db,
): Promise<ReadonlySet<string>> {
  if (ctx.carrierAccounts === undefined) return new Set()
  const stored = await selectServiceSources(db)
  const connected = carrierAccounts(ctx).map(({ name }) => name)
  return new Set(
    stored
      .map(({ serviceUid }) => serviceUid)
      .filter(uid => sourcesOfService(stored, connected, uid).second !== null),
  )
}

/**
 * The contexts of the accounts that sell these services, the first source first, with the services of each. With one
 * account it has all of them.
 */
export async function sourcesOfServices<Own extends CarrierContext>(
  ctx: Own,
  db: Db,
  serviceUids: readonly string[],
): Promise<{ services: string[]; sources: [Own, ...Own[]] }[]> {
  const accounts = ctx.carrierAccounts
  if (accounts === undefined) return [{ services: [...serviceUids], sources: [ctx] }]
  const stored = await selectServiceSources(db)
  const connected = accounts.map(({ name }) => name)
  const contextOf = (name: string): Own => ({
    ...ctx,
    carrier: accounts.find(one => one.name === name)!.carrier,
  })
  const withSources = serviceUids.map(uid => ({
    uid,
    ...sourcesOfService(stored, connected, uid),
  }))
  const groups = Map.groupBy(withSources, ({ first, second }) => `${first} ${second ?? ''}`)
  return [...groups.values()].map(group => {
    const { first, second } = group[0]!
    const others = second === null ? [] : [contextOf(second)]
    return { services: group.map(({ uid }) => uid), sources: [contextOf(first), ...others] }
  })
}

async function readSources(ctx: CarrierContext, db: Db) {
  const accounts = carrierAccounts(ctx)
  const stored = await selectServiceSources(db)
  // Without a stored source nothing has a second one.
  const down =
    stored.length === 0
      ? []
      : await selectDownAccounts(
          db,
          accounts.map(({ carrier }) => carrier.account),
        )
  const isDown = (name: string): boolean =>
    down.includes(accounts.find(one => one.name === name)?.carrier.account ?? '')
  return { stored, connected: accounts.map(({ name }) => name), isDown }
}

/**
 * Tells all processes that the account does not answer, or (`ms` null) that it does again. A failed update is
 * repeated by the next call.
 */
export async function noteSilence(ctx: CarrierContext, ms: number | null): Promise<void> {
  if (ctx.carrierAccounts === undefined) return
  const { account } = ctx.carrier
  try {
    await ctx.database.tx(tx =>
      ms === null ? clearSilentAccount(tx, account) : recordSilentAccount(tx, account, ms),
    )
  } catch (error) {
    ctx.log.warn({ err: error }, 'whether the carrier answers could not be noted')
  }
}
