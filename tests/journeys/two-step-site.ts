/** Servers of their own for two-step sign-in: on a name, where passkeys are possible, with pasts that tests choose. */
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { expect } from '@playwright/test'
import type { Browser, Locator, Page } from '@playwright/test'
import pg from 'pg'
import { startPostgres } from '#server/platform/embedded-postgres/start.ts'
import { authenticatorApp } from '#tests/support/authenticator.ts'
import type { AuthenticatorApp } from '#tests/support/authenticator.ts'
import { createDataFolder, PASSWORD, startServer } from '#tests/support/server-process.ts'
import type { ServerProcess, SignedInUser } from '#tests/support/server-process.ts'
import { visitorTest } from './customer-fixture.ts'
import { openPageOf } from './own-server.ts'
import { fill } from './page-helpers.ts'

export type Site = ServerProcess & {
  /** Where browsers open it. */
  pages: string
  /** DATA_DIR. */
  folder: string
  runSql: (statement: string, values?: unknown[]) => Promise<void>
}

/** A port that nothing uses now. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  await new Promise(done => server.close(done))
  return port
}

async function useSite(env: Record<string, string>, give: (site: Site) => Promise<void>) {
  const folder = await createDataFolder()
  const port = await freePort()
  const pages = `http://localhost:${port}`
  const server = await startServer(folder.path, { PORT: String(port), PUBLIC_URL: pages, ...env })
  const { ownerUrl } = await startPostgres({
    dataDir: folder.path,
    log: () => {},
    exclusive: false,
  })
  const books = new pg.Client(ownerUrl)
  await books.connect()
  const runSql: Site['runSql'] = async (statement, values) =>
    void (await books.query(statement, values))
  await give({ ...server, pages, folder: folder.path, runSql })
  await books.end()
  await server.stop('SIGTERM')
  await folder.forget()
}

/** Journeys on a server with these variables. */
export const siteTest = (env: Record<string, string>) =>
  visitorTest.extend<object, { site: Site }>({
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the parameter
    site: [({}, give) => useSite(env, give), { scope: 'worker', timeout: 300_000 }],
    baseURL: async ({ site }, give) => give(site.pages),
  })

/** The page of a user who is signed in already. */
export async function pageOf(
  browser: Browser,
  { pages }: Site,
  user: SignedInUser,
  path: string,
): Promise<Page> {
  const page = await openPageOf(browser, { url: pages }, user)
  await page.goto(path)
  return page
}

/** As if the user's last proof, or sign-in, were an hour old. */
export const ageProof = ({ runSql }: Site, { user }: SignedInUser): Promise<void> =>
  runSql("update login_session set proven_at = now() - interval '1 hour' where user_id = $1", [
    user._id,
  ])

/** As if the administrators had been made a day earlier. */
export const ageRoles = ({ runSql }: Site): Promise<void> =>
  runSql(`alter table audit_entry disable trigger audit_entry_immutable;
    update audit_entry set created_at = created_at - interval '24 hours' where action = 'role';
    alter table audit_entry enable trigger audit_entry_immutable`)

/** As if time had passed: the codes that were used count again. */
export const forgetUsedCodes = ({ runSql }: Site, { user }: SignedInUser): Promise<void> =>
  runSql('update second_factor set last_step = 0 where user_id = $1', [user._id])

export const methods = (page: Page): Locator =>
  page.getByRole('region', { name: 'Two-step sign-in' })
export const proofDialog = (page: Page): Locator =>
  page.getByRole('dialog', { name: 'Confirm it’s you' })

/** Email and password, and what follows. */
export async function enterPassword(page: Page, email: string): Promise<void> {
  await fill(page, { Email: email, Password: PASSWORD })
  await page.getByRole('button', { name: 'Login', exact: true }).click()
}

export const onDashboard = (page: Page): Promise<void> =>
  expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()

export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome Back!' })).toBeVisible()
}

export async function beginApp(page: Page): ReturnType<typeof readApp> {
  await page.getByRole('button', { name: 'Add an authenticator app' }).click()
  return readApp(page)
}

/** Reads the setup key, as a phone reads the QR code. */
export async function readApp(page: Page): Promise<{ dialog: Locator; phone: AuthenticatorApp }> {
  const dialog = page.getByRole('dialog', { name: 'Add an authenticator app' })
  await expect(
    dialog.getByRole('img', { name: 'QR code for your authenticator app' }),
  ).toBeVisible()
  const key = await dialog.getByRole('textbox', { name: 'Setup key' }).inputValue()
  return { dialog, phone: authenticatorApp(key.replaceAll(' ', '')) }
}

/** Confirms that the recovery codes are saved, and returns them. */
export async function saveRecoveryCodes(page: Page): Promise<string[]> {
  const dialog = page.getByRole('dialog', { name: 'Save your recovery codes' })
  const items = dialog.getByRole('listitem')
  await expect(items).toHaveCount(10)
  const codes = await items.allInnerTexts()
  await dialog.getByRole('checkbox', { name: 'I saved these codes' }).check()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(dialog).toBeHidden()
  return codes
}

/**
 * A fingerprint reader or the like in this browser, which always agrees; removed with the page. It would also take each
 * suggestion of the sign-in page at once, so the browser makes none until `suggestPasskeys`.
 */
export async function addAuthenticator(page: Page): Promise<void> {
  await page.addInitScript(key => {
    const isAvailable =
      PublicKeyCredential.isConditionalMediationAvailable.bind(PublicKeyCredential)
    PublicKeyCredential.isConditionalMediationAvailable = async () =>
      localStorage.getItem(key) !== null && isAvailable()
  }, SUGGESTS)
  const client = await page.context().newCDPSession(page)
  await client.send('WebAuthn.enable')
  await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
      defaultBackupEligibility: true,
      defaultBackupState: true,
    },
  })
}

const SUGGESTS = 'browser-suggests-passkeys'

export const suggestPasskeys = (page: Page): Promise<void> =>
  page.evaluate(key => localStorage.setItem(key, 'yes'), SUGGESTS)
