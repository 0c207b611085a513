/** Validation of the account forms. Pure. The server applies these rules and more. */
import { texts } from './texts.ts'

export type PasswordForm = { password: string; currentPassword: string }

export type PasswordErrors = Partial<Record<keyof PasswordForm, string | undefined>>

export const nameErrorFor = (name: string): string | undefined =>
  name.trim() === '' ? texts.required(texts.name) : undefined

/** Empty when valid. A new password requires the current one. */
export function passwordErrorsFor({ password, currentPassword }: PasswordForm): PasswordErrors {
  const errors: PasswordErrors = {}
  if (currentPassword === '') errors.currentPassword = texts.required(texts.account.currentPassword)
  if (password === '') errors.password = texts.required(texts.reset.password)
  return errors
}
