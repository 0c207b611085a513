import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openSecretKey } from '#server/platform/process/secret-key.ts'
import { testDatabase } from '#tests/support/database.ts'
import { checkSecretKey } from './secret-key-checks.ts'

const { pool, owner } = await testDatabase()
const [dataDir, empty] = await Promise.all(
  ['with', 'without'].map(name => mkdtemp(join(tmpdir(), `evenpost-key-${name}-`))),
)
afterAll(() => Promise.all([dataDir!, empty!].map(path => rm(path, { recursive: true }))))

test('the doctor says which secrets the key of the installation cannot read', async () => {
  const kept = { dataDir: dataDir!, secretKey: undefined }
  const key = await openSecretKey(kept)
  expect(await checkSecretKey(pool, { dataDir: empty!, secretKey: undefined })).toEqual([
    { isOk: true, text: 'Secret key: it reads all secrets' },
  ])
  const { rows: users } = await owner.pool.query<{ id: number }>(
    `insert into app_user (name, email, email_key, password_hash, referral_code)
       values ('Ana', 'ana@example.com', 'ana@example.com', 'x', 'ANA00001') returning id`,
  )
  await pool.query(
    `insert into webhook_endpoint (user_id, url, format, types, bulk_rows, secret)
       values ($1, 'https://example.com', 'standard', '{label.bought}', false, '')`,
    [users[0]!.id],
  )
  await pool.query(`update webhook_endpoint set secret = $1`, [
    key.seal('webhook', 'endpoint:1', Buffer.from('a secret')),
  ])
  expect(await checkSecretKey(pool, kept)).toMatchObject([{ isOk: true }])

  const [missing] = await checkSecretKey(pool, { dataDir: empty!, secretKey: undefined })
  expect(missing).toMatchObject({ isOk: false })
  expect(missing!.text).toMatch(/^Secret key: there is no key, so the secret of 1 webhook cannot/)
  const [other] = await checkSecretKey(pool, { dataDir: dataDir!, secretKey: 'x'.repeat(44) })
  expect(other!.text).toMatch(/^Secret key: with this key the secret of 1 webhook cannot be read/)
})
