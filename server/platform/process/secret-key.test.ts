import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openSecretKey, SECRET_KEY_FILE, secretKeyFrom } from './secret-key.ts'

async function dataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'evenpost-key-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

test('the key is made at the first start, readable by its owner only, and stays the same', async () => {
  const dataDir = await dataFolder()
  const keys = await Promise.all(
    [1, 2, 3].map(() => openSecretKey({ dataDir, secretKey: undefined })),
  )
  const signatures = keys.map(key => key.sign('device', 'user 7'))
  expect(new Set(signatures).size, 'of processes that start together').toBe(1)
  expect(await readdir(dataDir)).toEqual([SECRET_KEY_FILE])
  expect((await stat(join(dataDir, SECRET_KEY_FILE))).mode & 0o777).toBe(0o600)
  const later = await openSecretKey({ dataDir, secretKey: undefined })
  expect(later.isSigned('device', 'user 7', signatures[0]!)).toBe(true)
})

test('a damaged key file is never replaced by another key', async () => {
  const dataDir = await dataFolder()
  await writeFile(join(dataDir, SECRET_KEY_FILE), 'cut')
  await expect(openSecretKey({ dataDir, secretKey: undefined })).rejects.toThrow(
    /is damaged. Put it back from a backup/,
  )
  expect(await readFile(join(dataDir, SECRET_KEY_FILE), 'utf8')).toBe('cut')
})

test('with SECRET_KEY no file is written', async () => {
  const dataDir = await dataFolder()
  const key = await openSecretKey({ dataDir, secretKey: 'k'.repeat(32) })
  expect(key.sign('device', 'x')).toBe(secretKeyFrom('k'.repeat(32)).sign('device', 'x'))
  expect(await readdir(dataDir)).toEqual([])
})

test('a signature counts for its text, purpose and installation only', () => {
  const key = secretKeyFrom('one installation')
  const signature = key.sign('device', 'user 7')
  expect(key.isSigned('device', 'user 7', signature)).toBe(true)
  expect(key.isSigned('device', 'user 8', signature)).toBe(false)
  expect(key.isSigned('totp', 'user 7', signature)).toBe(false)
  expect(key.isSigned('device', 'user 7', '')).toBe(false)
  expect(secretKeyFrom('another one').isSigned('device', 'user 7', signature)).toBe(false)
})

test('a sealed value opens for its owner and purpose only, and unchanged only', () => {
  const key = secretKeyFrom('one installation')
  const plain = Buffer.from('JBSWY3DPEHPK3PXP')
  const sealed = key.seal('totp', 'user:7', plain)
  expect(sealed.includes(plain)).toBe(false)
  expect(key.seal('totp', 'user:7', plain)).not.toEqual(sealed)
  expect(key.unseal('totp', 'user:7', sealed)).toEqual(plain)
  expect(() => key.unseal('totp', 'user:8', sealed)).toThrow()
  expect(() => key.unseal('device', 'user:7', sealed)).toThrow()
  expect(() => secretKeyFrom('another one').unseal('totp', 'user:7', sealed)).toThrow()
  for (const at of sealed.keys()) {
    const damaged = Buffer.from(sealed)
    damaged[at]! ^= 1
    expect(() => key.unseal('totp', 'user:7', damaged), `byte ${at}`).toThrow()
  }
})
