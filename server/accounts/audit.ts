/** Writing the audit where no change is made: what was refused, and what is done inside of a log-in-as-user. */
import { isIP } from 'node:net'
import type { House } from '#server/platform/house.ts'
import type { Caller, Deed } from '#server/platform/http.ts'
import { networkOf } from '#server/platform/limits.ts'
import type { Limits } from '#server/platform/limits.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { deviceOf } from './devices.ts'
import { insertAudit } from './store.ts'
import type { Audit } from './store.ts'

/** Where a call came from. */
export type Visit = { address: string; userAgent: string }

/** What is written down of it: the network and the kind of device, never what a browser says, or a proxy passes on, word for word. */
export const seenFrom = ({ address, userAgent }: Visit) => ({
  network: isIP(address) === 0 ? 'unknown' : networkOf(address),
  device: deviceOf(userAgent),
})

/** Writes a line of the audit on its own; inside a transaction the stores do it. */
export const audit = async (house: House, entry: Audit): Promise<void> =>
  void (await house.database.tx(tx => insertAudit(tx, entry)))

/** Writes down what an administrator is about to do as another user. What users do as themselves has lines of its own. */
export const noteDeed =
  (house: House) =>
  async (caller: Caller, deed: Deed): Promise<void> => {
    if (caller.actorId === null) return
    const { userId: _, ...ids } = deed.ids
    await audit(house, {
      actorId: caller.actorId,
      subjectId: caller.userId,
      action: 'acted-as',
      detail: { call: deed.call, ...ids },
    })
  }

type Bounded = House & { limits: Pick<Limits, 'hit'> }

// Whoever knocks at many doors is seen by the first of them; the audit does not fill up with the rest.
const REFUSALS = 30
const REFUSALS_SECONDS = 600

/** Writes down that somebody was refused a call that is not for him; about thirty of them in ten minutes for each user. */
export const noteRefused =
  (house: Bounded) =>
  async (caller: Caller, deed: Deed): Promise<void> => {
    const actorId = caller.actorId ?? caller.userId
    if (!(await isFree(house, `noted:forbidden:${actorId}`, REFUSALS, REFUSALS_SECONDS))) return
    await audit(house, {
      actorId,
      subjectId: caller.userId,
      action: 'forbidden',
      detail: { call: deed.call, ...deed.ids },
    })
  }

/** Writes down, once a minute for each account or, where nobody has the address, each network, that tries to sign in are slowed. */
export async function noteThrottled(
  house: Bounded,
  userId: number | null,
  visit: Visit,
): Promise<void> {
  const seen = seenFrom(visit)
  if (!(await isFree(house, `noted:throttled:${userId ?? seen.network}`, 1, 60))) return
  await audit(house, { actorId: null, subjectId: userId, action: 'login-throttled', detail: seen })
}

async function isFree(
  { limits }: Bounded,
  key: string,
  max: number,
  seconds: number,
): Promise<boolean> {
  try {
    await limits.hit(key, max, seconds)
    return true
  } catch (error) {
    if (isTooMany(error)) return false
    throw error
  }
}

/** Whether an error says that something was tried too often. */
export const isTooMany = (error: unknown): boolean =>
  error instanceof Refusal && error.code === 'too_many'
