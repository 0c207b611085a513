/** The second, path-limited cookie that opens downloads, because a new tab sends no headers (architecture, 8). */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { logout } from '#contract/accounts.ts'
import { downloadTestPage } from '#contract/downloads.ts'
import { exportOrdersCsv } from '#contract/orders-admin.ts'
import type { Context } from '#server/platform/context.ts'
import type { Caller } from '#server/platform/http/router.ts'
import { authenticateDownload, downloadCookieValue, SESSION_DAYS } from './sessions.ts'

type ContextWithInstance = Context & { instance: string }

// Cookies know no ports: without the instance two copies on one host would take each other's.
const cookieName = (ctx: ContextWithInstance): string => `evenpost-dl-${ctx.instance}`

/** Where downloads are, and where one signs out, to tell whose cookie this browser holds; a browser keeps one for each. */
const COOKIE_PATHS = [
  '/api/orders/download',
  downloadTestPage.path,
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

/** Sets the cookie that belongs to `token`. */
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

/** Takes the cookie away when its token signs out; unless another sign-in of this browser has set its own since. */
export function clearDownloadCookie(
  ctx: ContextWithInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
): void {
  const there = request.cookies[cookieName(ctx)]
  if (there !== undefined && there !== downloadCookieValue(token)) return
  for (const path of COOKIE_PATHS) reply.clearCookie(cookieName(ctx), cookieOptions(ctx, path))
}

/** Who is behind the download cookie of a request, or null. */
export const callerFromDownloadCookie = (
  ctx: ContextWithInstance,
  request: FastifyRequest,
): Promise<Caller | null> => authenticateDownload(ctx)(request.cookies[cookieName(ctx)] ?? '')
