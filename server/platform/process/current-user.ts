import { AsyncLocalStorage } from 'node:async_hooks'

const users = new AsyncLocalStorage<number>()

/** `work` and all that it starts count as work of this user. */
export const asUser = <T>(userId: number, work: () => T): T => users.run(userId, work)

/** For work that also serves others, such as a timer that several requests share. */
export const asNoUser = <T>(work: () => T): T => users.exit(work)

/** Undefined in background work and before the sign-in is known. */
export const currentUser = (): number | undefined => users.getStore()
