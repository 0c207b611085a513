import { expect, test } from 'vitest'
import { notSentCode, NotSentError, sendRequest } from './http.ts'

/** As `fetch` throws it. */
const fetchError = (code: string, syscall?: string): Error =>
  new TypeError('fetch failed', {
    cause: Object.assign(new Error(`${syscall} ${code}`), { code, ...(syscall && { syscall }) }),
  })

test('a carrier whose address is not found, or that takes no connection, has sold nothing', async () => {
  expect(notSentCode(fetchError('ENOTFOUND', 'getaddrinfo'))).toBe('ENOTFOUND')
  expect(notSentCode(fetchError('EHOSTUNREACH', 'connect'))).toBe('EHOSTUNREACH')
  expect(notSentCode(fetchError('CERT_HAS_EXPIRED'))).toBe('CERT_HAS_EXPIRED')
  // Nothing listens on this port, and it is given to no program.
  const sent = sendRequest('http://127.0.0.1:2/', {}, AbortSignal.timeout(60_000))
  await expect(sent).rejects.toBeInstanceOf(NotSentError)
})

test('a network that is lost after the request was sent proves nothing: the label may be sold', () => {
  for (const code of ['EHOSTUNREACH', 'ENETUNREACH', 'ECONNRESET'])
    for (const syscall of ['read', 'write'])
      expect([code, syscall, notSentCode(fetchError(code, syscall))]).toEqual([code, syscall, null])
  expect(notSentCode(fetchError('UND_ERR_SOCKET'))).toBe(null)
})
