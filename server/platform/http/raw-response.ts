import type { Duplex } from 'node:stream'

/** What every answer says, whoever gives it. */
export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
}

/**
 * A refusal to whom no call was answered: his request is no HTTP, or wants to be more than a call. In the shape of every refusal, and
 * hung up after. `status` with its words: '408 Request Timeout'; `retryAfter` in seconds.
 */
export function sendRawRefusal(
  socket: Duplex,
  status: string,
  message: string,
  retryAfter?: number,
): void {
  const body = JSON.stringify({ message, error: message })
  const headers = {
    ...SECURITY_HEADERS,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
    ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end([`HTTP/1.1 ${status}`, ...lines, '', body].join('\r\n'), () => socket.destroy())
}
