/**
 * Browsers and networks from which a user has signed in. Their wrong passwords are counted apart
 * from strangers'; they prove no identity and open nothing. A browser is known by a signed cookie.
 */
import { randomBytes } from 'node:crypto'
import { networkOf } from '#server/platform/http/request-limits.ts'
import type { RequestOrigin } from './audit.ts'
import { insertKnownNetwork, isKnownNetwork } from './known-network-store.ts'
import type { AccountsContext } from './service.ts'
import { passwordHashOf } from './store.ts'

const PURPOSE = 'device-cookie'
/** Browsers keep no cookie longer. */
const MAX_DAYS = 400
const DAY_MS = 24 * 60 * 60 * 1000
/** Accounts per browser; the one that signed in last is first. */
const MAX_ACCOUNTS = 5
const ENTRY = /^(\d{1,15})\.(\d{1,6})\.([\w-]{16})\.([\w-]{43})$/

type Entry = { userId: number; day: number; device: string; text: string; signature: string }
type KnownUser = { id: number; passwordHash: string }
type CookieContext = Pick<AccountsContext, 'instance' | 'secretKey'>

// The instance as in download-cookie.ts.
const cookieName = ({ instance }: CookieContext): string => `evenpost-device-${instance()}`

/** `cookies`: the Cookie header. */
function entriesIn(ctx: CookieContext, cookies: string): Entry[] {
  const found = cookies
    .split(';')
    .map(part => part.trim())
    .find(part => part.startsWith(`${cookieName(ctx)}=`))
  const value = found?.slice(cookieName(ctx).length + 1) ?? ''
  return value
    .split('~')
    .slice(0, MAX_ACCOUNTS)
    .flatMap(text => {
      const [, userId, day, device, signature] = ENTRY.exec(text) ?? []
      return userId === undefined
        ? []
        : [
            {
              userId: Number(userId),
              day: Number(day),
              device: device!,
              text,
              signature: signature!,
            },
          ]
    })
}

const today = (): number => Math.floor(Date.now() / DAY_MS)

// With the password's hash, so that a new password makes all browsers unknown.
const signedText = ({ day, device }: Pick<Entry, 'day' | 'device'>, user: KnownUser): string =>
  `${user.id}.${day}.${device}.${user.passwordHash}`

/** The name of the browser in which this user has signed in; null for an unknown one. */
export function knownDeviceOf(ctx: CookieContext, cookies: string, user: KnownUser): string | null {
  const entry = entriesIn(ctx, cookies).find(({ userId }) => userId === user.id)
  if (!entry || entry.day + MAX_DAYS < today()) return null
  const isOurs = ctx.secretKey.isSigned(PURPOSE, signedText(entry, user), entry.signature)
  return isOurs ? entry.device : null
}

/** What is stored of a network. Null: it is only claimed, by a proxy that TRUST_PROXY does not name. */
const networkHash = (
  { secretKey }: CookieContext,
  userId: number,
  { address, network }: RequestOrigin,
): Buffer | null =>
  network === networkOf(address)
    ? Buffer.from(secretKey.sign('known-network', `${userId} ${network}`), 'base64url')
    : null

/** The stored name of the network if this user has signed in from it lately. */
export async function knownNetworkOf(
  ctx: AccountsContext,
  userId: number,
  origin: RequestOrigin,
): Promise<string | null> {
  const hash = networkHash(ctx, userId, origin)
  const isKnown = hash !== null && (await isKnownNetwork(ctx.database.db, userId, hash))
  return isKnown ? hash.toString('hex') : null
}

/**
 * Makes the browser and the network known for a user who has just signed in completely, or proven
 * that the mailbox is theirs. Returns the new cookie; null for a user who was deleted meanwhile.
 */
export async function rememberKnownBrowser(
  ctx: AccountsContext,
  userId: number,
  origin: RequestOrigin,
): Promise<{ name: string; value: string; days: number } | null> {
  const network = networkHash(ctx, userId, origin)
  const passwordHash = await ctx.database.tx(async tx => {
    const stored = await passwordHashOf(tx, userId)
    if (stored !== null && network) await insertKnownNetwork(tx, userId, network)
    return stored
  })
  if (passwordHash === null) return null
  const user = { id: userId, passwordHash }
  const device = knownDeviceOf(ctx, origin.cookies, user) ?? randomBytes(12).toString('base64url')
  const day = today()
  const signature = ctx.secretKey.sign(PURPOSE, signedText({ day, device }, user))
  const others = entriesIn(ctx, origin.cookies).filter(entry => entry.userId !== userId)
  const entries = [`${userId}.${day}.${device}.${signature}`, ...others.map(({ text }) => text)]
  const value = entries.slice(0, MAX_ACCOUNTS).join('~')
  return { name: cookieName(ctx), value, days: MAX_DAYS }
}
