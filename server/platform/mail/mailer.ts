/**
 * Mail: to a mail server by SMTP_URL, else as `.eml` files in DATA_DIR/outbox. Mails are made and sent beside the work that asks
 * for them: nobody waits for one, and no answer tells whether one went out.
 */
import { randomBytes, randomInt } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import { PRODUCT } from '#contract/product.ts'
import type { Context } from '#server/platform/context.ts'

/** One mail to one person; `to` is the bare address. Lines of at most 998 characters, or a mail server may break them. */
export type Mail = { to: string; subject: string; text: string; html: string }

export type Mailer = {
  /** Makes a mail and sends it, later. `write` may look things up first, and answers null when there is nothing to send. */
  send(write: () => Promise<Mail | null>): void
  /** Nothing has to be begun; what runs beside the calls is started and stopped alike. */
  start(): void
  /** Gives what is under way a few seconds, then lets the mail server go. */
  stop(): Promise<void>
}

/** A mail as the sender is given it: ready but for the way. */
type MailMessage = ReturnType<typeof toMailMessage>
type MailTransport = { deliver(letter: MailMessage): Promise<void>; close(): void }

// The work for a mail slows what is answered at the same time: begun with the answer, a known address took 43 ms and an unknown
// one 10; now 4.4 and 3.9. So it begins when the answer is long gone, at a moment that nobody can foresee.
const SEND_DELAY_MS = [100, 400] as const
// A mail server that is busy, or wants to see us twice, says so by a failure that passes.
const MAIL_RETRY_DELAYS_MS = [5_000, 60_000]
const MAIL_STOP_TIMEOUT_MS = 8_000
// A mail server that hangs must not fill the memory. Whoever misses a mail can ask for it again.
const MAX_PENDING_MAILS = 1_000

export function openMailer({ config, log }: Pick<Context, 'config' | 'log'>): Mailer {
  const way =
    config.smtpUrl === undefined
      ? outboxTransport(join(config.dataDir, 'outbox'))
      : smtpTransport(config.smtpUrl)
  const underWay = new Set<Promise<void>>()
  const ending = new AbortController()

  const deliver = async (write: () => Promise<Mail | null>): Promise<void> => {
    await wait(randomInt(...SEND_DELAY_MS), undefined, { signal: ending.signal }).catch(() => {})
    try {
      const mail = await write()
      if (mail) await deliverWithRetries(way, toMailMessage(mail, config.mailFrom), ending.signal)
    } catch (error) {
      log.error(loggableMailError(error), 'a mail could not be sent')
    }
  }
  const settled = async (): Promise<void> => {
    while (underWay.size > 0) await Promise.all(underWay)
  }
  return {
    send(write) {
      if (underWay.size >= MAX_PENDING_MAILS)
        return log.error({ underWay: underWay.size }, 'a mail was not sent: too many are waiting')
      const work: Promise<void> = deliver(write).finally(() => underWay.delete(work))
      underWay.add(work)
    },
    start: () => {},
    async stop() {
      ending.abort()
      await Promise.race([settled(), wait(MAIL_STOP_TIMEOUT_MS, undefined, { ref: false })])
      way.close()
    },
  }
}

/** Parts that are whole lines as we wrote them: an encoding that breaks lines would break links where they are read raw. */
const mailPart = (type: string, text: string) => ({
  raw: `Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${text}\n`,
})

/** One address, never a list; and a line end ends the mail, not the header. */
function toMailMessage({ to, subject, text, html }: Mail, from: string) {
  if (/[\p{Cc}\s,;<>]/u.test(to) || /\p{Cc}/u.test(subject))
    throw new Error('not one address, or not one line of subject')
  return {
    from: { name: PRODUCT, address: from },
    to: { name: '', address: to },
    subject,
    headers: { 'Auto-Submitted': 'auto-generated' },
    alternatives: [mailPart('text/plain', text), mailPart('text/html', html)],
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

async function deliverWithRetries(
  way: MailTransport,
  letter: MailMessage,
  ending: AbortSignal,
): Promise<void> {
  for (const pauseMs of MAIL_RETRY_DELAYS_MS) {
    try {
      return await way.deliver(letter)
    } catch (error) {
      if (!isTransientMailError(error) || ending.aborted) throw error
      await wait(pauseMs, undefined, { signal: ending, ref: false }).catch(() => {})
    }
  }
  await way.deliver(letter)
}

/** 5xx of a mail server is its last word, so are faults of this machine's disk; all else may be different in a minute. */
const isTransientMailError = (error: unknown): boolean => {
  const { responseCode, syscall, code } = error as {
    responseCode?: number
    syscall?: string
    code?: string
  }
  return responseCode === undefined
    ? Boolean(code) && (syscall === undefined || syscall === 'connect')
    : responseCode < 500
}

/** What may be told of a failure: a mail server's sentences often repeat the address. */
function loggableMailError(error: unknown): Record<string, unknown> {
  const { name, code, responseCode, command } = error as {
    name?: string
    code?: string
    responseCode?: number
    command?: string
  }
  return { name, code, responseCode, command: command?.split(' ')[0] }
}

function smtpTransport(url: string): MailTransport {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: 2,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
  })
  return {
    deliver: async letter => void (await transport.sendMail(letter)),
    close: () => transport.close(),
  }
}

/** Mails as files that a mail program opens, whole ones only. They hold links that work, so they are readable by us alone. */
function outboxTransport(folder: string): MailTransport {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  return {
    async deliver(letter) {
      const { message } = await composer.sendMail(letter)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const name = `${new Date().toISOString().replace(/[:.]/g, '-')}-${randomBytes(4).toString('hex')}`
      const hidden = join(folder, `.${name}.part`)
      try {
        await using file = await open(hidden, 'wx', 0o600)
        await file.writeFile(message as Buffer)
        await file.sync()
      } catch (error) {
        await rm(hidden, { force: true })
        throw error
      }
      await rename(hidden, join(folder, `${name}.eml`))
    },
    close: () => {},
  }
}
