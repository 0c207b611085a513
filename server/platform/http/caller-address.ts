/** Where a caller is, with and without proxies in between: the same for calls and for live lines. */
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv6 } from 'node:net'
import { OperatorError } from '#server/platform/process/operator-error.ts'

/** Whose word about who is behind him is taken. `hop`: how many have passed it on, from 0. */
export type TrustsAddress = (address: string, hop: number) => boolean

const NAMED_NETWORKS: Record<string, string[]> = {
  loopback: ['127.0.0.1/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/**
 * TRUST_PROXY as a rule: nobody, the one in front whichever it is (what it was told by those behind it is the caller's own word), or
 * a list of addresses, networks (10.0.0.0/8) and names (loopback, linklocal, uniquelocal). Throws Trouble at anything else.
 */
export function compileTrust(trustProxy: boolean | string): TrustsAddress {
  if (typeof trustProxy === 'boolean') return (_, hop) => trustProxy && hop === 0
  const list = new BlockList()
  for (const one of trustProxy.split(',').map(part => part.trim())) {
    for (const network of NAMED_NETWORKS[one] ?? [one]) {
      const [address = '', bits] = network.split('/')
      const family = isIPv6(address) ? 'ipv6' : 'ipv4'
      const most = family === 'ipv6' ? 128 : 32
      if (
        isIP(address) === 0
        || (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= most))
      ) {
        throw new OperatorError(
          `TRUST_PROXY=${trustProxy}: ${one} is no address; write yes, no, loopback, 10.0.0.7 or 10.0.0.0/8`,
        )
      }
      list.addSubnet(address, Number(bits ?? most), family)
    }
  }
  return address => {
    const plain = unmapIPv4(address)
    return isIP(plain) !== 0 && list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
  }
}

const unmapIPv4 = (address: string): string =>
  /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address

/** The address of whoever sent the request, as far as those who passed it on are trusted. */
export function callerAddress(request: IncomingMessage, trusts: TrustsAddress): string {
  const told = String(request.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')
    .reverse()
  const addresses = [request.socket.remoteAddress ?? '', ...told]
  const first = addresses.findIndex((address, hop) => !trusts(address, hop))
  return addresses[first === -1 ? addresses.length - 1 : first]!
}
