/** Messages to support: validation and the email they become. Pure. */
import { PRODUCT } from '#contract/product.ts'
import { normalizeText, tidyText } from '#contract/text.ts'
import { isEmail } from '#server/accounts/rules.ts'

/** `account`: of a signed-in sender; null for a visitor, whose name and address were typed. */
export type SupportMessage = {
  name: string
  email: string
  subject: string
  message: string
  account: { userId: number } | null
}

// Line ends and tabs stay; other controls would change how the text is shown.
const CONTROL = /[^\P{Cc}\n\t]|[\p{Bidi_Control}\u2028\u2029]/gu
/** Mail servers may break lines of 1,000 bytes; a character has up to four. */
const LONG_LINE = /([^\n]{200})(?=[^\n])/gu

/** Without control characters; lines of the message have at most 200 characters. */
export const tidyMessage = (given: SupportMessage): SupportMessage => ({
  ...given,
  name: tidyText(given.name.replace(CONTROL, ' ')),
  email: given.email.trim(),
  subject: tidyText(given.subject.replace(CONTROL, ' ')),
  message: normalizeText(given.message.replace(/\r\n?/g, '\n').replace(CONTROL, ''))
    .replace(LONG_LINE, '$1\n')
    .trim(),
})

/** Empty when the message can be sent; otherwise a sentence per field. */
export function messageErrors({ name, email, subject, message }: SupportMessage) {
  const errors: Record<string, string> = {}
  if (name === '') errors.name = 'Name is required'
  if (!isEmail(email)) errors.email = 'Enter your email, such as ana@example.com'
  if (subject === '') errors.subject = 'Subject is required'
  if (message === '') errors.message = 'Message is required'
  return errors
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, sign => ESCAPES[sign] ?? sign)

/** The email to support, which answers to the sender. */
export function supportMail(to: string, given: SupportMessage) {
  const { name, email, subject, message, account } = given
  const sender = account
    ? `${name} <${email}>, account ${account.userId}`
    : `${name} <${email}>, a visitor: name and address are not verified`
  return {
    to,
    replyTo: email,
    subject: `[${PRODUCT} support] ${subject}`,
    text: [`From: ${sender}`, `Subject: ${subject}`, message].join('\n\n'),
    html: [
      '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Support</title></head><body>',
      `<p>From: ${escapeHtml(sender)}<br>Subject: ${escapeHtml(subject)}</p>`,
      `<pre style="white-space:pre-wrap;font:inherit">${escapeHtml(message)}</pre>`,
      '</body></html>',
    ].join('\n'),
  }
}
