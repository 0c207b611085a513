/** Texts of the operator's pages and of the contact form. */
import { countText } from '#contract/format.ts'

export const texts = {
  pages: 'Pages',
  contact: 'Contact',
  example: 'This is an example text. The operator of this site has not published its own yet.',
  /** For administrators alone. */
  exampleHelp:
    'This example comes with the product. Save your own text as pages/help.md in the data folder. '
    + 'Only administrators see this note.',
  updated: 'Last updated',
  contents: 'On this page',
  more: {
    title: 'Still have a question?',
    stuck: 'Still stuck?',
    text: 'Write to us. We reply by email.',
    contact: 'Contact support',
    help: 'Open Help',
  },
  help: {
    search: 'Search help',
    searchHint: 'Try “void” or “label printer”',
    found: (count: number, search: string) => `${countText(count, 'answer')} for “${search}”`,
    showAll: 'Show all questions',
    none: (search: string) => `No answer for “${search}”`,
    noneText: 'Try fewer words, or ask us.',
    noneAlone: 'Try fewer words.',
    suggestions: 'Others ask',
    topics: 'Topics',
  },
  none: 'Page not found',
  noneText: 'The operator of this site does not publish this page.',
  failed: 'We couldn’t load this page.',
  form: {
    title: 'Contact support',
    lead: 'We reply by email.',
    beforeYouWrite: 'Before you write',
    helpful: 'What helps us answer',
    needed: [
      'For a label, its tracking number',
      'For a payment, the number of its invoice',
      'For a bulk order, its number and the name of the file',
    ],
    atOnce: 'Answers without waiting',
    as: (name: string, email: string) => `From ${name}, ${email}`,
    name: 'Name',
    email: 'Email',
    subject: 'Subject',
    message: 'Message',
    send: 'Send message',
    required: (label: string) => `${label} is required`,
    invalidEmail: 'Enter your email, such as ana@example.com',
    failed: 'Your message was not sent. Try again.',
    confirmDiscard: 'Discard your message?',
    confirmDiscardText: 'It was not sent yet.',
    discard: 'Discard',
    keep: 'Keep writing',
    another: 'Send another message',
    orWrite: 'By email',
  },
  unavailable: 'Messages can’t be sent from here',
  unavailableText:
    'The operator of this site has not set up a contact form. The Help page says how to reach them.',
  toHelp: 'Open Help',
  unavailableAlone:
    'The operator of this site has not set up a contact form. Use the channel by which you got to know this site.',
}
