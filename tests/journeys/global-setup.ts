import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SERVER_ENTRY } from '#scripts/server-entry.ts'
import { startEnv } from '#server/platform/process/start-env.ts'
import { START_FLAGS } from '#tests/support/server-process.ts'

/** The first administrator of the journeys' server. */
export const ADMIN = { email: 'admin@evenpost.local', password: 'a long enough passphrase' }

/** Where the contact form of the journeys' server writes to. */
export const SUPPORT_ADDRESS = 'support@shop.example'

/**
 * Starts the whole program, as `npm start` does, on a folder that is thrown away. Its address is in JOURNEY_URL, its data in
 * JOURNEY_DATA.
 */
export default async function startJourneyServer(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'evenpost-journeys-'))
  await chmod(folder, 0o711) // started as root, the database runs as another user
  const child = spawn(process.execPath, [...START_FLAGS, SERVER_ENTRY], {
    env: {
      PATH: process.env.PATH,
      ...startEnv(),
      DATA_DIR: join(folder, 'data'),
      PORT: '0',
      ADMIN_PASSWORD: ADMIN.password,
      SUPPORT_EMAIL: SUPPORT_ADDRESS,
      // An order with a label for 'SANDBOX LATE' stays in progress for this long: enough for a test on a slow machine.
      CARRIER_TIMEOUT_MS: '12000',
      // Each customer registers from an address of their own (tests/support/server-process.ts), within the limit of an address.
      TRUST_PROXY: 'loopback',
      // The programs that receive webhooks are on this machine.
      WEBHOOKS_ALLOW_LOOPBACK: 'yes',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  const ready = Promise.withResolvers<string>()
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString()
    const address = /Evenpost is ready at (\S+)\n/.exec(said)?.[1]
    if (address) ready.resolve(address)
  })
  child.on('exit', () => ready.reject(new Error(`Evenpost ended before it was ready:\n${said}`)))
  process.env.JOURNEY_URL = await ready.promise
  process.env.JOURNEY_DATA = join(folder, 'data')
  return async () => {
    child.kill('SIGTERM')
    await once(child, 'exit')
    await rm(folder, { recursive: true, force: true })
  }
}
