/** Validation of the registration form. Pure. The server applies these rules again. */
import { texts } from './texts.ts'

export type RegisterForm = {
  name: string
  email: string
  password: string
  confirmPassword: string
}

export const EMPTY_REGISTER_FORM: RegisterForm = {
  name: '',
  email: '',
  password: '',
  confirmPassword: '',
}

/** A message for the whole form; at fields, a message or a mark. */
type RegisterErrors = {
  form: string | null
  fields: Partial<Record<keyof RegisterForm, string | true>>
}

export const NO_REGISTER_ERRORS: RegisterErrors = { form: null, fields: {} }

/** Null when valid. */
export function registerErrorsFor(values: RegisterForm): RegisterErrors | null {
  const empty = (Object.keys(EMPTY_REGISTER_FORM) as (keyof RegisterForm)[]).filter(
    name => values[name].trim() === '',
  )
  if (empty.length > 0)
    return {
      form: texts.register.allFields,
      fields: Object.fromEntries(empty.map(name => [name, true])),
    }
  if (values.password !== values.confirmPassword)
    return { form: null, fields: { confirmPassword: texts.register.mismatch } }
  return null
}
