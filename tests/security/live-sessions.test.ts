/** Live connections end with their sessions, also by time: lines 18 and 22 of docs/security.md. */
import type { Socket } from 'socket.io-client'
import { afterAll, expect, test, vi } from 'vitest'
import { loginAs, verifySession } from '#contract/accounts.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { endOf, openLiveSocket } from '#tests/support/live-socket.ts'

vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
const app = await testApp()
afterAll(() => void vi.useRealTimers())
const address = await app.listen()

/** In steps, so that the queries of each few seconds are answered before the next ones. */
async function aMinutePasses(): Promise<void> {
  for (let seconds = 0; seconds < 60; seconds += 5) {
    await vi.advanceTimersByTimeAsync(5_000)
    await app.database.pool.query('select 1')
  }
}

const open = (token: string): Promise<Socket> => openLiveSocket(address, token)

/** As if the user's sessions were older. */
const backdate = (
  { user }: TestUser,
  column: 'created_at' | 'last_seen_at' | 'expires_at',
  interval: string,
) =>
  app.database.pool.query(
    `update login_session set ${column} = ${column} - $2::interval where user_id = $1`,
    [user._id, interval],
  )
const lastUses = async ({ user }: TestUser) =>
  (
    await app.database.pool.query('select last_seen_at from login_session where user_id = $1', [
      user._id,
    ])
  ).rows

test('18 a live connection ends within a minute after its session, idle, old or of an administrator', async () => {
  const [idle, old, admin, active] = [
    await app.register(),
    await app.register(),
    await app.admin(),
    await app.register(),
  ]
  const sockets = await Promise.all([idle, old, admin].map(({ token }) => open(token)))
  const stays = await open(active.token)
  const ended = Promise.all(sockets.map(endOf))
  await backdate(idle, 'last_seen_at', '24 hours')
  await backdate(old, 'expires_at', '14 days')
  await backdate(admin, 'created_at', '12 hours')
  await aMinutePasses()
  expect(await ended).toEqual(Array(3).fill('io server disconnect'))
  expect(stays.connected).toBe(true)
})

test('18 an open live connection does not count as use: its session still ends after an idle day', async () => {
  const ana = await app.register()
  const socket = await open(ana.token)
  await backdate(ana, 'last_seen_at', '23 hours')
  const before = await lastUses(ana)
  await aMinutePasses()
  expect(await lastUses(ana)).toEqual(before)
  const ended = endOf(socket)
  await backdate(ana, 'last_seen_at', '1 hour')
  await aMinutePasses()
  expect(await ended).toBe('io server disconnect')
})

test('22 the live connection of an impersonation ends with its hour, those of customer and administrator stay', async () => {
  const [ana, admin] = [await app.register(), await app.admin()]
  const { body } = await app.call(
    loginAs,
    { params: { userId: ana.user._id }, body: {} },
    admin.token,
  )
  const [acting, own, administrators] = [
    await open(body.token),
    await open(ana.token),
    await open(admin.token),
  ]
  const ended = endOf(acting)
  await backdate(ana, 'expires_at', '1 hour')
  expect((await app.call(verifySession, {}, body.token)).status).toBe(401)
  await aMinutePasses()
  expect(await ended).toBe('io server disconnect')
  expect([own.connected, administrators.connected]).toEqual([true, true])
})
