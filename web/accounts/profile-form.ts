/** Validation of the account form. Pure. The server applies these rules and more. */
import { texts } from './texts.ts'

export type ProfileForm = { name: string; password: string; currentPassword: string }

export type ProfileErrors = Partial<Record<keyof ProfileForm, string>>

/** Empty when valid. A new password requires the current one. */
export function profileErrorsFor({ name, password, currentPassword }: ProfileForm): ProfileErrors {
  const errors: ProfileErrors = {}
  if (name.trim() === '') errors.name = texts.required(texts.name)
  if (password !== '' && currentPassword === '')
    errors.currentPassword = texts.required(texts.account.currentPassword)
  return errors
}
