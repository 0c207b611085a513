import * as z from 'zod'
import { AfterQuery, NextId, defineEndpoint, Id, UserParams } from './endpoint.ts'
import type { RowField } from './rows.ts'

const typed = (absent = '') =>
  z
    .string()
    .max(1000)
    .nullish()
    .transform(text => text ?? absent)

/** `text`: the schema of each, given what an absent one is. */
const addressFields = <Text extends z.ZodType>(text: (absent?: string) => Text) => ({
  address_id: text(),
  name: text(),
  company: text(),
  phone: text(),
  street: text(),
  street2: text(),
  city: text(),
  state: text(),
  zip: text(),
  country: text('US'),
})

/** A saved sender address as typed; the server validates it and names each invalid field. */
export const AddressForm = z.object(addressFields(typed))
export type AddressForm = z.output<typeof AddressForm>

type SenderField = Exclude<keyof AddressForm, 'address_id'>

/** A saved address is the sender of a row, so the row's rules apply. */
export const SENDER_FIELDS = Object.entries({
  name: 'FromSenderName',
  company: 'FromCompany',
  phone: 'FromPhone',
  street: 'FromStreet1',
  street2: 'FromStreet2',
  city: 'FromCity',
  state: 'FromStateProvince',
  zip: 'FromZipPostal',
  country: 'FromCountry',
} satisfies Record<SenderField, RowField>) as [SenderField, RowField][]

/** `isDefault`: the sender that pages choose first; at most one of a user's addresses is. */
export const SavedAddress = z.object({
  _id: Id,
  ...addressFields(() => z.string()),
  isDefault: z.boolean(),
})
export type SavedAddress = z.output<typeof SavedAddress>

const AddressResponse = z.object({
  ok: z.literal(true),
  message: z.string(),
  address: SavedAddress,
})

export const listAddresses = defineEndpoint({
  name: 'listAddresses',
  method: 'GET',
  path: '/api/auth/get-address/:userId',
  access: 'self',
  scope: 'books',
  isPersonal: true,
  summary: 'List saved addresses, oldest first',
  params: UserParams,
  query: AfterQuery,
  response: z.object({ savedAddress: z.array(SavedAddress), next: NextId }),
})

export const saveAddress = defineEndpoint({
  name: 'saveAddress',
  method: 'POST',
  path: '/api/auth/save-address/:userId',
  access: 'self',
  scope: 'books',
  refusals: [404, 409, 422],
  summary: 'Create a saved address',
  params: UserParams,
  body: z.object({ formData: AddressForm }),
  response: AddressResponse,
})

export const updateAddress = defineEndpoint({
  name: 'updateAddress',
  method: 'POST',
  path: '/api/auth/update-address/:userId/:addressRecordId',
  access: 'self',
  scope: 'books',
  refusals: [404, 409, 422],
  summary: 'Update a saved address',
  params: UserParams.extend({ addressRecordId: Id }),
  body: z.object({ formData: AddressForm }),
  response: AddressResponse,
})

export const deleteAddress = defineEndpoint({
  name: 'deleteAddress',
  method: 'POST',
  path: '/api/auth/delete-address/:userId',
  access: 'self',
  scope: 'books',
  refusals: [404],
  summary: 'Delete a saved address',
  params: UserParams,
  body: z.object({ id: Id }),
  response: z.object({ ok: z.literal(true), message: z.string(), id: Id }),
})

export const setDefaultAddress = defineEndpoint({
  name: 'setDefaultAddress',
  method: 'POST',
  path: '/api/auth/default-address/:userId',
  access: 'self',
  scope: 'books',
  refusals: [404],
  summary: 'Choose the default sender among the saved addresses; null for none',
  params: UserParams,
  body: z.object({ id: Id.nullable() }),
  response: z.object({ ok: z.literal(true), message: z.string(), id: Id.nullable() }),
})
