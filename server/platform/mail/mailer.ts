/**
 * Emails wait in the table `mail` and are sent in the background to a mail server (SMTP_URL) or as
 * `.eml` files to DATA_DIR/outbox: docs/decisions/0036-mail-waits-in-the-database.md.
 */
import { randomInt, randomUUID } from 'node:crypto'
import type { MailKind } from '#contract/mails.ts'
import type { Context } from '#server/platform/context.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import type { SecretKey } from '#server/platform/process/secret-key.ts'
import { sealMail } from './content.ts'
import { countWaiting, eraseMailsOf, insertMail, makeDue, recordCanceled } from './mail-store.ts'
import type { ChangedMail } from './mail-store.ts'
import { maskAddress } from './rules.ts'
import { openMailSender } from './sender.ts'
import type { MailPace } from './sender.ts'
import { openMailTransport, requireSafeMail } from './transport.ts'
import type { Mail } from './transport.ts'

export type { Mail } from './transport.ts'

/**
 * `userId`: whose account it is about; null for none. `validHours`: how long what it carries is
 * valid, such as a link. It is not sent later. `maxWaiting`: of its kind for one recipient, five by
 * default. `messageId`: a UUID, of which the first email counts; random by default.
 */
export type NewMail = Mail & {
  kind: MailKind
  userId: number | null
  validHours?: number
  maxWaiting?: number
  messageId?: string
}

/** `input`: what its writer needs, as JSON. */
export type MailRequest = { kind: MailKind; to: string; input: unknown; validHours: number }

/** Of the user it found, or null when there is nothing to send. */
export type WrittenMail = { userId: number; mail: Mail } | null

/**
 * Writes the email of a request in the background. It runs once for each request that is sent: what
 * it writes to the database, such as a token's hash, is committed together with the text.
 */
export type MailWriter = (tx: Tx, request: { to: string; input: unknown }) => Promise<WrittenMail>

export type Mailer = {
  /**
   * Stores an email in the transaction of what it is about: it is sent if that commits, soon after,
   * at least once, and tried again for three days or `validHours`. The text may contain a valid
   * link: it is encrypted, and erased when it is sent. Of one kind at most `maxWaiting` wait for one
   * recipient; the oldest ends first. Throws for an address or a subject with control characters.
   */
  enqueue(tx: Tx, mail: NewMail): Promise<void>
  /**
   * Stores a request of someone who is not signed in: nothing about `to` is looked up before the
   * response, so that known and unknown addresses take the same work. The kind's writer runs 100 to
   * 400 ms later.
   */
  enqueueRequest(tx: Tx, request: MailRequest): Promise<void>
  /** How many emails of a kind wait, counted up to `limit`. */
  countWaiting(db: Db, kind: MailKind, limit: number): Promise<number>
  /**
   * Has a waiting or refused email sent now. Undefined when it was sent, has expired or is being
   * sent.
   */
  tryNow(tx: Tx, id: number): Promise<ChangedMail | undefined>
  /** Ends a waiting email, or a failed one's place in the list of administrators. */
  cancel(tx: Tx, id: number): Promise<ChangedMail | undefined>
  /** Cancels what waits for a user, in the transaction that deletes the user. */
  eraseMailsOf(tx: Tx, userId: number): Promise<void>
  /** The writer of the requests of a kind, set once before `start`. */
  setWriter(kind: MailKind, writer: MailWriter): void
  /** A process with ROLE=worker stores emails and sends none. */
  start(): void
  /** Waits some seconds for emails in progress; the next start continues with the others. */
  stop(): Promise<void>
}

// Creating an email slows responses at the same time and would reveal whether an address is known:
// without a delay a known address took 43 ms and an unknown one 10 ms; with it 4.4 and 3.9 ms. The
// delay is random so that it cannot be predicted.
const REQUEST_DELAY_MS = [100, 400] as const
const NOTICE_VALID_HOURS = 72
const MAX_PER_RECIPIENT = 5

/** `pace`: other waiting times, for tests. */
export function openMailer(
  ctx: Context & { secretKey: SecretKey },
  pace: Partial<MailPace> = {},
): Mailer {
  const writers = new Map<MailKind, MailWriter>()
  const sender = openMailSender(ctx, openMailTransport(ctx.config), writers, pace)

  const insert = async (
    tx: Tx,
    { kind, to, validHours }: { kind: MailKind; to: string; validHours: number },
    content: Parameters<typeof sealMail>[2],
    {
      userId,
      delayMs,
      maxWaiting = MAX_PER_RECIPIENT,
      messageId = randomUUID(),
    }: Pick<NewMail, 'userId' | 'maxWaiting' | 'messageId'> & { delayMs: number },
  ): Promise<void> => {
    const row = {
      messageId,
      kind,
      userId,
      sealed: sealMail(ctx.secretKey, messageId, content),
      written: 'text' in content,
      recipientHash: ctx.secretKey.sign('mail-recipient', to.toLowerCase()),
      recipientHint: maskAddress(to),
      validHours,
      delayMs,
    }
    await insertMail(tx, row, maxWaiting)
    sender.wakeAfter(delayMs)
  }
  return {
    async enqueue(tx, { kind, userId, validHours = NOTICE_VALID_HOURS, ...given }) {
      const { maxWaiting, messageId, ...mail } = given
      requireSafeMail(mail)
      const row = { kind, to: mail.to, validHours }
      await insert(tx, row, mail, { userId, delayMs: 0, maxWaiting, messageId })
    },
    async enqueueRequest(tx, { kind, to, input, validHours }) {
      const delayMs = randomInt(...REQUEST_DELAY_MS)
      await insert(tx, { kind, to, validHours }, { to, input }, { userId: null, delayMs })
    },
    async tryNow(tx, id) {
      const mail = await makeDue(tx, id)
      if (mail) sender.resume()
      return mail
    },
    countWaiting,
    cancel: recordCanceled,
    eraseMailsOf,
    setWriter: (kind, writer) => void writers.set(kind, writer),
    start: () => (ctx.config.role === 'worker' ? undefined : sender.start()),
    stop: sender.stop,
  }
}
