import { expect, test } from 'vitest'
import { lossLimits, setLossLimit } from '#contract/loss-limits.ts'
import { testApp } from '#tests/support/app.ts'

const app = await testApp()
const admin = await app.admin()
const ana = await app.register()

const limits = async () => (await app.call(lossLimits, {}, admin.token)).body
const set = (id: string, maxLoss: number | null, seenMaxLoss?: number | null) =>
  app.call(setLossLimit, { params: { id }, body: { maxLoss, seenMaxLoss } }, admin.token)
const entries = async () =>
  (
    await app.database.pool.query(
      `select detail from audit_entry where action = 'service-loss-limited' order by id`,
    )
  ).rows

test('services have the limit of the installation until an administrator sets their own', async () => {
  const { installation, services } = await limits()
  expect(installation).toBeNull()
  expect(services.length).toBeGreaterThan(1)
  expect(services.every(({ maxLoss }) => maxLoss === null)).toBe(true)
  expect((await app.call(lossLimits, {}, ana.token)).status).toBe(403)
})

test('a limit is saved once, audited, and may be taken away again', async () => {
  const { _id: id } = (await limits()).services[0]!
  expect((await set(id, 1.5, null)).body.service).toMatchObject({ _id: id, maxLoss: 1.5 })
  expect((await set(id, 1.5, null)).status).toBe(200)
  expect((await limits()).services[0]).toMatchObject({ maxLoss: 1.5 })
  expect((await set(id, 0, 1.5)).body.service.maxLoss).toBe(0)
  expect((await set(id, null, 0)).body.service.maxLoss).toBeNull()
  expect((await entries()).map(({ detail }) => [detail.from, detail.to])).toEqual([
    ['the limit of the installation', '$1.50'],
    ['$1.50', '$0.00'],
    ['$0.00', 'the limit of the installation'],
  ])
})

test('a limit that someone else changed meanwhile is not overwritten', async () => {
  const { _id: id } = (await limits()).services[1]!
  await set(id, 2)
  const { status, body } = await set(id, 3, null)
  expect(status).toBe(409)
  expect(body).toMatchObject({ code: 'changed_meanwhile' })
  expect((await limits()).services[1]).toMatchObject({ maxLoss: 2 })
})

test('a limit is refused with its field below zero and with parts of a cent, and for an unknown service', async () => {
  const { _id: id } = (await limits()).services[0]!
  for (const wrong of [-1, 0.001]) {
    const { status, body } = await set(id, wrong)
    expect(status).toBe(400)
    expect(JSON.stringify(body)).toContain('maxLoss')
  }
  expect((await set('999999', 1)).status).toBe(404)
})
