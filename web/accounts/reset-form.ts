/** Rules of the form that sets a new password (specification, 5), pure. The server has more of them. */
import { texts } from './texts.ts'

export type ResetForm = { password: string; confirmPassword: string }

/** Sentences at the fields. */
export type ResetErrors = { password?: string; confirmPassword?: string }

export const NONE: ResetErrors = {}

/** Empty when the form may be sent. What is empty first, then whether the two are the same. */
export function check({ password, confirmPassword }: ResetForm): ResetErrors {
  const missing: ResetErrors = {}
  if (password === '') missing.password = texts.required(texts.reset.password)
  if (confirmPassword === '') missing.confirmPassword = texts.required(texts.confirmPassword)
  if (password === '' || confirmPassword === '') return missing
  return password === confirmPassword ? NONE : { confirmPassword: texts.register.mismatch }
}
