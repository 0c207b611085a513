/** The way back in for who has forgotten the password: a link by mail, and what it opens. */
import { randomBytes } from 'node:crypto'
import { networkOf } from '#server/platform/limits.ts'
import { Refusal, refuseFields } from '#server/platform/refusal.ts'
import { audit, seenFrom } from './audit.ts'
import type { Visit } from './audit.ts'
import { changedMail, resetMail } from './mails.ts'
import { hashPassword } from './password.ts'
import { findReset, insertReset, spendResets } from './reset-store.ts'
import { emailFault, emailKey, passwordFault } from './rules.ts'
import { blocked, loginLimit, QUARTER_HOUR, sumOf } from './service.ts'
import type { AccountsHouse } from './service.ts'
import { deleteSessionsOf } from './session-store.ts'
import { announceEnded, sha256 } from './sessions.ts'
import { findForLogin, findMember, insertAudit, lockMember, updateMember } from './store.ts'

/** Hours a link can be used. */
const LINK_HOURS = 1
const MAILS_AN_HOUR = 5
const ASKED_BY_NETWORK = 20
const WRONG_LINKS = 20

/**
 * Mails a link to whoever has an account with this address and is not blocked. The caller learns nothing of that: looking up and
 * sending begin after he is answered. Refuses what is no address ('unprocessable') and too many tries ('too_many'), known or not.
 */
export async function askForReset(
  house: AccountsHouse,
  email: string,
  visit: Visit,
): Promise<void> {
  const fault = emailFault(email)
  if (fault) throw refuseFields({ email: fault })
  const key = emailKey(email)
  await house.limits.hit(
    `forgot:address:${networkOf(visit.address)}`,
    ASKED_BY_NETWORK,
    QUARTER_HOUR,
  )
  await house.limits.hit(`forgot:account:${sumOf(key)}`, MAILS_AN_HOUR, 3600)
  house.post.send(async () => {
    const member = await findForLogin(house.database.db, key)
    if (!member) return null
    const mailed = member.activation === 'allow'
    const token = randomBytes(32).toString('base64url')
    await house.database.tx(async tx => {
      if (mailed) await insertReset(tx, member.id, sha256(token), LINK_HOURS)
      await insertAudit(tx, {
        actorId: null,
        subjectId: member.id,
        action: 'forgot-password',
        detail: { ...seenFrom(visit), mailed },
      })
    })
    // Never from the request: its Host header is the asker's to choose.
    return mailed
      ? resetMail(member.email, `${house.config.publicUrl}/reset-password?token=${token}`)
      : null
  })
}

/**
 * Sets the password that a mailed link is good for, ends all sign-ins of the user and spends his other links. Refuses a link that
 * is unknown, used or old and a password that will not do ('unprocessable', the link stays good), and a blocked user ('forbidden').
 */
export async function redeemLink(
  house: AccountsHouse,
  token: string,
  password: string,
  visit: Visit,
): Promise<void> {
  const counted = `reset:address:${networkOf(visit.address)}`
  await house.limits.check(counted, WRONG_LINKS, QUARTER_HOUR)
  const tokenHash = sha256(token)
  const userId = await findReset(house.database.db, tokenHash)
  const member = userId === undefined ? undefined : await findMember(house.database.db, userId)
  if (!member) {
    await house.limits.hit(counted, WRONG_LINKS, QUARTER_HOUR)
    await audit(house, {
      actorId: null,
      subjectId: null,
      action: 'reset-denied',
      detail: seenFrom(visit),
    })
    throw deadLink()
  }
  const fault = password === '' ? 'Password is required' : passwordFault(password, member.email)
  if (fault) throw refuseFields({ password: fault })
  const passwordHash = await house.turns(() => hashPassword(password))
  const ended = await house.database.tx(async tx => {
    // Asked again under the lock: of two clicks on one link the second comes too late.
    const there = await lockMember(tx, member.id)
    if (!there || (await findReset(tx, tokenHash)) === undefined) throw deadLink()
    if (there.activation !== 'allow') throw blocked()
    await spendResets(tx, there.id)
    await updateMember(tx, there.id, { passwordHash })
    await insertAudit(tx, {
      actorId: there.id,
      subjectId: there.id,
      action: 'reset-password',
      detail: seenFrom(visit),
    })
    return deleteSessionsOf(tx, there.id)
  })
  await announceEnded(house, [{ userId: member.id }, ...ended.map(sessionId => ({ sessionId }))])
  // Whoever guessed ten times before he asked for the link need not wait to use his new password.
  await house.limits.forget(loginLimit(emailKey(member.email)))
  tellChanged(house, member.email)
}

/** Tells the owner that his password is another one now. */
export const tellChanged = (house: AccountsHouse, email: string): void =>
  house.post.send(async () => changedMail(email, `${house.config.publicUrl}/forgot-password`))

const deadLink = () => {
  const text = 'This link has been used or is too old. Please ask for a new one.'
  return new Refusal('unprocessable', text, { token: text })
}
