/** What administrators do with users: the list, roles, blocking, balance and code, deleting. */
import type { Activation, Role, UserSort } from '#contract/accounts.ts'
import { cents, dollars, usd, ZERO } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import { adjustBalanceTo } from '#server/ledger/adjustment.ts'
import { lockWallets, walletOf } from '#server/ledger/service.ts'
import type { Context } from '#server/platform/context.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { databaseCode } from '#server/platform/database/database.ts'
import { Refusal, refuseFields } from '#server/platform/http/refusal.ts'
import type { Caller } from '#server/platform/http/router.ts'
import { insertAuditEntry } from './audit-store.ts'
import { invalidateResets } from './password-reset-store.ts'
import { userDetailsErrors } from './rules.ts'
import { unknownUser, withWallet, withWallets } from './service.ts'
import type { AccountsContext, UserWithWallet } from './service.ts'
import { deleteImpersonations, deleteSessionsOf } from './session-store.ts'
import { publishSessionsEnded } from './sessions.ts'
import { anonymizeUser, lockAdministrators, lockUser, updateUser } from './store.ts'
import type { UserRecord } from './store.ts'
import { selectUsers } from './users-store.ts'

/** What a list of users is asked for; pages count from 1. */
export type UserListQuery = {
  page: number
  limit: number
  search: string
  role: Role | null
  activation: Activation | null
  sort: UserSort
  descending: boolean
}

/** A page of users with their money, and how many there are in all. */
export async function usersPage(
  db: Db,
  { page, limit, search, ...wish }: UserListQuery,
): Promise<{ users: UserWithWallet[]; total: number }> {
  const looked = search.trim().normalize('NFC')
  const { users, total } = await selectUsers(db, {
    ...wish,
    search: looked || null,
    offset: (page - 1) * limit,
    limit,
  })
  return { users: await withWallets(db, users), total }
}

/** Changes a role. The last administrator keeps his ('conflict'). The new rights hold from the next call on. */
export async function changeRole(
  ctx: Context,
  actor: Caller,
  userId: number,
  role: Role,
): Promise<UserWithWallet> {
  const { member, ended } = await ctx.database.tx(async tx => {
    const there = await lockForChange(tx, actor, userId, role !== 'admin')
    if (there.role === role) return { member: there, ended: [] }
    await updateUser(tx, userId, { role })
    await insertAuditEntry(tx, {
      actorId: actor.userId,
      subjectId: userId,
      action: 'role',
      detail: { from: there.role, to: role },
    })
    // Nobody acts as an administrator, and nobody but an administrator acts as somebody else.
    const acting = await deleteImpersonations(tx, userId)
    // His sockets close and come back with the new rights.
    return {
      member: { ...there, role },
      ended: [{ userId }, ...acting.map(sessionId => ({ sessionId }))],
    }
  })
  await publishSessionsEnded(ctx, ended)
  return withWallet(ctx.database.db, member)
}

/** Blocks a user, which ends all his sign-ins, or allows him again. The last administrator cannot be blocked ('conflict'). */
export async function changeActivation(
  ctx: Context,
  actor: Caller,
  userId: number,
  activation: Activation,
): Promise<UserWithWallet> {
  const { member, ended } = await ctx.database.tx(async tx => {
    const there = await lockForChange(tx, actor, userId, activation === 'block')
    if (there.activation === activation) return { member: there, ended: [] }
    await updateUser(tx, userId, { activation })
    await insertAuditEntry(tx, { actorId: actor.userId, subjectId: userId, action: activation })
    const ids = activation === 'block' ? await deleteSessionsOf(tx, userId) : []
    return {
      member: { ...there, activation },
      ended: activation === 'block' ? [{ userId }, ...ids.map(sessionId => ({ sessionId }))] : [],
    }
  })
  await publishSessionsEnded(ctx, ended)
  return withWallet(ctx.database.db, member)
}

/**
 * Locks a user who is to change. When it would take an administrator away, it locks them all, keeps the last one ('conflict'), and
 * obeys nobody who was one when he called and is none any more ('forbidden').
 */
async function lockForChange(
  tx: Tx,
  actor: Caller,
  userId: number,
  takesAway: boolean,
): Promise<UserRecord> {
  const administrators = takesAway ? await lockAdministrators(tx) : []
  if (takesAway && !administrators.includes(actor.userId))
    throw new Refusal('forbidden', 'This is for administrators only')
  const member = await lockUser(tx, userId)
  if (!member) throw unknownUser()
  if (administrators.length === 1 && administrators[0] === userId) {
    throw new Refusal(
      'conflict',
      'This is the last administrator. Make another user an administrator first.',
    )
  }
  return member
}

/** What an administrator sets: `balance` is what the user may then spend; `seen` is what he read before, if he says so. */
export type UserDetailsUpdate = {
  balance?: Cents | undefined
  expectedBalance?: Cents | undefined
  reason: string
  referralCode?: string | undefined
}

const DEFAULT_REASON = 'Set by an administrator'

/**
 * Sets balance and referral code, together or not at all. Refuses wrong fields ('unprocessable'), a code that is somebody else's and
 * a balance that is no longer what was seen ('conflict'). What is already as wanted is left alone, so that two clicks are one.
 */
export async function changeDetails(
  ctx: Context,
  actor: Caller,
  userId: number,
  wish: UserDetailsUpdate,
): Promise<UserWithWallet> {
  const faults = userDetailsErrors(wish)
  if (Object.keys(faults).length > 0) throw refuseFields(faults)
  const { balance, expectedBalance } = wish
  const code = wish.referralCode?.trim().toUpperCase()
  const reason = wish.reason.trim() || DEFAULT_REASON
  const member = await ctx.database.tx(async tx => {
    const there = await lockUser(tx, userId)
    if (!there) throw unknownUser()
    // The code before the money: it waits for the orders that are being written for this user, which hold money themselves.
    if (code !== undefined && code !== there.referralCode)
      await setReferralCode(tx, actor, there, code)
    if (balance !== undefined)
      await setBalance(tx, actor, userId, { balance, expectedBalance, reason })
    return { ...there, referralCode: code ?? there.referralCode }
  })
  return withWallet(ctx.database.db, member)
}

async function setReferralCode(
  tx: Tx,
  actor: Caller,
  member: UserRecord,
  code: string,
): Promise<void> {
  try {
    await updateUser(tx, member.id, { referralCode: code })
  } catch (error) {
    if (databaseCode(error) !== '23505') throw error
    const text = 'This referral code is taken'
    throw new Refusal('conflict', text, { referralCode: text })
  }
  const detail = { from: member.referralCode, to: code }
  await insertAuditEntry(tx, {
    actorId: actor.userId,
    subjectId: member.id,
    action: 'referral-code',
    detail,
  })
}

type BalanceUpdate = { balance: Cents; expectedBalance: Cents | undefined; reason: string }

async function setBalance(
  tx: Tx,
  actor: Caller,
  userId: number,
  { balance, expectedBalance, reason }: BalanceUpdate,
): Promise<void> {
  await lockWallets(tx, [userId])
  const { available } = await walletOf(tx, userId)
  if (available === balance) return
  if (expectedBalance !== undefined && expectedBalance !== available) {
    throw new Refusal(
      'conflict',
      `The balance is ${usd(available)} now, no longer ${usd(expectedBalance)}. Nothing was changed.`,
    )
  }
  const difference = cents(balance - available)
  const detail = {
    from: dollars(available),
    to: dollars(balance),
    difference: dollars(difference),
    reason,
  }
  const entry = await insertAuditEntry(tx, {
    actorId: actor.userId,
    subjectId: userId,
    action: 'adjusted',
    detail,
  })
  await adjustBalanceTo(tx, userId, balance, { actorId: actor.userId, reason, auditId: entry })
}

/**
 * Deletes a user: who he was is forgotten, his sign-ins end, his address is free again. His orders, the books and the audit stay, and
 * so does what he had left, which is returned. Refuses oneself, the last administrator, and while labels are under way ('conflict').
 */
export async function deleteUser(
  ctx: AccountsContext,
  actor: Caller,
  userId: number,
): Promise<Cents> {
  const { left, ended } = await ctx.database.tx(async tx => {
    const there = await lockForChange(tx, actor, userId, true)
    if (there.id === actor.userId)
      throw new Refusal('conflict', 'You cannot delete yourself. Another administrator can.')
    // First the row: this waits for orders that are just being written for him, and they are counted in what follows.
    await anonymizeUser(tx, userId)
    await lockWallets(tx, [userId])
    const { available, held } = await walletOf(tx, userId)
    if (held > ZERO) throw labelsUnderWay(`${usd(held)} of this user is held for labels under way`)
    if (await ctx.userData.hasOpenLabels(tx, userId))
      throw labelsUnderWay('Labels of this user are under way')
    await ctx.userData.deleteUserData(tx, userId)
    await invalidateResets(tx, userId)
    const ids = await deleteSessionsOf(tx, userId)
    await insertAuditEntry(tx, {
      actorId: actor.userId,
      subjectId: userId,
      action: 'deleted',
      detail: { left: dollars(available) },
    })
    return { left: available, ended: [{ userId }, ...ids.map(sessionId => ({ sessionId }))] }
  })
  await publishSessionsEnded(ctx, ended)
  return left
}

const labelsUnderWay = (what: string) =>
  new Refusal('conflict', `${what}. Please try again when they are done.`)
