/** A server of a test file's own, for changes that apply to everyone. */
import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import { createDataFolder, startServer } from '#tests/support/server-process.ts'
import type { ServerProcess, SignedInUser } from '#tests/support/server-process.ts'
import { saveData } from './save-data.ts'
import { recordToasts } from './toasts.ts'

/** `end` stops it and removes its data folder. */
export type OwnServer = ServerProcess & { dataPath: string; end(): Promise<void> }

export async function startOwnServer(): Promise<OwnServer> {
  const data = await createDataFolder()
  const app = await startServer(data.path)
  return {
    ...app,
    dataPath: data.path,
    end: async () => {
      await app.stop('SIGTERM')
      await data.forget()
    },
  }
}

/** A page that the user is signed in on. */
export async function openPageOf(
  browser: Browser,
  { url }: Pick<ServerProcess, 'url'>,
  { token }: SignedInUser,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const origins = [{ origin: url, localStorage: [{ name: 'evenpost.token', value: token }] }]
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 1440, height: 900 },
    storageState: { cookies: [], origins },
    ...options,
  })
  await saveData(context)
  await recordToasts(context)
  return context.newPage()
}
