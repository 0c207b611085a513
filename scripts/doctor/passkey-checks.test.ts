import { expect, test } from 'vitest'
import { testDatabase } from '#tests/support/database.ts'
import { newUser } from '#tests/support/users.ts'
import { checkPasskeys } from './passkey-checks.ts'

const database = await testDatabase()
const { pool } = database
const passkey = (userId: number, host: string) =>
  pool.query(
    `insert into second_factor (user_id, kind, name, credential_id, public_key, counter, transports, host)
       values ($1, 'passkey', 'key', sha256(random()::text::bytea), '\\x00', 0, '{}', $2)`,
    [userId, host],
  )

test('passkeys that a new host name has orphaned are reported, with the users who have nothing else', async () => {
  const [ana, ben] = [await newUser(database, 'ana'), await newUser(database, 'ben')]
  await passkey(ana, 'post.example.com')
  expect(await checkPasskeys(pool, 'https://post.example.com')).toEqual([
    { isOk: true, text: 'Passkeys: all belong to post.example.com' },
  ])
  await passkey(ben, 'post.example.com')
  await passkey(ben, 'labels.example.com')
  expect(await checkPasskeys(pool, 'https://labels.example.com')).toEqual([
    {
      isOk: false,
      text:
        'Passkeys: 2 passkeys of 2 users belong to post.example.com and cannot be used, since PUBLIC_URL has the host '
        + 'labels.example.com. 1 user without another factor can sign in with a recovery code or after npm run unlock. '
        + 'Set PUBLIC_URL back, or let them register new passkeys.',
    },
  ])
})
