import { countText } from '#contract/format.ts'

/** `time`: such as 'one business day'; null where the operator does not say it. */
const reply = (time: string | null): string =>
  time === null ? 'We reply by email.' : `We reply by email, usually within ${time}.`

export const texts = {
  pages: 'Pages',
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
    text: (replyTime: string | null) => `Write to us. ${reply(replyTime)}`,
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
    suggestions: 'Common questions',
    topics: 'Topics',
    answers: (count: number) => countText(count, 'answer'),
    contactTile: 'We reply by email',
  },
  none: 'Page not found',
  noneText: 'The operator of this site does not publish this page.',
  failed: 'We couldn’t load this page.',
  form: {
    title: 'Contact support',
    lead: reply,
    topic: 'Topic',
    chooseTopic: 'Choose a topic',
    /** Without it support would have to ask first. */
    include: {
      label: 'Include the tracking number and what happened.',
      payment: 'Include the invoice number, the amount and the day you paid.',
      bulk: 'Include the file name and the rows that are wrong.',
      account: 'Tell us what you tried and what you saw.',
      other: 'Tell us what you need.',
    },
    includeAnyway: 'What happened, and what did you expect?',
    left: (count: number) => `${countText(count, 'character')} left`,
    otherWays: 'Other ways to an answer',
    atOnce: 'Find an answer now',
    moreAnswers: 'Search all answers',
    as: (name: string, email: string) => `From ${name}, ${email}`,
    name: 'Name',
    email: 'Email',
    subject: 'Subject',
    message: 'Message',
    send: 'Send message',
    required: (label: string) => `${label} is required`,
    /** Before the name of the first of them. */
    toComplete: (count: number) => `Complete ${countText(count, 'field')}, starting with`,
    invalidEmail: 'Enter your email, such as ana@example.com',
    failed: 'Your message was not sent. Try again.',
    confirmDiscard: 'Discard your message?',
    confirmDiscardText: 'You haven’t sent it yet.',
    discard: 'Discard',
    keep: 'Keep writing',
    another: 'Send another message',
    orWrite: 'Email us',
  },
  unavailable: 'Messages can’t be sent from here',
  unavailableText: 'This site has no contact form. The Help page says how to reach its operator.',
  toHelp: 'Open Help',
  unavailableAlone: 'This site has no contact form. Contact the people who told you about it.',
}
