/** Messages to support: validation and the email they become; which pages an operator still has to write. Pure. */
import type { FieldFault } from '#contract/faults.ts'
import { PRODUCT } from '#contract/product.ts'
import type { PageSlug, PageSummary, SupportTopic } from '#contract/support.ts'
import { PAGE_SLUGS, SUPPORT_TOPICS } from '#contract/support.ts'
import { normalizeText, tidyText } from '#contract/text.ts'
import { isEmail } from '#server/accounts/rules.ts'

/** `account`: of a signed-in sender; null for a visitor, whose name and address were typed. */
export type SupportMessage = {
  name: string
  email: string
  topic?: SupportTopic | undefined
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

/** Faults by field; empty when the message can be sent. */
export function messageFaults({ name, email, subject, message }: SupportMessage) {
  const faults: Record<string, FieldFault> = {}
  if (name === '') faults.name = required('Name')
  if (!isEmail(email))
    faults.email = { code: 'email_malformed', text: 'Enter your email, such as ana@example.com' }
  if (subject === '') faults.subject = required('Subject')
  if (message === '') faults.message = required('Message')
  return faults
}

const required = (label: string): FieldFault => ({ code: 'required', text: `${label} is required` })

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, sign => ESCAPES[sign] ?? sign)

/** The email to support, which answers to the sender. */
export function supportMail(to: string, given: SupportMessage) {
  const { name, email, topic, message, account } = given
  const subject =
    topic && topic !== 'other' ? `${SUPPORT_TOPICS[topic]}: ${given.subject}` : given.subject
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

/** Customers who pay with real money are promised these pages. */
const NEEDED_PAGES: readonly PageSlug[] = PAGE_SLUGS.filter(slug => slug !== 'help')

/** A sentence for each thing that customers look for and the operator has not written. `pages`: those that are shown. */
export function missingSupport(
  pages: readonly PageSummary[],
  supportEmail: string | undefined,
): string[] {
  const isOwn = (slug: PageSlug) => pages.some(page => page.slug === slug && !page.isExample)
  const missing = NEEDED_PAGES.filter(slug => !isOwn(slug)).map(slug => `${slug}.md`)
  const problems: string[] = []
  if (missing.length > 0)
    problems.push(
      `DATA_DIR/pages has no text of yours in ${missing.join(', ')}: visitors see the example or no page. `
        + 'Write it; npm run doctor says what is still missing.',
    )
  if (supportEmail === undefined && !isOwn('help'))
    problems.push(
      'Customers cannot reach you: set SUPPORT_EMAIL, or say in DATA_DIR/pages/help.md how they can.',
    )
  return problems
}
