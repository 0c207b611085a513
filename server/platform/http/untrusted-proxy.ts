/**
 * A reverse proxy that TRUST_PROXY does not name: without a remedy all its visitors are one address
 * and share its limits.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import proxyaddr from '@fastify/proxy-addr'
import type { FastifyInstance } from 'fastify'
import type { Context } from '#server/platform/context.ts'
import type { Database } from '#server/platform/database/database.ts'
import { findSetting, putSetting } from '#server/platform/database/settings.ts'
import { compileTrust } from './trust-proxy.ts'

const SETTING = 'untrusted_proxy'
const NOTE_INTERVAL_MS = 60 * 60 * 1000
const NOTE_DAYS = 7
const DAY_MS = 24 * 60 * 60 * 1000

const inPrivateNetwork = proxyaddr.compile(['loopback', 'linklocal', 'uniquelocal'])
const isPrivate = (address: string): boolean => isIP(address) !== 0 && inPrivateNetwork(address, 0)

/**
 * The visitor's address as a proxy that TRUST_PROXY does not name forwards it; null without such a
 * proxy. Good only for telling visitors apart. A header from a public address is not looked at:
 * anyone can send one.
 */
export function claimedAddress(address: string, headers: IncomingHttpHeaders): string | null {
  const entries = forwardedFor(headers)
  const last = entries.at(-1)
  if (last === undefined || isIP(last) === 0) return null
  // A trusted proxy's visitor is one of the entries.
  return isPrivate(address) && !entries.includes(address) ? last : null
}

const forwardedFor = (headers: IncomingHttpHeaders): string[] =>
  [headers['x-forwarded-for'] ?? []].flat().flatMap(text => text.split(',').map(one => one.trim()))

/** Logs and stores that X-Forwarded-For comes from a peer which TRUST_PROXY does not name. */
export function watchForUntrustedProxy(app: FastifyInstance, ctx: Context): void {
  const isTrusted = compileTrust(ctx.config.trustProxy)
  let notedAt = -Infinity
  app.addHook('onRequest', async request => {
    const peer = request.socket.remoteAddress ?? ''
    if (request.headers['x-forwarded-for'] === undefined || !isPrivate(peer)) return
    if (isTrusted(peer, 0) || performance.now() - notedAt < NOTE_INTERVAL_MS) return
    if (notedAt === -Infinity) ctx.log.warn({ peer }, warningText(peer))
    notedAt = performance.now()
    const note = JSON.stringify({ peer, at: new Date().toISOString() })
    ctx.database
      .tx(tx => putSetting(tx, SETTING, note))
      .catch((error: unknown) =>
        ctx.log.warn({ err: error }, 'the untrusted proxy could not be noted'),
      )
  })
}

/** A sentence if such a proxy was seen in the last seven days, for the start and the doctor. */
export async function untrustedProxyWarning(
  { db }: Pick<Database, 'db'>,
  trustProxy: boolean | string,
): Promise<string | null> {
  const note = await findSetting(db, SETTING)
  if (note === undefined) return null
  const { peer, at } = JSON.parse(note) as { peer: string; at: string }
  const isOld = Date.now() - new Date(at).getTime() > NOTE_DAYS * DAY_MS
  return isOld || compileTrust(trustProxy)(peer, 0) ? null : `${warningText(peer)} (${at})`
}

const warningText = (peer: string): string =>
  `X-Forwarded-For comes from ${peer}, which TRUST_PROXY does not name: limits take all visitors of that proxy for one address. `
  + `If it is your proxy, set TRUST_PROXY=${peer}; if it is not, let it remove the header`
