import { insertAuditEntry } from '#server/accounts/audit-store.ts'
import { lockExistingUser } from '#server/accounts/service.ts'
import type { WebhooksContext } from './context.ts'
import { switchOff } from './endpoint-store.ts'
import type { EndpointClaim } from './endpoint-store.ts'
import { switchedOffMail } from './mails.ts'
import { getEndpoint, subscribe } from './service.ts'
import { cancelAllOf } from './sweep.ts'

/** `url`: the address that was tried. The owner is told by mail; what waits is canceled and can be replayed. */
export async function switchEndpointOff(
  ctx: WebhooksContext,
  { id, userId, url }: Pick<EndpointClaim, 'id' | 'userId'> & { url: string },
  reason: 'gone' | 'dead',
): Promise<void> {
  const isOff = await ctx.database.tx(async tx => {
    const user = await lockExistingUser(tx, userId)
    if (!(await switchOff(tx, { id, url }, reason))) return false
    await subscribe(tx, userId)
    const detail = { webhookId: id, reason }
    await insertAuditEntry(tx, { actorId: null, subjectId: userId, action: 'webhook-off', detail })
    const { createdAt } = await getEndpoint(tx, userId, id)
    const link = `${ctx.config.publicUrl}/main/account#webhooks`
    const mail = switchedOffMail(user.email, { reason, createdAt, link })
    await ctx.mailer.enqueue(tx, { ...mail, kind: 'webhook-off', userId })
    return true
  })
  if (!isOff) return
  ctx.log.warn({ endpoint: id, userId, reason }, 'a webhook was switched off')
  await cancelAllOf(ctx.database, id)
}
