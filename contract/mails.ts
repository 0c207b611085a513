/** Every kind of email, with its name on screens. A new kind is added here first. */
export const MAIL_KIND_NAMES = {
  'password-reset': 'Link to reset a password',
  'password-changed': 'Notice of a changed password',
} as const
export type MailKind = keyof typeof MAIL_KIND_NAMES
  'second-factor': 'Notice of a changed second factor',
  'second-factor-guessed': 'Warning of guesses at a second factor',
