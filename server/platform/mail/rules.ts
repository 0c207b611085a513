import type { MailKind } from '#contract/mails.ts'

/**
 * News of sellers for their receivers, many at once. Sent when no other mail is due, so that no
 * sign-in link waits behind them; an address that is refused is no matter for administrators.
 */
export const RECEIVER_MAIL_KINDS: readonly MailKind[] = ['parcel-update']

/** Why an attempt failed; MAIL_PROBLEM_TEXTS has the sentence for administrators. */
export type MailProblem =
  | 'unreachable'
  | 'signin'
  | 'sender'
  | 'busy'
  | 'refused'
  | 'disk'
  | 'unreadable'
  | 'error'

export const MAIL_PROBLEM_TEXTS: Record<MailProblem, string> = {
  unreachable:
    'The mail server does not respond, refuses the connection, or has no valid certificate.',
  signin: 'The mail server does not accept the user and password of SMTP_URL, or asks for them.',
  sender: 'The mail server does not accept mail from this sender (MAIL_FROM).',
  busy: 'The mail server asks to try again later.',
  refused: 'The mail server refuses the recipient or the message.',
  disk: 'The folder outbox in DATA_DIR cannot be written.',
  unreadable: 'It was encrypted with another secret key (SECRET_KEY, or secret.key in DATA_DIR).',
  error: 'An unexpected error, which is in the log.',
}

const FIRST_RETRY_MS = 5_000
const MAX_RETRY_MS = 5 * 60_000
/** A mail server that is back gets what waits within this time. */
const MAX_SERVER_RETRY_MS = 60_000

/** Not the fault of one email: the others wait too, so that a dead mail server is asked rarely. */
export const concernsAllMails = (problem: MailProblem): boolean =>
  ['unreachable', 'signin', 'sender', 'disk'].includes(problem)

/** Milliseconds until the next attempt; `attempts` counts from 1. */
export const retryDelayMs = (attempts: number, problem: MailProblem): number =>
  Math.min(
    FIRST_RETRY_MS * 3 ** (attempts - 1),
    concernsAllMails(problem) ? MAX_SERVER_RETRY_MS : MAX_RETRY_MS,
  )

/** RFC 4954, section 6. */
const SIGN_IN_REQUIRED = 530

type TransportError = { responseCode?: number; syscall?: string; code?: string; command?: string }

/**
 * Only a 5xx to the recipient or the text ends an email ('refused'). A 5xx to the sign-in or the
 * sender is the operator's to correct, so the email waits.
 */
export function problemOf(error: unknown): MailProblem {
  const { responseCode, syscall, code, command } = error as TransportError
  if (code === 'EAUTH' || command?.startsWith('AUTH') || responseCode === SIGN_IN_REQUIRED)
    return 'signin'
  if (responseCode !== undefined) {
    if (responseCode < 500) return 'busy'
    if (/^(CONN|EHLO|HELO)/.test(command ?? '')) return 'unreachable'
    return /^(RCPT|DATA)/.test(command ?? '') ? 'refused' : 'sender'
  }
  if (syscall !== undefined && /^(open|write|fsync|rename|mkdir)$/.test(syscall)) return 'disk'
  return code === undefined ? 'error' : 'unreachable'
}

/** 'a•••@example.com': enough for an administrator to recognize it. */
export const maskAddress = (address: string): string =>
  address.replace(/^(.).*(@[^@]*)$/su, '$1•••$2')
