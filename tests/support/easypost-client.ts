/** EasyPost's own client for Node, unmodified, against an app of a test. */
import EasyPostClient from '@easypost/api'
import type { TestApp, TestUser } from './app.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- its types leave out much of what it answers
export type EasypostClient = any

// Its types describe another module format than its code has.
const Client = EasyPostClient as unknown as new (key: string, options: object) => EasypostClient

export async function easypostClient(
  app: TestApp,
  { token }: Pick<TestUser, 'token'>,
): Promise<EasypostClient> {
  const url = await app.listen()
  app.ctx.config.publicUrl = url
  return new Client(token, { baseUrl: `${url}/v2/`, timeout: 60_000 })
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
