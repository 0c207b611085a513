import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { PRODUCT } from '#contract/product.ts'
import type { Config } from '#server/platform/config.ts'
import { isLoopback } from '#server/platform/variables.ts'

/** `to` and `replyTo` are one bare address. Lines have at most 998 characters, or a mail server may break them. */
export type Mail = { to: string; replyTo?: string; subject: string; text: string; html: string }

/** The same at each attempt. */
export type MailIdentity = { messageId: string; createdAt: Date }

export type MailTransport = {
  deliver(mail: Mail, identity: MailIdentity): Promise<void>
  close(): void
}

type MailMessage = ReturnType<typeof toMailMessage>

export const openMailTransport = (config: Config): MailTransport =>
  config.smtpUrl === undefined
    ? outboxTransport(join(config.dataDir, 'outbox'), config.mailFrom)
    : smtpTransport(config.smtpUrl, config.mailFrom)

/** 8bit: an encoding that breaks lines would break links in the raw text. */
const mailPart = (type: string, text: string) => ({
  raw: `Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${text}\n`,
})

/** Throws for address lists and control characters, which could inject headers. */
export function requireSafeMail({ to, replyTo = '', subject }: Mail): void {
  const isUnsafe = (address: string) => /[\p{Cc}\s,;<>]/u.test(address)
  if (isUnsafe(to) || isUnsafe(replyTo) || /\p{Cc}/u.test(subject))
    throw new Error('the address or the subject of an email is not valid')
}

function toMailMessage(mail: Mail, from: string, { messageId, createdAt }: MailIdentity) {
  requireSafeMail(mail)
  return {
    from: { name: PRODUCT, address: from },
    to: { name: '', address: mail.to },
    ...(mail.replyTo !== undefined && { replyTo: { name: '', address: mail.replyTo } }),
    subject: mail.subject,
    date: createdAt,
    messageId: `<${messageId}@${from.split('@')[1]}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    alternatives: [mailPart('text/plain', mail.text), mailPart('text/html', mail.html)],
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

function smtpTransport(url: string, from: string): MailTransport {
  const transport = createTransport({
    url,
    // Otherwise an attacker between the two could suppress STARTTLS and read links.
    requireTLS: url.startsWith('smtp:') && !isLoopback(url),
    pool: true,
    maxConnections: 2,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
  })
  return {
    deliver: async (mail, identity) =>
      void (await transport.sendMail(toMailMessage(mail, from, identity))),
    close: () => transport.close(),
  }
}

/**
 * Writes complete `.eml` files that only this user may read: they contain valid links. A repeated
 * delivery replaces the file of the first one.
 */
function outboxTransport(folder: string, from: string): MailTransport {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  return {
    async deliver(mail, identity) {
      const composed: MailMessage = toMailMessage(mail, from, identity)
      const { message } = await composer.sendMail(composed)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const { createdAt, messageId } = identity
      const name = `${createdAt.toISOString().replace(/[:.]/g, '-')}-${messageId.slice(0, 8)}`
      const draft = join(folder, `.${name}.part`)
      try {
        await using file = await open(draft, 'w', 0o600)
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
