/** Which addresses messages may go to: those of the public internet. */
import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import type { LookupFunction } from 'node:net'
import { callbackify } from 'node:util'

/** The `code` of the error for an address that is not allowed. */
export const ADDRESS_NOT_ALLOWED = 'EADDRNOTALLOWED'

// Special-purpose registries of IANA. Mapped IPv4 addresses (::ffff:0:0/96) are outside of 2000::/3,
// so none of their forms is allowed; as a rule of this list they would match every IPv4 address.
const NOT_PUBLIC = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  NOT_PUBLIC.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  NOT_PUBLIC.addSubnet(network, prefix, 'ipv6')
const GLOBAL_UNICAST = new BlockList()
GLOBAL_UNICAST.addSubnet('2000::', 3, 'ipv6')
const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

/** Whether a message may be sent to an IP address. */
export function isAllowedAddress(address: string, allowsLoopback: boolean): boolean {
  const family = isIP(address)
  if (family === 0) return false
  const kind = family === 4 ? 'ipv4' : 'ipv6'
  if (LOOPBACK.check(address, kind)) return allowsLoopback
  return !NOT_PUBLIC.check(address, kind) && (family === 4 || GLOBAL_UNICAST.check(address, kind))
}

/** `host` as URL.hostname gives it. True for a name: what it leads to is known at the connection. */
export function isAllowedHost(host: string, allowsLoopback: boolean): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1')
  return isIP(address) === 0 || isAllowedAddress(address, allowsLoopback)
}

/** Asks for all addresses of a name. */
export type ResolveName = (name: string) => Promise<string[]>

const RESOLVE_TIMEOUT_MS = 3_000
const RESOLVE_TRIES = 2

/**
 * Asks the DNS servers, not /etc/hosts: the resolver of the system would occupy the threads that
 * read and write files, so that slow names of one user would delay all.
 */
export function openNameResolver(): ResolveName {
  const resolver = new Resolver({ timeout: RESOLVE_TIMEOUT_MS, tries: RESOLVE_TRIES })
  return async name => {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const found = answers.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []))
    const [first] = answers
    if (found.length === 0 && first.status === 'rejected') throw first.reason
    return found
  }
}

/**
 * For `lookup` of a connection: the addresses that are checked are those connected to. One that is
 * not allowed refuses the name.
 */
export function guardedLookup(resolve: ResolveName, allowsLoopback: boolean): LookupFunction {
  const find = callbackify(async (name: string): Promise<LookupAddress[]> => {
    const isLocal = allowsLoopback && /^localhost\.?$/i.test(name)
    const addresses = isLocal ? ['127.0.0.1'] : await resolve(name)
    if (addresses.length === 0) throw errorWith('ENOTFOUND', `${name} has no address`)
    if (!addresses.every(address => isAllowedAddress(address, allowsLoopback)))
      throw errorWith(ADDRESS_NOT_ALLOWED, `${name} has a private or local address`)
    return addresses.map(address => ({ address, family: isIP(address) }))
  })
  return (name, options, done) =>
    find(name, (error, found) => {
      if (error) done(error, '', 0)
      else if (options.all) done(null, found)
      else done(null, found[0]!.address, found[0]!.family)
    })
}

const errorWith = (code: string, message: string): Error =>
  Object.assign(new Error(message), { code })
