import type { SupportTopic } from '#contract/support.ts'

/** Of the contact form, with what is known of the message filled in. */
export const contactPath = (given: { topic?: SupportTopic; subject: string }): string =>
  `/contact?${new URLSearchParams(given)}`
