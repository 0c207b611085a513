import { VERSION } from '#server/platform/process/version.ts'
import type { WebhooksContext } from './context.ts'
import type { EndpointRecord, SealedSecrets } from './endpoint-store.ts'
import { sendTry } from './outgoing/call.ts'
import type { Connections } from './outgoing/call.ts'
import type { TryResult } from './rules.ts'
import { unsealSecrets } from './service.ts'

const USER_AGENT = `Evenpost-Webhooks/${VERSION}`

/** Where a message goes, with the secrets that sign it. */
export type Receiver = Pick<EndpointRecord, 'id' | 'url' | 'format'> & SealedSecrets

/** One try, signed now. Never throws. */
export async function trySend(
  { config, formats, secretKey, lookup }: WebhooksContext,
  receiver: Receiver,
  { messageId, body }: { messageId: string; body: string },
  connections: Connections,
): Promise<TryResult> {
  const secrets = unsealSecrets(secretKey, receiver)
  const now = Date.now()
  if (secrets === null)
    return {
      outcome: 'secret_unreadable',
      status: null,
      answer: null,
      retryAfterMs: null,
      at: now,
      durationMs: 0,
    }
  const seconds = Math.floor(now / 1000)
  const headers = {
    ...formats[receiver.format].sign({ messageId, body, seconds, secrets }),
    'user-agent': USER_AGENT,
  }
  const outgoing = { allowsLoopback: config.webhooksAllowLoopback, lookup }
  return sendTry(outgoing, connections, { url: receiver.url, headers, body })
}
