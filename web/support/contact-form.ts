/** Validation of the contact form. Pure. The server applies these rules again. */
import { texts } from './texts.ts'

export type ContactForm = { name: string; email: string; subject: string; message: string }
type ContactField = keyof ContactForm

const t = texts.form
const LABELS: Record<ContactField, string> = {
  name: t.name,
  email: t.email,
  subject: t.subject,
  message: t.message,
}

/** Empty when the form can be sent. A signed-in sender types no name and no address. */
export function contactErrors(
  form: ContactForm,
  signedIn: boolean,
): Partial<Record<ContactField, string>> {
  const fields: ContactField[] = signedIn
    ? ['subject', 'message']
    : ['name', 'email', 'subject', 'message']
  const errors: Partial<Record<ContactField, string>> = {}
  for (const field of fields)
    if (form[field].trim() === '') errors[field] = t.required(LABELS[field])
  if (
    fields.includes('email')
    && !errors.email
    && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(form.email.trim())
  )
    errors.email = t.invalidEmail
  return errors
}
