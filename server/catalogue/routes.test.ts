import { expect, test } from 'vitest'
import {
  availableServices,
  defaultServices,
  defaultServicePriceVersions,
  initializeUserServices,
  renameDefaultService,
  renameUserService,
  setDefaultServicePrices,
  setUserServicePrices,
  rawServices,
  userServicePriceVersions,
  syncDefaultServices,
  toggleDefaultService,
  toggleUserService,
  userServices,
} from '#contract/catalogue.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'

const app = await testApp()
const admin = await app.admin()

const ALERT =
  'Invalid price ranges. Please ensure ranges are continuous from 1 to max weight without gaps or overlaps.'
const defaults = async () => (await app.call(defaultServices, {}, admin.token)).body
const available = async ({ token, user }: TestUser) =>
  (await app.call(availableServices, { params: { userId: user._id } }, token)).body

test('a new customer can buy the three services of the first catalogue', async () => {
  const services = await available(await app.register())
  expect(services.map(({ options: _options, ...service }) => service)).toEqual([
    {
      uid: 'usps:GROUND_ADVANTAGE',
      name: 'USPS Ground Advantage',
      category: 'USPS',
      maxWeight: 70,
      deliveryDays: { from: 2, to: 5 },
    },
    {
      uid: 'usps:PRIORITY_MAIL',
      name: 'USPS Priority Mail',
      category: 'USPS',
      maxWeight: 70,
      deliveryDays: { from: 2, to: 3 },
    },
    {
      uid: 'usps:PRIORITY_MAIL_EXPRESS',
      name: 'USPS Priority Mail Express',
      category: 'USPS',
      maxWeight: 70,
      deliveryDays: { from: 1, to: 2 },
    },
  ])
  // Until the operator sets a price for it, nothing can be asked for beside a service.
  expect(services[1]!.options!.saturday).toEqual({
    price: null,
    reason: 'Saturday delivery is not for sale with USPS Priority Mail',
  })
})

test('an administrator sets up the default catalogue', async () => {
  expect((await app.call(rawServices, {}, admin.token)).body.map(service => service.uid)).toContain(
    'usps:PRIORITY_MAIL',
  )
  const express = (await defaults()).find(service => service.uid === 'usps:PRIORITY_MAIL_EXPRESS')!
  expect(express).toEqual({
    _id: express._id,
    uid: 'usps:PRIORITY_MAIL_EXPRESS',
    name: 'USPS Priority Mail Express',
    category: 'USPS',
    maxWeight: 70,
    status: true,
    table: null,
    rule: null,
    enabled: true,
    prices: [{ fromWeight: 1, toWeight: 70, price: 29 }],
  })
  const params = { id: express._id }

  const prices = [
    { fromWeight: 21, toWeight: 70, price: 31.25 },
    { fromWeight: 1, toWeight: 20, price: 24.99 },
  ]
  expect(
    await app.call(setDefaultServicePrices, { params, body: { prices } }, admin.token),
  ).toMatchObject({
    status: 200,
    body: { ok: true, message: 'Service prices updated successfully', prices: prices.toReversed() },
  })
  expect(
    await app.call(
      setDefaultServicePrices,
      { params, body: { prices: prices.slice(1) } },
      admin.token,
    ),
  ).toMatchObject({
    status: 422,
    body: { message: ALERT, error: ALERT, errors: { prices: ALERT } },
  })
  expect(
    await app.call(
      setDefaultServicePrices,
      { params, body: { prices: [{ fromWeight: 1, toWeight: 70, price: 1.005 }] } },
      admin.token,
    ),
  ).toMatchObject({ status: 400 })

  const setBy = { _id: admin.user._id, name: admin.user.name }
  expect(await app.call(defaultServicePriceVersions, { params }, admin.token)).toMatchObject({
    status: 200,
    body: [
      { version: 2, prices: prices.toReversed(), setBy },
      { version: 1, prices: [{ price: 29 }], setBy: null },
    ],
  })

  expect(
    await app.call(renameDefaultService, { params, body: { name: ' Overnight ' } }, admin.token),
  ).toMatchObject({
    status: 200,
    body: { message: 'Service name updated successfully', service: { name: 'Overnight' } },
  })
  expect(
    await app.call(renameDefaultService, { params, body: { name: ' ' } }, admin.token),
  ).toMatchObject({
    status: 422,
    body: { message: 'Service name cannot be empty' },
  })
  expect(
    await app.call(
      renameDefaultService,
      { params, body: { name: 'usps ground advantage' } },
      admin.token,
    ),
  ).toMatchObject({ status: 409 })

  expect(
    await app.call(toggleDefaultService, { params, body: { enabled: false } }, admin.token),
  ).toMatchObject({
    status: 200,
    body: { message: 'Service disabled successfully', service: { enabled: false } },
  })
  expect((await available(await app.register())).map(service => service.name)).toEqual([
    'USPS Ground Advantage',
    'USPS Priority Mail',
  ])
  expect(
    await app.call(toggleDefaultService, { params, body: { enabled: true } }, admin.token),
  ).toMatchObject({ body: { message: 'Service enabled successfully' } })

  const { status, body } = await app.call(syncDefaultServices, {}, admin.token)
  expect(status).toBe(200)
  expect(body).toEqual(await defaults())
  expect(body.find(service => service._id === express._id)).toMatchObject({
    name: 'Overnight',
    prices: prices.toReversed(),
  })
  expect(
    await app.call(
      toggleDefaultService,
      { params: { id: '999999' }, body: { enabled: true } },
      admin.token,
    ),
  ).toMatchObject({ status: 404 })
})

test('an administrator sets up own services and prices for a customer', async () => {
  const [ana, ben] = [await app.register(), await app.register()]
  const userId = ana.user._id
  expect((await app.call(userServices, { params: { userId } }, admin.token)).body).toEqual([])
  const {
    body: [ground],
  } = await app.call(initializeUserServices, { params: { userId } }, admin.token)
  const params = { userId, serviceId: ground!._id }

  expect(
    await app.call(
      setUserServicePrices,
      { params, body: { prices: [{ fromWeight: 1, toWeight: 70, price: 4.5 }] } },
      admin.token,
    ),
  ).toMatchObject({
    status: 200,
    body: { service: { _id: ground!._id, prices: [{ price: 4.5 }] } },
  })
  expect(
    (await app.call(userServicePriceVersions, { params }, admin.token)).body.map(
      ({ version, prices, setBy }) => [version, prices[0]!.price, setBy!.name],
    ),
  ).toEqual([
    [2, 4.5, admin.user.name],
    [1, 6.5, admin.user.name],
  ])
  expect(
    await app.call(renameUserService, { params, body: { name: 'Ana’s Ground' } }, admin.token),
  ).toMatchObject({ status: 200 })
  expect((await available(ana)).map(service => service.name)).toContain('Ana’s Ground')
  expect((await available(ben)).map(service => service.name)).not.toContain('Ana’s Ground')
  expect(
    await app.call(toggleUserService, { params, body: { enabled: false } }, admin.token),
  ).toMatchObject({ status: 200, body: { message: 'Service disabled successfully' } })
  expect((await available(ana)).map(service => service.uid)).not.toContain('usps:GROUND_ADVANTAGE')
  expect((await app.call(userServices, { params: { userId } }, ana.token)).body[0]).toMatchObject({
    name: 'Ana’s Ground',
    enabled: false,
    status: true,
    prices: [{ fromWeight: 1, toWeight: 70, price: 4.5 }],
  })

  const another = { ...params, userId: ben.user._id }
  expect(await app.call(userServicePriceVersions, { params: another }, admin.token)).toMatchObject({
    status: 404,
  })
  expect(
    await app.call(toggleUserService, { params: another, body: { enabled: true } }, admin.token),
  ).toMatchObject({ status: 404 })
})

test('customers cannot read raw services or set prices', async () => {
  const ana = await app.register()
  const [shown] = (
    await app.call(initializeUserServices, { params: { userId: ana.user._id } }, ana.token)
  ).body
  expect(shown).toMatchObject({ prices: [{ price: 6.5 }] })
  expect(
    (await app.call(userServices, { params: { userId: ana.user._id } }, ana.token)).body,
  ).toEqual([])
  const [own] = (
    await app.call(initializeUserServices, { params: { userId: ana.user._id } }, admin.token)
  ).body
  const params = { userId: ana.user._id, serviceId: own!._id }
  const prices = [{ fromWeight: 1, toWeight: 70, price: 0 }]
  expect(
    await app.call(setUserServicePrices, { params, body: { prices } }, ana.token),
  ).toMatchObject({
    status: 403,
  })
  expect(
    await app.call(renameUserService, { params, body: { name: 'Free' } }, ana.token),
  ).toMatchObject({
    status: 403,
  })
  expect(await app.call(userServicePriceVersions, { params }, ana.token)).toMatchObject({
    status: 403,
  })
  expect(await app.call(defaultServices, {}, ana.token)).toMatchObject({ status: 403 })
  expect(await app.call(syncDefaultServices, {}, ana.token)).toMatchObject({ status: 403 })
  expect(
    await app.call(availableServices, { params: { userId: admin.user._id } }, ana.token),
  ).toMatchObject({ status: 403 })
})
