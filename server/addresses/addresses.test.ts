import { expect, test } from 'vitest'
import {
  AddressForm,
  deleteAddress,
  listAddresses,
  saveAddress,
  setDefaultAddress,
  updateAddress,
} from '#contract/addresses.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'

const app = await testApp()

const form = (address_id: string, change: Partial<AddressForm> = {}): AddressForm =>
  AddressForm.parse({
    address_id,
    name: 'Ana Lopez',
    street: '1 Main Street',
    city: 'Portland',
    state: 'OR',
    zip: '97030',
    ...change,
  })
const save = ({ token, user }: TestUser, formData: AddressForm) =>
  app.call(saveAddress, { params: { userId: user._id }, body: { formData } }, token)
const update = ({ token, user }: TestUser, addressRecordId: string, formData: AddressForm) =>
  app.call(
    updateAddress,
    { params: { userId: user._id, addressRecordId }, body: { formData } },
    token,
  )
const remove = ({ token, user }: TestUser, id: string) =>
  app.call(deleteAddress, { params: { userId: user._id }, body: { id } }, token)
const book = async ({ token, user }: TestUser) =>
  (await app.call(listAddresses, { params: { userId: user._id } }, token)).body.savedAddress.map(
    address => address.address_id,
  )

test('a program may send null for what an address does not have', async () => {
  const ana = await app.register()
  const formData = { ...form('Attic'), company: null, phone: null, street2: null, country: null }
  const { body } = await save(ana, formData as unknown as AddressForm)
  expect(body.address).toMatchObject({ company: '', phone: '', street2: '', country: 'US' })
})

test('an address is saved, changed and deleted', async () => {
  const ana = await app.register()
  expect(await book(ana)).toEqual([])

  const saved = await save(ana, form(' Warehouse ', { state: 'oregon', phone: '(404) 555-0192' }))
  expect(saved).toMatchObject({
    status: 200,
    body: { ok: true, message: 'Address added successfully!' },
  })
  const { address } = saved.body
  expect(address).toEqual({
    _id: address._id,
    isDefault: false,
    ...form('Warehouse', { phone: '404 555-0192' }),
  })
  await save(ana, form('Attic'))
  expect(await book(ana)).toEqual(['Warehouse', 'Attic'])

  expect(await update(ana, address._id, form('Warehouse', { city: 'Salem' }))).toMatchObject({
    status: 200,
    body: {
      message: 'Address updated successfully!',
      address: { _id: address._id, city: 'Salem' },
    },
  })

  expect(await remove(ana, address._id)).toMatchObject({
    status: 200,
    body: { message: 'Address deleted successfully!', id: address._id },
  })
  expect(await remove(ana, address._id)).toMatchObject({
    status: 404,
    body: { message: 'Address not found' },
  })
  expect(await update(ana, address._id, form('Warehouse'))).toMatchObject({ status: 404 })
  expect(await book(ana)).toEqual(['Attic'])
})

test('every invalid field is named and nothing is saved', async () => {
  const ana = await app.register()
  const { status, body } = await save(ana, form('Warehouse', { city: '', zip: '9' }))
  expect({ status, message: body.message }).toEqual({ status: 422, message: 'City is required' })
  expect(body.errors).toEqual({
    city: 'City is required',
    zip: 'Zip must be a 5-digit ZIP or ZIP+4 (97030-1234)',
  })
  expect(await book(ana)).toEqual([])
})

test('an Address ID is unique for each user, even after many clicks', async () => {
  const [ana, ben] = [await app.register(), await app.register()]
  const text = 'This Address ID already exists'
  const taken = { status: 409, body: { message: text, errors: { address_id: text } } }
  const clicks = await Promise.all([1, 2, 3, 4].map(() => save(ana, form('Warehouse'))))
  expect(clicks.map(click => click.status).toSorted()).toEqual([200, 409, 409, 409])
  expect(clicks.find(click => click.status === 409)).toMatchObject(taken)

  const {
    body: { address: attic },
  } = await save(ana, form('Attic'))
  expect(await update(ana, attic._id, form('Warehouse '))).toMatchObject(taken)
  expect(await update(ana, attic._id, form('warehouse'))).toMatchObject({ status: 200 }) // another letter case is another name
  expect(await save(ben, form('Warehouse'))).toMatchObject({ status: 200 })
})

const choose = ({ token, user }: TestUser, id: string | null) =>
  app.call(setDefaultAddress, { params: { userId: user._id }, body: { id } }, token)
const defaults = async ({ token, user }: TestUser) =>
  (await app.call(listAddresses, { params: { userId: user._id } }, token)).body.savedAddress
    .filter(address => address.isDefault)
    .map(address => address.address_id)

test('one address at most is the default sender, and the list stays oldest first', async () => {
  const ana = await app.register()
  const [warehouse, attic] = [await save(ana, form('Warehouse')), await save(ana, form('Attic'))]
  expect(await defaults(ana)).toEqual([])
  expect(await choose(ana, attic.body.address._id)).toMatchObject({
    status: 200,
    body: { ok: true, message: 'Default sender saved', id: attic.body.address._id },
  })
  expect(await defaults(ana)).toEqual(['Attic'])
  expect(await book(ana)).toEqual(['Warehouse', 'Attic'])

  await update(ana, attic.body.address._id, form('Attic', { city: 'Salem' }))
  expect(await defaults(ana)).toEqual(['Attic'])
  const ids = [warehouse.body.address._id, attic.body.address._id]
  const clicks = await Promise.all([...ids, ...ids].map(id => choose(ana, id)))
  expect(clicks.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(await defaults(ana)).toHaveLength(1)

  expect(await choose(ana, null)).toMatchObject({
    status: 200,
    body: { message: 'No default sender now' },
  })
  expect(await defaults(ana)).toEqual([])
})

test('a deleted default sender leaves none, and an unknown address changes nothing', async () => {
  const [ana, ben] = [await app.register(), await app.register()]
  const warehouse = (await save(ana, form('Warehouse'))).body.address._id
  await save(ana, form('Attic'))
  await choose(ana, warehouse)
  const strange = (await save(ben, form('Warehouse'))).body.address._id
  expect(await choose(ana, strange)).toMatchObject({
    status: 404,
    body: { message: 'Address not found' },
  })
  expect(await choose({ ...ben, user: ana.user }, warehouse)).toMatchObject({ status: 403 })
  expect(await defaults(ana)).toEqual(['Warehouse'])

  await remove(ana, warehouse)
  expect(await defaults(ana)).toEqual([])
  expect(await book(ana)).toEqual(['Attic'])
})

test('users cannot read or change the addresses of another user', async () => {
  const [ana, ben] = [await app.register(), await app.register()]
  const {
    body: { address },
  } = await save(ana, form('Warehouse'))
  expect(
    await app.call(listAddresses, { params: { userId: ana.user._id } }, ben.token),
  ).toMatchObject({ status: 403 })
  expect(await save({ ...ben, user: ana.user }, form('Mine'))).toMatchObject({ status: 403 })
  expect(await update(ben, address._id, form('Mine'))).toMatchObject({ status: 404 })
  expect(await remove(ben, address._id)).toMatchObject({ status: 404 })
  expect(await book(ana)).toEqual(['Warehouse'])
})

test('a user can save a thousand addresses', async () => {
  const ana = await app.register()
  await app.database.pool
    .query(`insert into saved_address (user_id, address_id, name, street, city, state, zip)
    select ${ana.user._id}, 'id ' || n, 'Ana', '1 Main Street', 'Portland', 'OR', '97030' from generate_series(1, 999) n`)
  expect(await save(ana, form('The thousandth'))).toMatchObject({ status: 200 })
  expect(await save(ana, form('One more'))).toMatchObject({
    status: 422,
    body: { message: 'You can save at most 1,000 addresses. Delete some first.' },
  })
  expect(await book(ana)).toHaveLength(1000)
})
