import { isIP, isIPv6 } from 'node:net'
import proxyaddr from '@fastify/proxy-addr'
import { OperatorError } from '#server/platform/process/operator-error.ts'

/** Whether an address may report the address behind it. `hop`: proxies passed so far, from 0. */
export type ProxyTrust = (address: string, hop: number) => boolean

const NETWORK_NAMES = new Set(['loopback', 'linklocal', 'uniquelocal'])

/**
 * TRUST_PROXY for Fastify and @fastify/proxy-addr. `true` trusts one hop only, since further
 * addresses are the caller's own claim. A text lists addresses, networks (10.0.0.0/8) and names
 * (loopback). Throws OperatorError for other texts.
 */
export function compileTrust(trustProxy: boolean | string): ProxyTrust {
  if (typeof trustProxy === 'boolean') return (_, hop) => trustProxy && hop === 0
  const entries = trustProxy.split(',').map(entry => entry.trim())
  const wrong = entries.find(entry => !isNetwork(entry))
  if (wrong !== undefined) {
    throw new OperatorError(
      `TRUST_PROXY=${trustProxy}: ${wrong} is not an address; use yes, no, loopback, 10.0.0.7 or 10.0.0.0/8`,
    )
  }
  return proxyaddr.compile(entries.flatMap(halveWholeNetwork))
}

function isNetwork(entry: string): boolean {
  if (NETWORK_NAMES.has(entry)) return true
  const [address = '', bits = '0', ...rest] = entry.split('/')
  return (
    isIP(address) !== 0
    && rest.length === 0
    && /^\d{1,3}$/.test(bits)
    && Number(bits) <= (isIPv6(address) ? 128 : 32)
  )
}

/**
 * @fastify/proxy-addr refuses a prefix length of 0, so a whole network is given as its two halves.
 */
function halveWholeNetwork(entry: string): string[] {
  if (!/\/0+$/.test(entry)) return [entry]
  return isIPv6(entry.split('/')[0]!) ? ['::/1', '8000::/1'] : ['0.0.0.0/1', '128.0.0.0/1']
}
