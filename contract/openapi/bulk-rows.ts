/** Entries of lists that a call reads page by page (`streamedList`), as the OpenAPI document has them. */
import * as z from 'zod'
import { BatchItem, seenRows, processBatch } from '#contract/batches.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { RECEIVER_EMAIL_MAX } from '#contract/receiver-email.ts'
import { FIELDS } from '#contract/rows.ts'
import type { Field } from '#contract/rows.ts'

const cellSchema = ({ max, required, kind }: Field): z.ZodType => {
  const text = required ? z.string().min(1).max(max) : z.string().max(max)
  const cell = kind === 'number' || kind === 'count' ? z.union([text, z.number()]) : text
  return required ? cell : cell.optional()
}

/** A row of `processBatch`: numbers and texts. row-rules.ts validates rows. */
export const BulkRow = z.object({
  ...Object.fromEntries(FIELDS.map(field => [field.name, cellSchema(field)])),
  ToEmail: z.string().max(RECEIVER_EMAIL_MAX).optional(),
  signature: z.union([z.string(), z.boolean(), z.number()]).optional(),
  saturday: z.union([z.string(), z.boolean(), z.number()]).optional(),
  items: z.array(BatchItem).optional(),
})

export const AskedRow = z.object({
  row: z.int().min(1),
  orderId: z.string().max(60).optional(),
  orderItemId: z.string().max(60).optional(),
})

const ENTRIES = new Map<Endpoint, z.ZodType>([
  [processBatch as Endpoint, BulkRow],
  [seenRows as Endpoint, AskedRow],
])

/** The entries of an endpoint's streamed list where its body has none. */
export const listEntry = (endpoint: Endpoint): z.ZodType | undefined => ENTRIES.get(endpoint)
