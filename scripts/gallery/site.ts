/** A sandbox server on a database of its own, with made-up data, for the pictures. */
import { chmod, copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { login, register } from '#contract/accounts.ts'
import type { SignedIn } from '#contract/accounts.ts'
import { ROOT } from '#scripts/command.ts'
import { fillDatabase, SEED_PASSWORD } from '#scripts/seed/fill.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { APP_ROLE } from '#server/platform/embedded-postgres/cluster.ts'
import { startPostgres } from '#server/platform/embedded-postgres/start.ts'
import { ADMIN_PASSWORD, clientFor, PASSWORD, startServer } from '#tests/support/server-process.ts'
import type { ServerClient, SignedInUser } from '#tests/support/server-process.ts'
import { done } from './done.ts'
import { furnishSeller } from './seller.ts'

/** Half belongs to the seller: about 22 on a working day. */
const SIZE = {
  users: 60,
  labels: 3_000,
  largest: 1_500,
  batchRows: 12,
  rhythm: 'weekly',
} as const

/** The browser in which everyone has signed in, as lists of devices and the audit name it. */
const LAPTOP =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

/** Who looks at a place: without an account, just registered, about to buy labels, with months of orders, or over all. */
export type Viewer = 'visitor' | 'newcomer' | 'buyer' | 'seller' | 'admin'

export type Site = {
  url: string
  users: Record<Exclude<Viewer, 'visitor'>, SignedInUser>
  stop(): Promise<void>
}

/** Throws when the database or the server does not start. */
export async function startSite(): Promise<Site> {
  const folder = await mkdtemp(join(tmpdir(), 'evenpost-gallery-'))
  await chmod(folder, 0o711) // started as root, the database runs as another user
  const postgres = await startPostgres({ dataDir: join(folder, 'database'), log: () => {} })
  const removeAll = async () => {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    const owner = openDatabase(postgres.ownerUrl, { max: 1 })
    await migrate(owner.pool, { role: APP_ROLE }).finally(() => owner.close())
    await fillDatabase(postgres.ownerUrl, SIZE)
    await spreadSignUps(postgres.ownerUrl)
    const dataDir = join(folder, 'data')
    await writeOperatorPages(dataDir)
    const server = await startServer(dataDir, {
      DATABASE_URL: postgres.url,
      ALLOW_UNSAFE_DATABASE: 'yes',
      LOG_LEVEL: 'error',
      SUPPORT_EMAIL: 'support@example.com',
      COMMUNITY_URL: 'https://chat.example.com',
      SUPPORT_REPLY_TIME: 'one business day',
      // Each new customer and each visit comes from an address of its own, within the limits of an address.
      TRUST_PROXY: 'loopback',
    })
    const laptop = clientFor(server.url, { 'user-agent': LAPTOP })
    const signIn = async (email: string, password: string) =>
      (await laptop.call(login, { body: { email, password } })).body as SignedIn
    const seller = await signIn('seller1@example.com', SEED_PASSWORD)
    const admin = await signIn('admin@evenpost.local', ADMIN_PASSWORD)
    const newcomer = await registerUser(laptop, 'Dana Cole')
    const buyer = await registerUser(laptop, 'Rosa Lind')
    await server.pay(buyer, 2_000)
    await furnishSeller(server, seller, admin)
    return {
      url: server.url,
      users: { newcomer, buyer, seller, admin },
      stop: async () => {
        await server.stop('SIGTERM')
        await removeAll()
      },
    }
  } catch (error) {
    await removeAll()
    throw error
  }
}

/** All seeded users signed up on one day. Those who used a referral code are spread over weeks, for the chart of sign-ups. */
async function spreadSignUps(ownerUrl: string): Promise<void> {
  const owner = openDatabase(ownerUrl, { max: 1 })
  await owner.pool
    .query(
      `
      with invited as (select id, row_number() over (order by id desc) as turn from app_user where referred_by is not null)
      update app_user u set created_at = now() - invited.turn * interval '12 days'
        from invited where invited.id = u.id`,
    )
    .finally(() => owner.close())
}

/** Terms of the operator's own, so that the pictures show the pages as customers of a finished installation see them. */
async function writeOperatorPages(dataDir: string): Promise<void> {
  const pages = join(dataDir, 'pages')
  await mkdir(pages, { recursive: true })
  for (const name of ['terms.md', 'privacy.md', 'refunds.md'])
    await copyFile(join(ROOT, 'server', 'support', 'examples', name), join(pages, name))
}

/** A new user with an address as people have it. */
async function registerUser(server: ServerClient, name: string): Promise<SignedInUser> {
  const email = `${name.toLowerCase().replace(' ', '.')}@example.com`
  const body = { name, email, password: PASSWORD, confirmPassword: PASSWORD }
  return done(server.call(register, { body }), 'user')
}
