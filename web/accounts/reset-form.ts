/** Rules of the form that sets a new password (specification, 5), pure. The server has more of them. */
import { texts } from './texts.ts'

export type ResetForm = { password: string; confirmPassword: string }

/** Sentences at the fields. */
export type ResetErrors = { password?: string; confirmPassword?: string }

export const NO_RESET_ERRORS: ResetErrors = {}

/** Empty when the form may be sent. What is empty first, then whether the two are the same. */
export function resetErrorsFor({ password, confirmPassword }: ResetForm): ResetErrors {
  const missing: ResetErrors = {}
  if (password === '') missing.password = texts.required(texts.reset.password)
  if (confirmPassword === '') missing.confirmPassword = texts.required(texts.confirmPassword)
  if (password === '' || confirmPassword === '') return missing
  return password === confirmPassword
    ? NO_RESET_ERRORS
    : { confirmPassword: texts.register.mismatch }
}
