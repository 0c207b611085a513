/** The mails of this room. They say nothing that a stranger may have typed: a name in a mail of ours would be his words in our mouth. */
import { PRODUCT } from '#contract/product.ts'
import type { Mail } from '#server/platform/mail/mailer.ts'

/** The way to a new password; it opens for an hour and once. */
export const resetMail = (to: string, link: string): Mail =>
  composeMail(to, `Reset your ${PRODUCT} password`, {
    before: [
      `Somebody, most likely you, asked to reset the password of your ${PRODUCT} account. Choose a new one here:`,
    ],
    link,
    action: 'Choose a new password',
    after: [
      'The link works once and for one hour.',
      'If you did not ask for this, you need not do anything. Your password stays as it is.',
    ],
  })

/** Says that the password was changed; `link` is where one asks for a new one. */
export const passwordChangedMail = (to: string, link: string): Mail =>
  composeMail(to, `Your ${PRODUCT} password was changed`, {
    before: [
      `The password of your ${PRODUCT} account has just been changed, and other devices were signed out.`,
      'If that was you, all is well. If it was not, take your account back now:',
    ],
    link,
    action: 'Reset your password',
    after: [],
  })

type MailContent = { before: string[]; link: string; action: string; after: string[] }

// A mail brings no style sheet along: the palette of the pages in the few places that need it.
const INK = '#1b1813'
const PAPER = '#faf7f1'
const QUIET = '#6c6454'
const BUTTON =
  `display:inline-block;padding:12px 20px;border-radius:9px;background:${INK};color:${PAPER};`
  + 'font-weight:600;text-decoration:none'

/** The same words as plain text and as a small page. */
function composeMail(
  to: string,
  subject: string,
  { before, link, action, after }: MailContent,
): Mail {
  const paragraph = (text: string) => `<p style="margin:0 0 16px">${escape(text)}</p>`
  return {
    to,
    subject,
    text: [...before, link, ...after, PRODUCT].join('\n\n'),
    html: [
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escape(subject)}</title></head>`,
      `<body style="margin:0;padding:32px 16px;background:${PAPER};color:${INK};font:16px/1.5 system-ui,sans-serif">`,
      `<div style="max-width:480px;margin:0 auto">`,
      `<p style="margin:0 0 24px;font-size:20px;font-weight:700">${escape(PRODUCT)}</p>`,
      ...before.map(paragraph),
      `<p style="margin:0 0 16px"><a href="${escape(link)}" style="${BUTTON}">${escape(action)}</a></p>`,
      ...after.map(paragraph),
      `<p style="margin:24px 0 0;color:${QUIET};font-size:13px;overflow-wrap:anywhere">If the button does not work: ${escape(link)}</p>`,
      `</div></body></html>`,
    ].join('\n'),
  }
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escape = (text: string): string => text.replace(/[&<>"]/g, sign => ESCAPES[sign] ?? sign)
