/** Validation of the contact form. Pure. The server applies these rules again. */
import { isSupportTopic, MESSAGE_MAX, SUBJECT_MAX } from '#contract/support.ts'
import type { SupportTopic } from '#contract/support.ts'
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
export const CONTACT_LABELS: Record<ContactField, string> = {
  name: t.name,
  email: t.email,
  topic: t.topic,
  subject: t.subject,
  message: t.message,
}

/** In their order. A signed-in sender types no name and no address. */
export const contactFields = (signedIn: boolean): readonly ContactField[] =>
  signedIn ? ['topic', 'subject', 'message'] : ['name', 'email', 'topic', 'subject', 'message']

/** Empty when the form can be sent. */
export function contactErrors(
  form: ContactForm,
  signedIn: boolean,
): Partial<Record<ContactField, string>> {
  const fields = contactFields(signedIn)
  const errors: Partial<Record<ContactField, string>> = {}
  for (const field of fields)
    if (form[field].trim() === '') errors[field] = t.required(CONTACT_LABELS[field])
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

/** Undefined while none is chosen. */
export const chosenTopic = ({ topic }: Pick<ContactForm, 'topic'>): SupportTopic | undefined =>
  isSupportTopic(topic) ? topic : undefined

/** The last tenth of the room is counted down. */
const NEAR_MAX = MESSAGE_MAX / 10

/** What to write, or how much room is left when little is. */
export function messageHint({ topic, message }: Pick<ContactForm, 'topic' | 'message'>): string {
  const left = MESSAGE_MAX - message.length
  if (left <= NEAR_MAX) return t.left(left)
  const chosen = chosenTopic({ topic })
  return chosen ? t.include[chosen] : t.includeAnyway
}
