/** An address of the database may name several servers, of which one is the primary: `postgres://user:password@a:5432,b:5432/evenpost`. */

const PARTS = /^(\w+:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s

/** One address for each server. */
export function serverAddresses(url: string): string[] {
  const [, before = '', servers = '', after = ''] = PARTS.exec(url) ?? []
  return servers.includes(',')
    ? servers.split(',').map(server => `${before}${server.trim()}${after}`)
    : [url]
}

/** Applies a change of everything but the servers to an address of several servers. */
export function changeAddress(url: string, change: (one: URL) => void): string {
  const first = new URL(serverAddresses(url)[0]!)
  change(first)
  if (serverAddresses(url).length === 1) return first.href
  const [, before, , after] = PARTS.exec(first.href)!
  return `${before}${PARTS.exec(url)![2]}${after}`
}

export function credentialsOf(url: string): [user: string, password: string] {
  const { username, password } = new URL(serverAddresses(url)[0]!)
  return [decodeURIComponent(username), decodeURIComponent(password)]
}

/** By the servers of an address, for all of its users: the place of the one that is tried next. It stays with one that works. */
const places = new Map<string, number>()
const serversOf = (url: string): string => PARTS.exec(url)?.[2] ?? ''

export function currentAddress(url: string): string {
  const addresses = serverAddresses(url)
  return addresses[(places.get(serversOf(url)) ?? 0) % addresses.length]!
}

/** After a failure of `address`; of connections that fail together only the first one has an effect. */
export function skipAddress(url: string, address: string): void {
  if (currentAddress(url) !== address) return
  const addresses = serverAddresses(url)
  chooseAddress(url, addresses[(addresses.indexOf(address) + 1) % addresses.length]!)
}

export const chooseAddress = (url: string, address: string): void =>
  void places.set(serversOf(url), serverAddresses(url).indexOf(address))
