/** Validation of the contact form. Pure. The server applies these rules again. */
import { isSupportTopic, SUBJECT_MAX } from '#contract/support.ts'
import { texts } from './texts.ts'

export type ContactForm = {
  name: string
  email: string
  topic: string
  subject: string
  message: string
}
type ContactField = keyof ContactForm

const t = texts.form
const LABELS: Record<ContactField, string> = {
  name: t.name,
  email: t.email,
  topic: t.topic,
  subject: t.subject,
  message: t.message,
}

/** Empty when the form can be sent. A signed-in sender types no name and no address. */
export function contactErrors(
  form: ContactForm,
  signedIn: boolean,
): Partial<Record<ContactField, string>> {
  const fields: ContactField[] = signedIn
    ? ['topic', 'subject', 'message']
    : ['name', 'email', 'topic', 'subject', 'message']
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

/** What the address of the page fills in, cut to what the form takes. */
export const contactStart = (search: URLSearchParams): ContactForm => {
  const topic = search.get('topic') ?? ''
  return {
    name: '',
    email: '',
    topic: isSupportTopic(topic) ? topic : '',
    subject: (search.get('subject') ?? '').slice(0, SUBJECT_MAX),
    message: '',
  }
}
