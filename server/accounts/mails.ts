/**
 * Mails about accounts. They contain no typed text such as names, which could carry a stranger's
 * message.
 */
import { PRODUCT } from '#contract/product.ts'
import type { Mail } from '#server/platform/mail/mailer.ts'

export const resetMail = (to: string, link: string): Mail =>
  composeMail(to, `Reset your ${PRODUCT} password`, {
    before: [
      `We received a request to reset the password of your ${PRODUCT} account. Choose a new password here:`,
    ],
    link,
    action: 'Choose a new password',
    after: [
      'The link works once and expires in one hour.',
      'If you did not request this, ignore this email. Your password stays unchanged.',
    ],
  })

/** Without a request of the user: by an administrator, or after the old password became known. */
export const givenResetMail = (to: string, link: string): Mail =>
  composeMail(to, `Choose a new ${PRODUCT} password`, {
    before: [`Choose a new password for your ${PRODUCT} account here:`],
    link,
    action: 'Choose a new password',
    after: [
      'The link works once and expires in one hour.',
      'If it has expired, request another one on the login page.',
    ],
  })

export const passwordChangedMail = (to: string, resetPage: string): Mail =>
  composeMail(to, `Your ${PRODUCT} password was changed`, {
    before: [
      `The password of your ${PRODUCT} account was just changed, and all other devices were signed out.`,
      'If this was you, no action is needed. If not, reset your password now:',
    ],
    link: resetPage,
    action: 'Reset your password',
  })

/** What happened to the second factors, as the notice says it. */
const FACTOR_NOTICES = {
  'totp-added': 'An authenticator app was set up for your account.',
  'passkey-added': 'A passkey was added to your account.',
  renamed: 'A sign-in method of your account was renamed.',
  removed: 'A sign-in method was removed from your account, and all other devices were signed out.',
  'recovery-codes':
    'New recovery codes were created for your account. The old ones no longer work.',
  'recovery-code-used': 'A recovery code of your account was used. It cannot be used again.',
  unlocked:
    'The operator of this site turned off two-step sign-in for your account, deleted its recovery codes and signed out all devices.',
} as const
export type FactorNotice = keyof typeof FACTOR_NOTICES

export const factorNoticeMail = (to: string, notice: FactorNotice, resetPage: string): Mail =>
  composeMail(to, `Two-step sign-in was changed for your ${PRODUCT} account`, {
    before: [
      FACTOR_NOTICES[notice],
      'If this was you, no action is needed. If not, reset your password now, then check your two-step sign-in under Account:',
    ],
    link: resetPage,
    action: 'Reset your password',
  })

/** Also of a key that replaces another one. `last4`: its end. */
export const keyCreatedMail = (to: string, last4: string, resetPage: string): Mail =>
  composeMail(to, `An API key was created for your ${PRODUCT} account`, {
    before: [
      `A new API key, ending in ${last4}, was created for your account.`,
      'If this was you, no action is needed. If not, reset your password now, then delete the key under Account:',
    ],
    link: resetPage,
    action: 'Reset your password',
  })

/** `sign-in`: after the right password. `proof`: where the user is signed in already. */
export type CodesGuessedAt = 'sign-in' | 'proof'

const CODES_GUESSED: Record<CodesGuessedAt, { title: string; lines: string[] }> = {
  'sign-in': {
    title: 'Wrong sign-in codes',
    lines: [
      'The password of your account was entered correctly, followed by several wrong authenticator codes.',
      'If this was you, no action is needed. If not, another person knows your password: reset it now.',
    ],
  },
  proof: {
    title: 'Wrong authenticator codes',
    lines: [
      'Several wrong authenticator codes were entered on a device that is signed in to your account.',
      'If this was you, no action is needed. If not, another person uses that device or its sign-in: reset your password now.',
      'That signs out all devices.',
    ],
  },
}

export function codesGuessedMail(to: string, resetPage: string, guessedAt: CodesGuessedAt): Mail {
  const { title, lines } = CODES_GUESSED[guessedAt]
  return composeMail(to, `${title} for your ${PRODUCT} account`, {
    before: lines,
    link: resetPage,
    action: 'Reset your password',
  })
}

type MailContent = {
  before: string[]
  link: string
  action: string
  after?: string[]
  /** A quieter link below. */
  other?: { action: string; link: string }
}

// Mail clients ignore style sheets: the palette of web/ui/tokens.css, inline.
const INK = '#1b1813'
const PAPER = '#faf7f1'
const QUIET = '#6c6454'
const SURFACE = '#ffffff'
const LINE = '#e7e0d3'
const LINK = '#bc3e14'
const BUTTON =
  `display:inline-block;padding:12px 20px;border-radius:9px;background:${INK};color:${PAPER};`
  + 'font-weight:600;text-decoration:none'

const FOOT = `margin:16px 0 0;color:${QUIET};font-size:13px;overflow-wrap:anywhere`

/** The same content as plain text and as HTML. */
export function composeMail(
  to: string,
  subject: string,
  { before, link, action, after = [], other }: MailContent,
): Mail {
  const paragraph = (text: string) => `<p style="margin:0 0 16px">${escape(text)}</p>`
  return {
    to,
    subject,
    text: [
      ...before,
      link,
      ...after,
      ...(other ? [`${other.action}: ${other.link}`] : []),
      PRODUCT,
    ].join('\n\n'),
    html: [
      '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
      `<title>${escape(subject)}</title></head>`,
      `<body style="margin:0;padding:32px 16px;background:${PAPER};color:${INK};font:16px/1.5 system-ui,sans-serif">`,
      `<div style="max-width:480px;margin:0 auto">`,
      `<p style="margin:0 0 16px;font-size:20px;font-weight:700">${escape(PRODUCT)}</p>`,
      `<div style="padding:24px 24px 8px;border:1px solid ${LINE};border-radius:14px;background:${SURFACE}">`,
      ...before.map(paragraph),
      `<p style="margin:0 0 16px"><a href="${escape(link)}" style="${BUTTON}">${escape(action)}</a></p>`,
      ...after.map(paragraph),
      `</div>`,
      ...(other ? [`<p style="${FOOT}">${anchor(other.link, other.action)}</p>`] : []),
      `<p style="${FOOT}">If the button does not work, open this link: ${anchor(link, link)}</p>`,
      `</div></body></html>`,
    ].join('\n'),
  }
}

const anchor = (link: string, text: string): string =>
  `<a href="${escape(link)}" style="color:${LINK}">${escape(text)}</a>`

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escape = (text: string): string => text.replace(/[&<>"]/g, sign => ESCAPES[sign] ?? sign)
