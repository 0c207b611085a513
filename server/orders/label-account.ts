import { contextOfAccount } from '#server/carriers/service.ts'
import type { LabelContext } from './context.ts'
import { selectAccountOfLabel } from './open-labels-store.ts'

/**
 * The context of the account that sold the label, or was asked to: only it can look the label up, void, print or
 * track it. `ctx` itself if that account is not connected, or there is one account only.
 */
export async function contextOfLabel(ctx: LabelContext, orderId: number): Promise<LabelContext> {
  if (ctx.carrierAccounts === undefined) return ctx
  const account = await selectAccountOfLabel(ctx.database.db, orderId)
  return (account !== null && contextOfAccount(ctx, account)) || ctx
}
