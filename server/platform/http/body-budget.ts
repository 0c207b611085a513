/**
 * How many bytes of bodies may be in memory at once: per user, per address and per process. What a
 * caller sends beyond it is refused while it arrives.
 */
import { totalmem } from 'node:os'
import { Refusal } from './refusal.ts'

const MB = 1024 * 1024
/** The first bytes of each body are free, so a full budget refuses no sign-in and no order. */
const FREE_BYTES = 16 * 1024
/** From this size a body counts as long. */
const LONG_BYTES = MB
const LONG_BODIES_PER_USER = 2
const RETRY_SECONDS = 10

export type BudgetLimits = { process: number; address: number; user: number }

/** `userId` is null before the sign-in. */
export type BodyCaller = { userId: number | null; address: string }

/** One body under way. */
export type BodyReceipt = {
  /** Counts received bytes. Throws Refusal 429 or 503. */
  add(bytes: number): void
  /** Its memory was given back. Further calls do nothing. */
  close(): void
}

export type BodyBudget = {
  open(caller: BodyCaller): BodyReceipt
  levels(): { bodies: number; bytes: number }
}

/** For bodies of 8 MB at most. */
export const ORDINARY_LIMITS: BudgetLimits = { process: 64 * MB, address: 24 * MB, user: 16 * MB }

/**
 * For long lists: an eighth of the memory of the machine or container, 96 to 256 MB. No user can
 * take more than three eighths of it, no address more than five.
 */
export function longLimits(memory = machineMemory()): BudgetLimits {
  const process = Math.min(256 * MB, Math.max(96 * MB, Math.floor(memory / 8)))
  return {
    process,
    address: Math.max(66 * MB, (process * 5) / 8),
    user: Math.max(66 * MB, (process * 3) / 8),
  }
}

/** Zero or more than the machine has: the container has no limit. */
function machineMemory(): number {
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}

type Share = { bytes: number; long: number; open: number }

export function createBodyBudget(limits: BudgetLimits): BodyBudget {
  const all: Share = { bytes: 0, long: 0, open: 0 }
  const shares = new Map<string, Share>()

  return {
    levels: () => ({ bodies: all.open, bytes: all.bytes }),
    open({ userId, address }) {
      const user = userId === null ? null : openShare(shares, `user:${userId}`)
      const network = openShare(shares, `address:${address}`)
      const parts = [all, network, ...(user ? [user] : [])]
      for (const part of parts) part.open++
      let [received, counted, isLong, isOpen] = [0, 0, false, true]
      return {
        add(bytes) {
          if (!isOpen) return
          received += bytes
          const more = Math.max(0, received - FREE_BYTES) - counted
          if (user && user.bytes + more > limits.user) throw tooMuch('You are')
          if (network.bytes + more > limits.address) throw tooMuch('Your network is')
          if (all.bytes + more > limits.process) throw tooMuchForAll()
          counted += more
          for (const part of parts) part.bytes += more
          if (isLong || received <= LONG_BYTES) return
          if (user && user.long >= LONG_BODIES_PER_USER) throw tooManyLong()
          isLong = true
          for (const part of parts) part.long++
        },
        close() {
          if (!isOpen) return
          isOpen = false
          for (const part of parts) {
            part.open--
            part.bytes -= counted
            if (isLong) part.long--
          }
          for (const [key, share] of [
            [`user:${userId}`, user],
            [`address:${address}`, network],
          ] as const)
            if (share?.open === 0) shares.delete(key)
        },
      }
    },
  }
}

function openShare(shares: Map<string, Share>, key: string): Share {
  const share = shares.get(key) ?? { bytes: 0, long: 0, open: 0 }
  shares.set(key, share)
  return share
}

const tooMuch = (who: string): Refusal =>
  new Refusal(
    'too_many_at_once',
    `${who} already sending as much as is accepted at once. Please try again when that is done.`,
    { retryAfter: RETRY_SECONDS },
  )
const tooManyLong = (): Refusal =>
  new Refusal(
    'too_many_at_once',
    'Two long lists of yours are already being read. Please try again when one is done.',
    { retryAfter: RETRY_SECONDS },
  )
const tooMuchForAll = (): Refusal =>
  new Refusal(
    'busy',
    'Too much is being sent to the server just now. Please try again in a moment.',
    { retryAfter: RETRY_SECONDS },
  )
