/** EasyPost's interface as far as the adapter uses it, from its published recordings; facts only. */
import { createPublishedContract } from '#tests/support/published-contracts.ts'

const text = { type: 'string', minLength: 1 }
const named = (...required: string[]) => ({
  type: 'object',
  required,
  additionalProperties: false,
  properties: Object.fromEntries(required.map(name => [name, text])),
})
const address = {
  type: 'object',
  required: ['name', 'street1', 'city', 'state', 'zip', 'country'],
  additionalProperties: false,
  properties: {
    name: text,
    company: text,
    street1: text,
    street2: text,
    city: text,
    state: { type: 'string', pattern: '^[A-Z]{2}$' },
    zip: { type: 'string', pattern: '^[0-9]{5}(-[0-9]{4})?$' },
    country: { type: 'string', enum: ['US'] },
    phone: text,
  },
}
const side = { type: 'number', minimum: 0 }
const shipment = {
  type: 'object',
  required: ['from_address', 'to_address', 'parcel'],
  additionalProperties: false,
  properties: {
    reference: text,
    from_address: address,
    to_address: address,
    parcel: {
      type: 'object',
      required: ['weight'],
      additionalProperties: false,
      properties: { length: side, width: side, height: side, weight: side },
    },
    options: {
      type: 'object',
      additionalProperties: false,
      properties: {
        label_format: { type: 'string', enum: ['PNG', 'PDF', 'ZPL', 'EPL2'] },
        label_size: { type: 'string', enum: ['4x6'] },
        delivery_confirmation: { type: 'string', enum: ['SIGNATURE', 'ADULT_SIGNATURE'] },
        saturday_delivery: { type: 'boolean' },
      },
    },
  },
}
const wrapped = (name: string, schema: object) => ({
  type: 'object',
  required: [name],
  additionalProperties: false,
  properties: { [name]: schema },
})
const taking = (schema: object) => ({
  requestBody: { content: { 'application/json': { schema } } },
  responses: {},
})
const READ = { responses: {} }

export const easypostContract = createPublishedContract({
  paths: {
    '/v2/users': { get: READ },
    '/v2/shipments': { post: taking(wrapped('shipment', shipment)) },
    '/v2/shipments/{id}': { get: READ },
    '/v2/shipments/{id}/buy': { post: taking(wrapped('rate', named('id'))) },
    '/v2/shipments/{id}/refund': { post: taking({ type: 'object', additionalProperties: false }) },
    '/v2/shipments/{id}/label': { get: READ },
    '/v2/scan_forms': {
      post: taking(
        wrapped(
          'scan_form',
          wrapped('shipments', { type: 'array', minItems: 1, items: named('id') }),
        ),
      ),
    },
    '/v2/scan_forms/{id}': { get: READ },
  },
})
