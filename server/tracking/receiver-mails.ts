/**
 * Mails to receivers: fixed text without any name, only after a scan, only for sellers who switched
 * them on, and none to an address that stopped them
 * (docs/decisions/0056-parcels-have-a-history-and-a-page.md).
 */
import { composeMail } from '#server/accounts/mails.ts'
import { getUser } from '#server/accounts/service.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { isDatabaseFault } from '#server/platform/database/faults.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import type { Mail } from '#server/platform/mail/mailer.ts'
import { openRepeatedJob } from '#server/platform/process/repeated-job.ts'
import type { RepeatedJob } from '#server/platform/process/repeated-job.ts'
import type { SecretKey } from '#server/platform/process/secret-key.ts'
import type { ParcelPageContext } from './context.ts'
import {
  countMailed,
  insertStop,
  isStopped,
  lockDueReceiverMails,
  lockRecipient,
  recordReceiverMail,
} from './receiver-mails-store.ts'
import type { DueReceiverMail, ReceiverMailOutcome } from './receiver-mails-store.ts'
import type { ReceiverMailKind } from './tables.ts'

/** In 24 hours. */
const LIMITS = { ofSeller: 2_000, ofRecipient: 6 }
const AT_ONCE = 100
/** Far fewer than the table of mails holds, so that none is dropped there. */
const MAX_WAITING = 500
const VALID_HOURS = 24

type MailContext = Omit<ParcelPageContext, 'limits'>

/** Mail to `name+tag@…` reaches `name@…`. */
const withoutTag = (email: string): string => email.replace(/(?<=.)\+[^@]*(?=@)/, '')

/** An HMAC of the address: its limit and its stop are kept without the address itself. */
const hashOf = (secretKey: SecretKey, email: string): string =>
  secretKey.sign('receiver-mail', withoutTag(email.toLowerCase()))

/**
 * Decides on due mails, each in a transaction of its own, while few wait for the mail server.
 * Returns how many there were.
 */
export async function sendReceiverMails(ctx: MailContext): Promise<number> {
  const waiting = await ctx.mailer.countWaiting(ctx.database.db, 'parcel-update', MAX_WAITING)
  if (waiting >= MAX_WAITING) return 0
  for (let decided = 0; decided < AT_ONCE; decided++) if (!(await decideNext(ctx))) return decided
  return AT_ONCE
}

/**
 * False when none is due. A mail that fails is given up, so that the others do not wait for it. Throws when the database has a
 * fault: the mail is tried again.
 */
async function decideNext(ctx: MailContext): Promise<boolean> {
  const tried: DueReceiverMail[] = []
  try {
    return await ctx.database.tx(async tx => {
      const [due] = await lockDueReceiverMails(tx, 1)
      if (!due) return false
      tried.push(due)
      await decideOn(ctx, tx, due)
      return true
    })
  } catch (error) {
    const failed = tried.at(-1)
    if (!failed || isDatabaseFault(error)) throw error
    await ctx.database.tx(tx => recordReceiverMail(tx, failed, 'off', null))
    ctx.log.warn({ err: error, orderId: failed.orderId }, 'a mail to a receiver is given up')
    return true
  }
}

async function decideOn(ctx: MailContext, tx: Tx, due: DueReceiverMail): Promise<void> {
  const recipientHash = due.email === null ? null : hashOf(ctx.secretKey, due.email)
  if (recipientHash !== null) await lockRecipient(tx, recipientHash)
  const outcome = await decide(ctx, tx, due, recipientHash)
  if (outcome === 'mailed')
    await ctx.mailer.enqueue(tx, {
      ...receiverMail(due.email!, due.kind, linksOf(ctx, due.pageToken!, recipientHash!)),
      kind: 'parcel-update',
      userId: due.userId,
      validHours: VALID_HOURS,
    })
  await recordReceiverMail(tx, due, outcome, recipientHash)
}

async function decide(
  { config, log }: MailContext,
  tx: Tx,
  { orderId, userId, email, pageToken, isLate }: DueReceiverMail,
  recipientHash: string | null,
): Promise<ReceiverMailOutcome> {
  if (isLate || email === null || recipientHash === null || pageToken === null) return 'off'
  if (config.mode === 'sandbox' && !(await isOwnAddress(config, tx, userId, email))) return 'off'
  if (await isStopped(tx, recipientHash)) return 'stopped'
  const { ofSeller, ofRecipient } = await countMailed(tx, { userId, recipientHash }, LIMITS)
  if (ofRecipient >= LIMITS.ofRecipient) return 'limited'
  if (ofSeller < LIMITS.ofSeller) return 'mailed'
  log.warn({ userId, orderId }, 'a seller has reached the limit of mails to receivers')
  return 'limited'
}

/** Labels of the sandbox cost nothing, so their mails go to the seller alone. */
async function isOwnAddress(
  { requireVerifiedEmail }: MailContext['config'],
  tx: Tx,
  userId: number,
  email: string,
): Promise<boolean> {
  const user = await getUser(tx, userId)
  return (
    user.email.toLowerCase() === email.toLowerCase()
    && (!requireVerifiedEmail || user.emailVerifiedAt !== null)
  )
}

const linksOf = ({ config }: MailContext, pageToken: string, recipientHash: string) => ({
  page: `${config.publicUrl}/track/${pageToken}`,
  stop: `${config.publicUrl}/stop-parcel-mails#token=${recipientHash}`,
})

const WORDS: Record<ReceiverMailKind, { subject: string; line: string }> = {
  'on-the-way': {
    subject: 'A parcel is on its way to you',
    line: 'The carrier has scanned a parcel that is addressed to you.',
  },
  delivered: {
    subject: 'Your parcel was delivered',
    line: 'The carrier reports that a parcel addressed to you was delivered.',
  },
}

const receiverMail = (
  to: string,
  kind: ReceiverMailKind,
  { page, stop }: { page: string; stop: string },
): Mail =>
  composeMail(to, WORDS[kind].subject, {
    before: [WORDS[kind].line, 'See who sent it and where it is:'],
    link: page,
    action: 'Track the parcel',
    after: ['That page never asks for money or a password.'],
    other: { action: 'Stop emails about parcels', link: stop },
  })

/** Throws Refusal 'mail_link_unknown' for a link that was never mailed. A second stop changes nothing. */
export async function stopReceiverMails(
  { database }: ParcelPageContext,
  token: string,
): Promise<void> {
  const isKnown = await database.tx(async tx => {
    await lockRecipient(tx, token)
    return insertStop(tx, token)
  })
  if (!isKnown)
    throw new Refusal('mail_link_unknown', 'This link is incomplete. Open it from the email again.')
}

/** Runs at the start and again every 2 seconds. */
export const openReceiverMailsJob = (ctx: ParcelPageContext): RepeatedJob =>
  openRepeatedJob(ctx, {
    pauseMs: 2_000,
    round: () => sendReceiverMails(ctx),
    failure: 'mails to receivers could not be sent; retry in a moment',
  })
