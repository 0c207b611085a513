import { beforeEach, expect, test } from 'vitest'
import type { RawService } from '#contract/catalogue.ts'
import type { Caller } from '#server/platform/http/router.ts'
import { testDatabase } from '#tests/support/database.ts'
import { newUser } from '#tests/support/users.ts'
import {
  copyDefaultsToUser,
  ensureCatalogue,
  listDefaultServices,
  renameService,
  setServiceEnabled,
  setServicePrices,
  syncCatalogue,
} from './service.ts'

const database = await testDatabase()
const ctx = { database }
const admin = await newUser(database, 'admin')
const operator: Caller = {
  userId: admin,
  role: 'admin',
  sessionId: 0,
  impersonatorId: null,
  key: null,
}

const raw = (uid: string, name: string): RawService => ({
  uid: `usps:${uid}`,
  name,
  category: 'Domestic',
  maxWeight: 70,
})
const RAW = [
  raw('GROUND_ADVANTAGE', 'Ground Advantage'),
  raw('PRIORITY_MAIL', 'Priority Mail'),
  raw('PRIORITY_MAIL_EXPRESS', 'Priority Mail Express'),
]
const MEDIA = raw('MEDIA_MAIL', 'Media Mail')
const flat = (price: number) => [{ fromWeight: 1, toWeight: 70, price }]

const ground = async () =>
  (await listDefaultServices(database.db)).find(service => service.uid === 'usps:GROUND_ADVANTAGE')!

beforeEach(async () => {
  await database.owner.pool.query(
    'truncate price_version, user_service, default_service restart identity cascade',
  )
  await ensureCatalogue(ctx, RAW)
})

test('each change of the catalogue has one audit entry with actor, subject, old and new value', async () => {
  const since = await lastEntry()
  const ana = await newUser(database, 'ana')
  const defaultGround = { defaultId: (await ground()).id }
  await setServicePrices(
    ctx,
    defaultGround,
    [
      { fromWeight: 1, toWeight: 20, price: 5 },
      { fromWeight: 21, toWeight: 70, price: 9 },
    ],
    admin,
  )
  const [own] = await copyDefaultsToUser(ctx, ana, operator)
  const target = { userId: ana, serviceId: own!.id }
  for (const twice of [1, 2]) {
    await copyDefaultsToUser(ctx, ana, operator)
    await setServicePrices(ctx, target, flat(4), admin)
    await renameService(ctx, target, 'Ana’s Ground', admin)
    await setServiceEnabled(ctx, target, false, admin)
    await syncCatalogue(ctx, [RAW[0]!, { ...RAW[2]!, maxWeight: 60 }, MEDIA], admin)
    expect(await entriesAfter(since), `round ${twice}`).toEqual([
      [
        'service-priced',
        null,
        {
          service: 'USPS Ground Advantage',
          version: 2,
          from: '1 to 70 lb $6.50',
          to: '1 to 20 lb $5.00, 21 to 70 lb $9.00',
        },
      ],
      [
        'services-initialized',
        ana,
        { services: ['USPS Ground Advantage', 'USPS Priority Mail', 'USPS Priority Mail Express'] },
      ],
      [
        'service-priced',
        ana,
        {
          service: 'USPS Ground Advantage',
          version: 2,
          from: '1 to 20 lb $5.00, 21 to 70 lb $9.00',
          to: '1 to 70 lb $4.00',
        },
      ],
      [
        'service-renamed',
        ana,
        { service: 'USPS Ground Advantage', from: 'USPS Ground Advantage', to: 'Ana’s Ground' },
      ],
      ['service-disabled', ana, { service: 'Ana’s Ground' }],
      [
        'services-synchronized',
        null,
        {
          added: ['Media Mail'],
          vanished: ['USPS Priority Mail'],
          returned: [],
          categories: [],
          limits: [{ name: 'USPS Priority Mail Express', from: 70, to: 60 }],
        },
      ],
    ])
  }
  await setServiceEnabled(ctx, target, true, admin)
  expect((await entriesAfter(since)).at(-1)).toEqual([
    'service-enabled',
    ana,
    { service: 'Ana’s Ground' },
  ])
})

test('a refused change leaves no audit entry', async () => {
  const since = await lastEntry()
  const target = { defaultId: (await ground()).id }
  await expect(renameService(ctx, target, ' ', admin)).rejects.toThrow(
    'Service name cannot be empty',
  )
  await expect(setServicePrices(ctx, target, [], admin)).rejects.toThrow('Invalid price ranges')
  await expect(syncCatalogue(ctx, [], admin)).rejects.toThrow('returned no services')
  expect(await entriesAfter(since)).toEqual([])
})

async function lastEntry(): Promise<number> {
  const { rows } = await database.pool.query('select coalesce(max(id), 0) as last from audit_entry')
  return rows[0].last
}

/** Action, subject and detail of the administrator's entries since then. */
async function entriesAfter(last: number): Promise<unknown[]> {
  const { rows } = await database.pool.query(
    `select action, subject_id, detail from audit_entry where id > ${last} and actor_id = ${admin} order by id`,
  )
  return rows.map(row => [row.action, row.subject_id, row.detail])
}
