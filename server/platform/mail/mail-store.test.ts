import { expect, test } from 'vitest'
import type { MailKind } from '#contract/mails.ts'
import { testDatabase } from '#tests/support/database.ts'
import { claimDue, countWaiting, insertMail } from './mail-store.ts'

const database = await testDatabase()
const { db } = database

const enqueue = (kind: MailKind, to: string) =>
  database.tx(tx =>
    insertMail(
      tx,
      {
        messageId: crypto.randomUUID(),
        kind,
        userId: null,
        sealed: Buffer.from('sealed'),
        written: true,
        recipientHash: to,
        recipientHint: to,
        validHours: 1,
        delayMs: 0,
      },
      5,
    ),
  )

test('a sign-in link is sent before the news that wait for many receivers', async () => {
  for (const to of ['ben', 'cy', 'dan']) await enqueue('parcel-update', to)
  await enqueue('password-reset', 'ana')
  await enqueue('verify-email', 'eve')
  const claimed = [
    await claimDue(db, 2, 60_000),
    await claimDue(db, 2, 60_000),
    await claimDue(db, 2, 60_000),
  ]
  expect(claimed.map(mails => mails.map(({ kind }) => kind).sort())).toEqual([
    ['password-reset', 'verify-email'],
    ['parcel-update', 'parcel-update'],
    ['parcel-update'],
  ])
})

test('mails of a kind are counted up to a limit', async () => {
  expect(await countWaiting(db, 'parcel-update', 100)).toBe(3)
  expect(await countWaiting(db, 'parcel-update', 2)).toBe(2)
  expect(await countWaiting(db, 'support-message', 2)).toBe(0)
})
