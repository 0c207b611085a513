/**
 * Emails go to a mail server (SMTP_URL) or to `.eml` files in DATA_DIR/outbox, in the background:
 * no response waits for one or tells whether it was sent.
 */
import { randomBytes, randomInt } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import { PRODUCT } from '#contract/product.ts'
import type { Context } from '#server/platform/context.ts'

/** `to` is one bare address. Lines have at most 998 characters, or a mail server may break them. */
export type Mail = { to: string; subject: string; text: string; html: string }

export type Mailer = {
  /**
   * Sends an email later. `write` creates it and may query the database; it returns null when there
   * is nothing to send.
   */
  send(write: () => Promise<Mail | null>): void
  start(): void
  /** Waits some seconds for emails in progress, then closes the connections. */
  stop(): Promise<void>
}

type MailMessage = ReturnType<typeof toMailMessage>
type MailTransport = { deliver(message: MailMessage): Promise<void>; close(): void }

// Creating an email slows responses at the same time and would reveal whether an address is known:
// without a delay a known address took 43 ms and an unknown one 10 ms; with it 4.4 and 3.9 ms. The
// delay is random so that it cannot be predicted.
const SEND_DELAY_MS = [100, 400] as const
// For busy and greylisting mail servers.
const MAIL_RETRY_DELAYS_MS = [5_000, 60_000]
const MAIL_STOP_TIMEOUT_MS = 8_000
// A mail server that hangs must not fill the memory. A user can request a lost email again.
const MAX_PENDING_MAILS = 1_000

export function openMailer({ config, log }: Pick<Context, 'config' | 'log'>): Mailer {
  const transport =
    config.smtpUrl === undefined
      ? outboxTransport(join(config.dataDir, 'outbox'))
      : smtpTransport(config.smtpUrl)
  const pending = new Set<Promise<void>>()
  const stopping = new AbortController()

  const deliver = async (write: () => Promise<Mail | null>): Promise<void> => {
    await wait(randomInt(...SEND_DELAY_MS), undefined, { signal: stopping.signal }).catch(() => {})
    try {
      const mail = await write()
      if (mail)
        await deliverWithRetries(transport, toMailMessage(mail, config.mailFrom), stopping.signal)
    } catch (error) {
      log.error(loggableMailError(error), 'an email could not be sent')
    }
  }
  const settled = async (): Promise<void> => {
    while (pending.size > 0) await Promise.all(pending)
  }
  return {
    send(write) {
      if (pending.size >= MAX_PENDING_MAILS)
        return log.error({ pending: pending.size }, 'an email was not sent: too many are waiting')
      const work: Promise<void> = deliver(write).finally(() => pending.delete(work))
      pending.add(work)
    },
    start: () => {},
    async stop() {
      stopping.abort()
      await Promise.race([settled(), wait(MAIL_STOP_TIMEOUT_MS, undefined, { ref: false })])
      transport.close()
    },
  }
}

/** 8bit: an encoding that breaks lines would break links in the raw text. */
const mailPart = (type: string, text: string) => ({
  raw: `Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${text}\n`,
})

/** Refuses address lists and control characters, which could inject headers. */
function toMailMessage({ to, subject, text, html }: Mail, from: string) {
  if (/[\p{Cc}\s,;<>]/u.test(to) || /\p{Cc}/u.test(subject))
    throw new Error('the address or the subject of an email is not valid')
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
  transport: MailTransport,
  message: MailMessage,
  stopping: AbortSignal,
): Promise<void> {
  for (const pauseMs of MAIL_RETRY_DELAYS_MS) {
    try {
      return await transport.deliver(message)
    } catch (error) {
      if (!isTransientMailError(error) || stopping.aborted) throw error
      await wait(pauseMs, undefined, { signal: stopping, ref: false }).catch(() => {})
    }
  }
  await transport.deliver(message)
}

/** Permanent: 5xx of the mail server and errors of the local disk. */
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

/** No message: mail servers often repeat the address in it. */
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
    deliver: async message => void (await transport.sendMail(message)),
    close: () => transport.close(),
  }
}

/** Writes complete `.eml` files that only this user may read: they contain valid links. */
function outboxTransport(folder: string): MailTransport {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  return {
    async deliver(mail) {
      const { message } = await composer.sendMail(mail)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const name = `${new Date().toISOString().replace(/[:.]/g, '-')}-${randomBytes(4).toString('hex')}`
      const draft = join(folder, `.${name}.part`)
      try {
        await using file = await open(draft, 'wx', 0o600)
        await file.writeFile(message as Buffer)
        await file.sync()
      } catch (error) {
        await rm(draft, { force: true })
        throw error
      }
      await rename(draft, join(folder, `${name}.eml`))
    },
    close: () => {},
  }
}
