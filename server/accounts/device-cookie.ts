/** The cookie by which a browser that has signed in is known: known-browsers.ts. */
import type { FastifyReply } from 'fastify'
import type { RequestOrigin } from './audit.ts'
import { rememberKnownBrowser } from './known-browsers.ts'
import type { AccountsContext } from './service.ts'

const PATH = '/api/auth'
const DAY_SECONDS = 24 * 60 * 60

/** Call it after a complete sign-in: with a second factor, after that. */
export async function rememberBrowser(
  ctx: AccountsContext,
  reply: FastifyReply,
  userId: number,
  origin: RequestOrigin,
): Promise<void> {
  const cookie = await rememberKnownBrowser(ctx, userId, origin)
  if (!cookie) return
  reply.setCookie(cookie.name, cookie.value, {
    path: PATH,
    httpOnly: true,
    sameSite: 'lax',
    secure: ctx.config.publicUrl.startsWith('https:'),
    maxAge: cookie.days * DAY_SECONDS,
  })
}
