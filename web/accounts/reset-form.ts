/** Validation of a new password. Pure. The server has more rules. */
import { texts } from './texts.ts'

export type ResetForm = { password: string; confirmPassword: string }

type ResetErrors = { password?: string; confirmPassword?: string }

export const NO_RESET_ERRORS: ResetErrors = {}

/** Empty when valid. */
export function resetErrorsFor(
  { password, confirmPassword }: ResetForm,
  passwordLabel: string = texts.reset.password,
): ResetErrors {
  const missing: ResetErrors = {}
  if (password === '') missing.password = texts.required(passwordLabel)
  if (confirmPassword === '') missing.confirmPassword = texts.required(texts.confirmPassword)
  if (password === '' || confirmPassword === '') return missing
  return password === confirmPassword
    ? NO_RESET_ERRORS
    : { confirmPassword: texts.register.mismatch }
}
