import * as calls from '#contract/api-keys.ts'
import type { ApiKey } from '#contract/api-keys.ts'
import { dollars } from '#contract/money.ts'
import type { Router } from '#server/platform/http/router.ts'
import { currentKeyOf, deleteOwnKey, keyMode, keysOf, makeKey, replaceOwnKey } from './api-keys.ts'
import type { ApiKeyRecord, MadeKey } from './api-keys.ts'
import { keyPrefix } from './key-format.ts'
import type { KeyMode } from './key-format.ts'
import type { AccountsContext } from './service.ts'

export function registerApiKeyRoutes(router: Router, ctx: AccountsContext): void {
  const { db } = ctx.database
  const mode = keyMode(ctx)
  const madeWire = ({ record, key }: MadeKey) => ({ ...keyWire(record, mode), key })

  router.handle(calls.listKeys, async ({ params }) => {
    const keys = await keysOf(db, Number(params.userId))
    return { keys: keys.map(key => keyWire(key, mode)) }
  })

  router.handle(calls.createKey, async ({ caller, body }) =>
    madeWire(await makeKey(ctx, caller, body)),
  )

  router.handle(calls.rotateKey, async ({ caller, params, body }) =>
    madeWire(await replaceOwnKey(ctx, caller, Number(params.keyId), body.graceHours)),
  )

  router.handle(calls.deleteKey, async ({ caller, params }) => {
    await deleteOwnKey(ctx, caller, Number(params.keyId))
    return { ok: true, message: 'API key deleted' }
  })

  router.handle(calls.currentKey, async ({ caller }) => ({
    userId: String(caller.userId),
    mode,
    key: keyWire(await currentKeyOf(db, caller), mode),
  }))
}

const keyWire = (key: ApiKeyRecord, mode: KeyMode): ApiKey => ({
  _id: String(key.id),
  name: key.name,
  prefix: keyPrefix(mode),
  last4: key.last4,
  scopes: key.scopes,
  dailyLimit: key.dailyLimit === null ? null : dollars(key.dailyLimit),
  spentToday: key.spentToday === null ? null : dollars(key.spentToday),
  createdAt: key.createdAt.toISOString(),
  expiresAt: key.expiresAt?.toISOString() ?? null,
  lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
  replacedBy: key.replacedBy === null ? null : String(key.replacedBy),
})
