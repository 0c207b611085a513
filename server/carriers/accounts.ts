/** The configured carrier accounts, and the context in which each of them is called. */
import type { CarrierAccountNames } from './account-store.ts'
import type { Carrier, CarrierOptions } from './port.ts'
import type { CarrierContext } from './service.ts'

/** `name`: short, from CARRIER_ACCOUNTS. `earlierNames`: what `carrier.account` was with former keys. */
export type CarrierAccount = { name: string; carrier: Carrier; earlierNames: readonly string[] }

/** The name of the only account where CARRIER_ACCOUNTS is not set. */
export const ONLY_ACCOUNT_NAME = 'main'

/** The first is the default source of every service. */
export const carrierAccounts = (ctx: CarrierContext): readonly CarrierAccount[] =>
  ctx.carrierAccounts ?? [
    {
      name: ctx.config.carrierAccounts[0].name,
      carrier: ctx.carrier,
      earlierNames: ctx.config.carrierSameAccount,
    },
  ]

/** The same context with each account as its carrier, in an order that is the same in all processes. */
export const accountContexts = <Own extends CarrierContext>(ctx: Own): Own[] =>
  ctx.carrierAccounts === undefined
    ? [ctx]
    : ctx.carrierAccounts
        .map(({ carrier }) => ({ ...ctx, carrier }))
        .toSorted((a, b) => (a.carrier.account < b.carrier.account ? -1 : 1))

/**
 * What all accounts can do with a service: a label with an option can then be sold by its second
 * source too.
 */
export const optionsOfAccounts = (ctx: CarrierContext): Pick<Carrier, 'options'> => {
  const each = carrierAccounts(ctx).map(({ carrier }) => carrier.options)
  return {
    options: uid => {
      const can = (option: keyof CarrierOptions): boolean =>
        each.every(options => options?.(uid)[option] ?? false)
      return { signature: can('signature'), adult: can('adult'), saturday: can('saturday') }
    },
  }
}

/** An account's names at its carrier, the present one first. */
export const namesOfAccount = ({ carrier, earlierNames }: CarrierAccount): CarrierAccountNames => [
  carrier.account,
  ...earlierNames,
]

/** The context of the account with this name at its carrier, present or former; undefined if it is not connected. */
export const contextOfAccount = <Own extends CarrierContext>(
  ctx: Own,
  account: string,
): Own | undefined =>
  accountContexts(ctx).find(own => namesOfOwnCarrierAccount(own).includes(account))

/** Names of the account that `ctx` calls, the present one first. */
export function namesOfOwnCarrierAccount(ctx: CarrierContext): CarrierAccountNames {
  const { carrier, config } = ctx
  const own = ctx.carrierAccounts?.find(one => one.carrier.account === carrier.account)
  return own ? namesOfAccount(own) : [carrier.account, ...config.carrierSameAccount]
}

/** Names of all connected accounts, those of the account that `ctx` calls first. */
export const namesOfCarrierAccounts = (ctx: CarrierContext): CarrierAccountNames => [
  ...namesOfOwnCarrierAccount(ctx),
  ...namesOfOtherCarrierAccounts(ctx),
]

/** Names of the connected accounts that `ctx` does not call: their labels are left to them. */
export const namesOfOtherCarrierAccounts = (ctx: CarrierContext): string[] =>
  (ctx.carrierAccounts ?? [])
    .filter(({ carrier }) => carrier.account !== ctx.carrier.account)
    .flatMap(namesOfAccount)
