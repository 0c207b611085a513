/** The registration form's own rules (specification, 5), pure. The server applies them again. */
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

/** Sentence for the whole form, marks or sentences for its fields. */
export type RegisterErrors = {
  form: string | null
  fields: Partial<Record<keyof RegisterForm, string | true>>
}

export const NO_REGISTER_ERRORS: RegisterErrors = { form: null, fields: {} }

/** Null when the form may be sent. All four fields first, then whether the passwords match. */
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

/** The server's answer: its fields at our fields, else its sentence above the button; what has no field here stands there too. */
export function registerErrorsFromServer(
  message: string,
  errors: Record<string, string>,
): RegisterErrors {
  const fields = Object.fromEntries(
    Object.entries(errors).filter(([name]) => name in EMPTY_REGISTER_FORM),
  )
  const homeless = Object.entries(errors)
    .filter(([name]) => !(name in EMPTY_REGISTER_FORM))
    .map(([, text]) => text)
  const form =
    homeless.length > 0 ? homeless.join(' ') : Object.keys(fields).length > 0 ? null : message
  return { form, fields }
}
