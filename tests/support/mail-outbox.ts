import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A mail as it lies in the outbox: its head, its parts, and all of it. */
export type SentMail = {
  from: string
  to: string
  subject: string
  text: string
  html: string
  raw: string
}

const partOf = (raw: string, type: string): string =>
  raw.split(/^--.*\r\n/m).find(part => part.startsWith(`Content-Type: ${type}`)) ?? ''
const bodyOf = (part: string): string => part.slice(part.indexOf('\r\n\r\n') + 4)

/** What every registration sends. */
const REGISTRATION_SUBJECT = 'Verify your email address'

/** Emails to an address, ignoring case, in DATA_DIR/outbox, oldest first, without that of its registration. */
export const mailsTo = async (dataDir: string, address: string): Promise<SentMail[]> =>
  (await allMailsTo(dataDir, address)).filter(({ subject }) => subject !== REGISTRATION_SUBJECT)

/** Links to verify an address in its emails, oldest first. */
export const verifyLinksTo = async (dataDir: string, address: string): Promise<string[]> =>
  (await allMailsTo(dataDir, address)).map(linkIn).filter(link => link.includes('/verify-email#'))

async function allMailsTo(dataDir: string, address: string): Promise<SentMail[]> {
  const folder = join(dataDir, 'outbox')
  const names = (await readdir(folder).catch(() => []))
    .filter(name => name.endsWith('.eml'))
    .toSorted()
  const mails = await Promise.all(
    names.map(async name => {
      const raw = await readFile(join(folder, name), 'utf8')
      // A long field goes on in lines that begin with a space.
      const head = (field: string): string =>
        (new RegExp(`^${field}: (.*(?:\r\n[ \t].*)*)\r$`, 'm').exec(raw)?.[1] ?? '')
          .replaceAll('\r\n', '')
          .trim()
      return {
        from: head('From'),
        to: head('To'),
        subject: head('Subject'),
        text: bodyOf(partOf(raw, 'text/plain')),
        html: bodyOf(partOf(raw, 'text/html')),
        raw,
      }
    }),
  )
  return mails.filter(({ to }) => to.toLowerCase() === address.toLowerCase())
}

/** The link of an email, as a whole. */
export const linkIn = ({ text }: SentMail): string =>
  /^https?:\S+\r?$/m.exec(text)?.[0].trim() ?? ''
/** The token of a mailed link. */
export const tokenOf = (link: string): string =>
  new URLSearchParams(new URL(link).hash.slice(1)).get('token') ?? ''

/** The link to a new password in a mail; its address as a whole. */
export const resetLinkIn = ({ text }: SentMail): string =>
  /^https?:\S+\/reset-password#token=[\w-]+\r?$/m.exec(text)?.[0].trim() ?? ''
/** The token in it. */
export const resetTokenIn = (mail: SentMail): string => resetLinkIn(mail).split('#token=')[1] ?? ''
