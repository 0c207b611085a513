/** EasyPost's own client for Node, unmodified, against an app of a test. */
import EasyPostClient from '@easypost/api'
import { createKey } from '#contract/api-keys.ts'
import { SCOPES } from '#contract/keys.ts'
import type { TestApp, TestUser } from './app.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- its types leave out much of what it answers
export type EasypostClient = any

// Its types describe another module format than its code has.
const Client = EasyPostClient as unknown as new (key: string, options: object) => EasypostClient

/** `of`: a user, who gets a key with all scopes, or the key to send. */
export async function easypostClient(
  app: TestApp,
  of: Pick<TestUser, 'token' | 'user'> | string,
): Promise<EasypostClient> {
  const url = await app.listen()
  app.ctx.config.publicUrl = url
  const key = typeof of === 'string' ? of : await keyFor(app, of)
  return new Client(key, { baseUrl: `${url}/v2/`, timeout: 300_000 })
}

export async function keyFor(
  app: TestApp,
  { token, user }: Pick<TestUser, 'token' | 'user'>,
): Promise<string> {
  const input = { params: { userId: user._id }, body: { name: 'Shop', scopes: [...SCOPES] } }
  const { status, body } = await app.call(createKey, input, token)
  if (status !== 200) throw new Error(body.message)
  return body.key
}

export const FROM_ADDRESS = {
  name: 'Jack Sparrow',
  street1: '388 Townsend St',
  street2: 'Apt 20',
  city: 'San Francisco',
  state: 'CA',
  zip: '94107',
  country: 'US',
  email: 'test@example.com',
  phone: '5555555555',
}

export const TO_ADDRESS = {
  name: 'Elizabeth Swan',
  street1: '179 N Harbor Dr',
  city: 'Redondo Beach',
  state: 'CA',
  zip: '90277',
  country: 'US',
  email: 'test@example.com',
  phone: '5555555555',
}

/** As in EasyPost's own tests: inches, and 15.4 ounces. */
export const SHIPMENT = {
  from_address: FROM_ADDRESS,
  to_address: TO_ADDRESS,
  parcel: { length: 10, width: 8, height: 4, weight: 15.4 },
}
