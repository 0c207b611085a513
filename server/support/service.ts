/** Sends messages of customers and visitors to the operator's support address. */
import { createHash } from 'node:crypto'
import type { SupportTopic } from '#contract/support.ts'
import type { AccountsContext } from '#server/accounts/service.ts'
import { userOf } from '#server/accounts/service.ts'
import { Refusal, refuseFields } from '#server/platform/http/refusal.ts'
import { networkOf } from '#server/platform/http/request-limits.ts'
import { messageFaults, supportMail, tidyMessage } from './rules.ts'
import type { SupportMessage } from './rules.ts'

const HOUR = 3600
const DAY = 24 * HOUR
const OF_A_USER_AN_HOUR = 10
const OF_A_NETWORK_AN_HOUR = 5
const OF_ALL_VISITORS_A_DAY = 200
/**
 * Of all accounts together that have neither a verified address nor a deposit, within the three days
 * that an email waits: anyone can make many. With messages of visitors this is at most half of
 * MAX_WAITING at once.
 */
const OF_UNPROVEN_ACCOUNTS = 300
/**
 * Of all senders within the three days that an email waits: fewer than may wait in the outbox, so
 * that no message ends another one.
 */
const MAX_WAITING = 1_000
const WAITING_SECONDS = 3 * DAY

type Message = { id: string; topic?: SupportTopic | undefined; subject: string; message: string }

/** Throws Refusal 404 (no support address), 422 or 429. */
export async function sendUserMessage(
  ctx: AccountsContext,
  userId: number,
  { id, ...typed }: Message,
): Promise<void> {
  const { name, email, emailVerifiedAt, wallet } = await userOf(ctx.database.db, userId)
  const isProven = emailVerifiedAt !== null || wallet.deposited > 0
  const given = tidyMessage({ ...typed, name, email, account: { userId } })
  await send(ctx, given, messageId(`user ${userId}`, id), async tooMany => {
    const { limits } = ctx
    await limits.countAttempt(`support:user:${userId}`, OF_A_USER_AN_HOUR, HOUR, tooMany)
    if (!isProven)
      await limits.countAttempt('support:unproven', OF_UNPROVEN_ACCOUNTS, WAITING_SECONDS, tooMany)
  })
}

/** As `sendUserMessage`, without an account. */
export async function sendVisitorMessageFrom(
  ctx: AccountsContext,
  address: string,
  { id, ...typed }: Message & { name: string; email: string },
): Promise<void> {
  const network = networkOf(address)
  const given = tidyMessage({ ...typed, account: null })
  await send(ctx, given, messageId(`network ${network}`, id), async tooMany => {
    const { limits } = ctx
    await limits.countAttempt(`support:network:${network}`, OF_A_NETWORK_AN_HOUR, HOUR, tooMany)
    await limits.countAttempt('support:visitors', OF_ALL_VISITORS_A_DAY, DAY, tooMany)
  })
}

async function send(
  { config, database, limits, mailer }: AccountsContext,
  given: SupportMessage,
  messageIdOfMail: string,
  countSender: (tooMany: string) => Promise<void>,
): Promise<void> {
  const to = config.supportEmail
  if (to === undefined)
    throw new Refusal(
      'support_not_offered',
      'Messages cannot be sent here: this site has no support address.',
    )
  const faults = messageFaults(given)
  if (Object.keys(faults).length > 0) throw refuseFields(faults)
  const tooMany = `Too many messages. Try again later, or write to ${to}.`
  await countSender(tooMany)
  await limits.countAttempt('support:all', MAX_WAITING, WAITING_SECONDS, tooMany)
  await database.tx(tx =>
    mailer.enqueue(tx, {
      ...supportMail(to, given),
      kind: 'support-message',
      userId: given.account?.userId ?? null,
      messageId: messageIdOfMail,
      maxWaiting: 2 * MAX_WAITING,
    }),
  )
}

/** A UUID that follows from sender and form, so that a repetition is the same email. */
function messageId(sender: string, formId: string): string {
  const hex = createHash('sha256').update(`support ${sender} ${formId}`).digest('hex')
  return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
