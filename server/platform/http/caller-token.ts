import type { FastifyRequest } from 'fastify'
import { KEY_MARK } from '#contract/keys.ts'

/** What every session token begins with. */
export const SESSION_MARK = 'sl_'

/**
 * The session token or key of a request: of the header `token`, or else a key of `Authorization:
 * Bearer` or the user name of HTTP Basic. Empty without one. Another `Authorization`, such as that of a
 * proxy in front, is none.
 */
export function tokenOf({ headers }: Pick<FastifyRequest, 'headers'>): string {
  const { token, authorization } = headers
  if (typeof token === 'string' && token !== '') return token
  const [, scheme = '', value = ''] =
    /^(Bearer|Basic) +([^\s]+) *$/i.exec(authorization ?? '') ?? []
  if (scheme === '') return ''
  const given =
    scheme.toLowerCase() === 'bearer'
      ? value
      : Buffer.from(value, 'base64').toString('latin1').split(':', 1)[0]!
  return isKey(given) ? given : ''
}

/** Whether a token is a key, or looks like one. */
export const isKey = (token: string): boolean => token.startsWith(KEY_MARK)
