/** The operator's pages (markdown files in DATA_DIR/pages) and messages to support. */
import * as z from 'zod'
import { defineEndpoint, MessageResponse, UserParams } from './endpoint.ts'

export const PAGE_SLUGS = ['help', 'terms', 'privacy', 'refunds'] as const
export type PageSlug = (typeof PAGE_SLUGS)[number]

/** `isExample`: the text that ships with the product, because the operator has no file of that name. */
export const PageSummary = z.object({
  slug: z.enum(PAGE_SLUGS),
  title: z.string(),
  isExample: z.boolean(),
})
export type PageSummary = z.output<typeof PageSummary>

/** A heading of level 3 with the text below it. `id`: unique on the page, so that links lead to it. */
const PageQuestion = z.object({ id: z.string(), title: z.string(), html: z.string() })
export type PageQuestion = z.output<typeof PageQuestion>

/** A heading of level 2. What comes before the first one has no title and no id. `html`: the text before its first question. */
const TextSection = PageQuestion.extend({ questions: z.array(PageQuestion) })
export type TextSection = z.output<typeof TextSection>

/**
 * `html`: the whole text, made from markdown by the server, without markup of the file; `sections`: the same by its
 * headings. `updated`: when the file changed, in Unix seconds; `updatedText`: what the text says itself.
 */
export const OperatorPage = PageSummary.extend({
  html: z.string(),
  sections: z.array(TextSection),
  updated: z.number(),
  updatedText: z.string().nullable(),
})
export type OperatorPage = z.output<typeof OperatorPage>

export const readPage = defineEndpoint({
  name: 'readPage',
  method: 'GET',
  path: '/api/pages/:slug',
  access: 'anyone',
  refusals: [404],
  summary: 'Read a page of the operator: help, terms, privacy or refunds. 404 if there is none',
  params: z.object({ slug: z.enum(PAGE_SLUGS) }),
  response: OperatorPage,
})

export const SUBJECT_MAX = 120
export const MESSAGE_MAX = 4_000
export const VISITOR_NAME_MAX = 100
const EMAIL_MAX = 254

/** What a message is about, as senders choose it and support reads it. */
export const SUPPORT_TOPICS = {
  label: 'Label or parcel',
  payment: 'Payment',
  bulk: 'Bulk order',
  account: 'Account',
  other: 'Something else',
} as const
export type SupportTopic = keyof typeof SUPPORT_TOPICS
export const isSupportTopic = (text: string): text is SupportTopic =>
  Object.hasOwn(SUPPORT_TOPICS, text)

const text = (max: number) =>
  z.string().max(max, `must have at most ${max.toLocaleString('en-US')} characters`)

/** `id`: made by the form, so that a message that is sent again arrives once. */
const Message = z.object({
  id: z.uuid(),
  topic: z.enum(Object.keys(SUPPORT_TOPICS) as [SupportTopic, ...SupportTopic[]]).optional(),
  subject: text(SUBJECT_MAX),
  message: text(MESSAGE_MAX),
})

export const sendVisitorMessage = defineEndpoint({
  name: 'sendVisitorMessage',
  method: 'POST',
  path: '/api/support/messages',
  access: 'anyone',
  refusals: [404, 422],
  summary:
    'Send a message to support without an account. 404 if the operator has no support address',
  body: Message.extend({ name: text(VISITOR_NAME_MAX), email: text(EMAIL_MAX) }),
  response: MessageResponse,
})

export const sendMessage = defineEndpoint({
  name: 'sendMessage',
  method: 'POST',
  path: '/api/support/messages/:userId',
  access: 'self',
  refusesImpersonation: true,
  refusals: [404, 422],
  summary: 'Send a message to support from an account. 404 if the operator has no support address',
  params: UserParams,
  body: Message,
  response: MessageResponse,
})
