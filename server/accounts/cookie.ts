/** The second, path-limited cookie that opens downloads, because a new tab sends no headers (architecture, 8). */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { logout } from '#contract/accounts.ts'
import { ordersCsv } from '#contract/admin.ts'
import { testPage } from '#contract/orders.ts'
import type { House } from '#server/platform/house.ts'
import type { Caller } from '#server/platform/http.ts'
import { authenticateDownload, downloadValue, SESSION_DAYS } from './sessions.ts'

type Copy = House & { instance: string }

// Cookies know no ports: without the instance two copies on one host would take each other's.
const nameOf = (house: Copy): string => `evenpost-dl-${house.instance}`

/** Where downloads are, and where one signs out, to tell whose cookie this browser holds; a browser keeps one for each. */
const PATHS = ['/api/orders/download', testPage.path, '/api/wallet', ordersCsv.path, logout.path]

const options = (house: Copy, path: string) => ({
  path,
  httpOnly: true,
  sameSite: 'lax' as const,
  secure: house.config.publicUrl.startsWith('https:'),
})

/** Sets the cookie that belongs to `token`. */
export function giveCookie(house: Copy, reply: FastifyReply, token: string): void {
  for (const path of PATHS) {
    reply.setCookie(nameOf(house), downloadValue(token), {
      ...options(house, path),
      maxAge: SESSION_DAYS * 24 * 3600,
    })
  }
}

/** Takes the cookie away when its token signs out; unless another sign-in of this browser has set its own since. */
export function takeCookie(
  house: Copy,
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
): void {
  const there = request.cookies[nameOf(house)]
  if (there !== undefined && there !== downloadValue(token)) return
  for (const path of PATHS) reply.clearCookie(nameOf(house), options(house, path))
}

/** Who is behind the download cookie of a request, or null. */
export const cookieCaller = (house: Copy, request: FastifyRequest): Promise<Caller | null> =>
  authenticateDownload(house)(request.cookies[nameOf(house)] ?? '')
