/** Descriptions of fields, added to the schemas of the OpenAPI document. */
import { ACCOUNT_NOTES } from './notes-account.ts'
import { ADJUSTMENT_NOTES } from './notes-adjustments.ts'
import { ADMIN_NOTES } from './notes-admin.ts'
import { BOOK_NOTES } from './notes-books.ts'
import { LABEL_NOTES } from './notes-labels.ts'
import { MONEY_NOTES } from './notes-money.ts'
import { PRICE_OPTION_NOTES } from './notes-price-options.ts'
import { PRICE_NOTES } from './notes-prices.ts'
import { ROW_NOTES } from './notes-rows.ts'
import { WEBHOOK_NOTES } from './notes-webhooks.ts'
import type { JsonSchema } from './schemas.ts'

/**
 * What a field means: units, formats, what null says. With an object, its keywords are added to the
 * field's schema. `isRequired`: the server refuses an empty value, though the schema lets it through
 * so that all wrong fields are named at once. Such a field has no default.
 */
export type Note = string | (JsonSchema & { description: string; isRequired?: true })

/** By field name, or by owner and field name ('Order.status', 'placeOrder.data.price'). */
export type Notes = Readonly<Record<string, Note>>

export const FIELD_NOTES: Notes = {
  ...LABEL_NOTES,
  ...ROW_NOTES,
  ...MONEY_NOTES,
  ...ADJUSTMENT_NOTES,
  ...PRICE_NOTES,
  ...PRICE_OPTION_NOTES,
  ...BOOK_NOTES,
  ...WEBHOOK_NOTES,
  ...ACCOUNT_NOTES,
  ...ADMIN_NOTES,
}

/** Schemas that extend others. */
const BASES: Record<string, string> = {
  AdminAdjustment: 'Adjustment',
  AdminOrder: 'Order',
  AdminUser: 'User',
  DepositInReview: 'Deposit',
  createWebhook: 'Webhook',
  createKey: 'ApiKey',
  rotateKey: 'ApiKey',
}

/** The note of a field of `owner` (a schema's name, an operation, or a field of these), else of its name. */
function noteFor(owner: string, field: string): Note | undefined {
  const base = BASES[owner]
  return (
    FIELD_NOTES[`${owner}.${field}`]
    ?? (base === undefined ? undefined : FIELD_NOTES[`${base}.${field}`])
    ?? FIELD_NOTES[field]
  )
}

export function describeFields(schema: JsonSchema, owner: string): JsonSchema {
  const described: JsonSchema = { ...schema }
  if (schema.items) described.items = describeFields(schema.items, owner)
  if (schema.anyOf) described.anyOf = schema.anyOf.map(one => describeFields(one, owner))
  if (typeof schema.additionalProperties === 'object')
    described.additionalProperties = describeFields(schema.additionalProperties, owner)
  if (!schema.properties) return described
  const required = new Set(schema.required)
  described.properties = Object.fromEntries(
    Object.entries(schema.properties).map(([name, field]) => {
      const inside = describeFields(field, `${owner}.${name}`)
      const note = noteFor(owner, name)
      if (note === undefined || field.description !== undefined) return [name, inside]
      if (typeof note === 'string') return [name, { ...inside, description: note }]
      const { isRequired, ...keywords } = note
      if (!isRequired) return [name, { ...inside, ...keywords }]
      required.add(name)
      const { default: _empty, ...withoutDefault } = inside
      return [name, { ...withoutDefault, ...keywords }]
    }),
  )
  if (required.size > 0) described.required = [...required]
  return described
}
