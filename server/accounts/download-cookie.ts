/** A path-limited cookie that authorizes downloads, because a new tab sends no headers. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { logout } from '#contract/accounts.ts'
import { FAILED_ROWS_PATH, PACKING_SLIPS_PATH, PICK_LIST_PATH } from '#contract/downloads.ts'
import { exportOrdersCsv } from '#contract/orders-admin.ts'
import type { Context } from '#server/platform/context.ts'
import type { Caller } from '#server/platform/http/router.ts'
import { authenticateDownload, downloadCookieValue, SESSION_DAYS } from './sessions.ts'

type ContextWithInstance = Context & { instance: () => string }

// Cookies ignore ports: without the instance, two installations on one host would overwrite each
// other's.
const cookieName = (ctx: ContextWithInstance): string => `evenpost-dl-${ctx.instance()}`

/**
 * Download paths, and sign-out, which compares the cookie with its token. A browser stores one
 * cookie per path.
 */
const COOKIE_PATHS = [
  '/api/orders/download',
  '/api/orders/file',
  '/api/orders/export',
  PACKING_SLIPS_PATH,
  PICK_LIST_PATH,
  FAILED_ROWS_PATH,
  '/api/wallet',
  exportOrdersCsv.path,
  logout.path,
]

const cookieOptions = (ctx: ContextWithInstance, path: string) => ({
  path,
  httpOnly: true,
  sameSite: 'lax' as const,
  secure: ctx.config.publicUrl.startsWith('https:'),
})

export function setDownloadCookie(
  ctx: ContextWithInstance,
  reply: FastifyReply,
  token: string,
): void {
  for (const path of COOKIE_PATHS) {
    reply.setCookie(cookieName(ctx), downloadCookieValue(token), {
      ...cookieOptions(ctx, path),
      maxAge: SESSION_DAYS * 24 * 3600,
    })
  }
}

/**
 * Clears the cookie of a token that signs out, unless another session of this browser has set its
 * own since.
 */
export function clearDownloadCookie(
  ctx: ContextWithInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
): void {
  const current = request.cookies[cookieName(ctx)]
  if (current !== undefined && current !== downloadCookieValue(token)) return
  for (const path of COOKIE_PATHS) reply.clearCookie(cookieName(ctx), cookieOptions(ctx, path))
}

export const callerFromDownloadCookie = (
  ctx: ContextWithInstance,
  request: FastifyRequest,
): Promise<Caller | null> => authenticateDownload(ctx)(request.cookies[cookieName(ctx)] ?? '')
