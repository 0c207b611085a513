/** Rules of the account form (specification, 2 and 5), pure. The server applies them again, and more. */
import { texts } from './texts.ts'

export type ProfileForm = { name: string; password: string; currentPassword: string }

/** Sentences at the fields. */
export type ProfileErrors = Partial<Record<keyof ProfileForm, string>>

/** Empty when the form may be sent. The current password is asked for only with a new one. */
export function profileErrorsFor({ name, password, currentPassword }: ProfileForm): ProfileErrors {
  const errors: ProfileErrors = {}
  if (name.trim() === '') errors.name = texts.required(texts.name)
  if (password !== '' && currentPassword === '')
    errors.currentPassword = texts.required(texts.account.currentPassword)
  return errors
}
