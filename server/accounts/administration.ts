import type { Activation, Role, UserSort, UserStatus } from '#contract/accounts.ts'
import { dollars, usd, ZERO } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import { normalizeText } from '#contract/text.ts'
import { waiveOwed } from '#server/ledger/owed-charges.ts'
import { lockWallets, walletOf } from '#server/ledger/service.ts'
import type { Context } from '#server/platform/context.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { isUniqueViolation } from '#server/platform/database/database.ts'
import { Refusal, refuseField, refuseFields } from '#server/platform/http/refusal.ts'
import type { Caller } from '#server/platform/http/router.ts'
import { revokeKeysOf } from './api-keys-store.ts'
import { insertAuditEntry } from './audit-store.ts'
import { lockMoneyMoves, setBalance } from './balance-adjustments.ts'
import type { AdjustmentOutcome } from './balance-adjustments.ts'
import { withdrawRequests } from './balance-request-store.ts'
import { deleteEmailRecords } from './email-store.ts'
import { deleteKnownNetworks } from './known-network-store.ts'
import { invalidateResets } from './password-reset-store.ts'
import { userDetailsFaults } from './rules.ts'
import { deleteAllFactors } from './second-factor-store.ts'
import { lockExistingUser, lockWalletOwner, withWallet } from './service.ts'
import type { AccountsContext, UserWithWallet } from './service.ts'
import { deleteImpersonations, deleteSessionsOf } from './session-store.ts'
import { publishSessionsEnded } from './sessions.ts'
import { anonymizeUser, lockAdministrators, updateUser } from './store.ts'
import type { UserRecord, IdPage } from './store.ts'
import { selectUserIds } from './users-store.ts'

/** Pages count from 1. */
export type UserListQuery = {
  page: number
  limit: number
  search: string
  role: Role | null
  status: UserStatus | null
  sort: UserSort
  descending: boolean
}

export const userIdsPage = (
  db: Db,
  { page, limit, search, status, ...filters }: UserListQuery,
): Promise<IdPage> =>
  selectUserIds(db, {
    ...filters,
    activation: status === 'deleted' ? null : status,
    areDeleted: status === 'deleted',
    search: normalizeText(search.trim()) || null,
    offset: (page - 1) * limit,
    limit,
  })

/** The new rights apply from the next request. Throws 409 for the last administrator. */
export async function changeRole(
  ctx: Context,
  actor: Caller,
  userId: number,
  role: Role,
): Promise<UserWithWallet> {
  const { user, ended } = await ctx.database.tx(async tx => {
    const current = await lockForChange(tx, actor, userId, role !== 'admin')
    if (current.role === role) return { user: current }
    await updateUser(tx, userId, { role })
    await insertAuditEntry(tx, {
      actorId: actor.userId,
      subjectId: userId,
      action: 'role',
      detail: { from: current.role, to: role },
    })
    // Administrators are not impersonated, and only administrators impersonate.
    return { user: { ...current, role }, ended: await deleteImpersonations(tx, userId) }
  })
  // The user's sockets close and reconnect with the new rights.
  if (ended) await publishSessionsEnded(ctx, ended, userId)
  return withWallet(ctx.database.db, user)
}

/** Blocking ends all sessions of the user. Throws 409 for the last administrator. */
export async function changeActivation(
  ctx: Context,
  actor: Caller,
  userId: number,
  activation: Activation,
): Promise<UserWithWallet> {
  const { user, ended } = await ctx.database.tx(async tx => {
    const current = await lockForChange(tx, actor, userId, activation === 'block')
    if (current.activation === activation) return { user: current }
    await updateUser(tx, userId, { activation })
    await insertAuditEntry(tx, { actorId: actor.userId, subjectId: userId, action: activation })
    const ended = activation === 'block' ? await deleteSessionsOf(tx, userId) : undefined
    return { user: { ...current, activation }, ended }
  })
  if (ended) await publishSessionsEnded(ctx, ended, userId)
  return withWallet(ctx.database.db, user)
}

/**
 * Locks a user for a change. With `removesAdmin` it locks all administrators: throws 409 for
 * the last one, 403 if the caller is no longer one.
 */
async function lockForChange(
  tx: Tx,
  actor: Caller,
  userId: number,
  removesAdmin: boolean,
): Promise<UserRecord> {
  const administrators = removesAdmin ? await lockAdministrators(tx) : []
  if (removesAdmin && !administrators.includes(actor.userId))
    throw new Refusal('admin_only', 'This is for administrators only')
  const user = await lockExistingUser(tx, userId)
  if (administrators.length === 1 && administrators[0] === userId) {
    throw new Refusal(
      'last_administrator',
      'This is the last administrator. Make another user an administrator first.',
    )
  }
  return user
}

/** `balance`: the new available balance; `expectedBalance`: the one that the administrator saw. */
export type UserDetailsUpdate = {
  balance?: Cents | undefined
  expectedBalance?: Cents | undefined
  reason: string
  referralCode?: string | undefined
}

const DEFAULT_REASON = 'Set by an administrator'

/**
 * Sets balance and referral code, together or not at all. Throws 422 for invalid
 * fields, 409 for a taken code or a balance that differs from `expectedBalance`, 403
 * for the own balance. Values that are already set are no change, so that a double click counts
 * once; asking for the present balance only withdraws the actor's own open request. Of a deleted
 * user only the balance can be set. `outcome` says whether it waits for a second administrator.
 */
export async function changeDetails(
  ctx: Context,
  actor: Caller,
  userId: number,
  update: UserDetailsUpdate,
): Promise<{ user: UserWithWallet; outcome: AdjustmentOutcome }> {
  const faults = userDetailsFaults(update)
  if (Object.keys(faults).length > 0) throw refuseFields(faults)
  const { balance, expectedBalance } = update
  const code = update.referralCode?.trim().toUpperCase()
  const reason = update.reason.trim() || DEFAULT_REASON
  const { user, outcome } = await ctx.database.tx(async tx => {
    if (balance !== undefined) await lockMoneyMoves(tx, actor.userId)
    const lock = code === undefined ? lockWalletOwner : lockExistingUser
    const current = await lock(tx, userId)
    // Lock order: the code before the balance. It waits for orders being inserted for this user,
    // which lock the balance.
    if (code !== undefined && code !== current.referralCode)
      await setReferralCode(tx, actor, current, code)
    const adjusted =
      balance === undefined
        ? 'booked'
        : await setBalance(ctx, tx, actor, userId, { balance, expectedBalance, reason })
    return {
      user: { ...current, referralCode: code ?? current.referralCode },
      outcome: adjusted,
    }
  })
  return { user: await withWallet(ctx.database.db, user), outcome }
}

async function setReferralCode(
  tx: Tx,
  actor: Caller,
  user: UserRecord,
  code: string,
): Promise<void> {
  try {
    await updateUser(tx, user.id, { referralCode: code })
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    const text = 'This referral code is taken'
    throw refuseField('referralCode', 'referral_code_taken', text)
  }
  const detail = { from: user.referralCode, to: code }
  await insertAuditEntry(tx, {
    actorId: actor.userId,
    subjectId: user.id,
    action: 'referral-code',
    detail,
  })
}

/**
 * Deletes a user: personal data is erased, sessions end, the email is free again. Orders, books,
 * audit and the remaining balance, which is returned, stay. Throws 409 for oneself, the last
 * administrator, and while labels are being bought or voided.
 */
export async function deleteUser(
  ctx: AccountsContext,
  actor: Caller,
  userId: number,
): Promise<Cents> {
  const { balanceLeft, ended } = await ctx.database.tx(async tx => {
    const current = await lockForChange(tx, actor, userId, true)
    if (current.id === actor.userId)
      throw new Refusal(
        'own_account',
        'You cannot delete your own account. Another administrator can.',
      )
    // The row first: this waits for orders being inserted for the user, and the checks below count
    // them.
    await anonymizeUser(tx, userId)
    await lockWallets(tx, [userId])
    const { available, held } = await walletOf(tx, userId)
    if (held > ZERO)
      throw labelsInProgress(`${usd(held)} of this user is on hold for labels in progress`)
    if (await ctx.userData.hasOpenLabels(tx, userId))
      throw labelsInProgress('This user has labels in progress')
    await waiveOwed(tx, userId)
    const ended = await eraseUser(ctx, tx, userId)
    await insertAuditEntry(tx, {
      actorId: actor.userId,
      subjectId: userId,
      action: 'deleted',
      detail: { left: dollars(available) },
    })
    return { balanceLeft: available, ended }
  })
  await publishSessionsEnded(ctx, ended, userId)
  return balanceLeft
}

/** Erases a user's data besides the row itself. Returns the ended sessions. */
export async function eraseUser(ctx: AccountsContext, tx: Tx, userId: number): Promise<number[]> {
  await ctx.userData.deleteUserData(tx, userId)
  await invalidateResets(tx, userId)
  await deleteEmailRecords(tx, userId)
  await ctx.mailer.eraseMailsOf(tx, userId)
  await deleteAllFactors(tx, userId)
  await revokeKeysOf(tx, userId)
  await withdrawRequests(tx, userId)
  await deleteKnownNetworks(tx, userId)
  return deleteSessionsOf(tx, userId)
}

const labelsInProgress = (reason: string) =>
  new Refusal('user_busy', `${reason}. Try again when they are done.`)
