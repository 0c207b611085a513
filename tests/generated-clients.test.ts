/**
 * Clients that two public generators make from the OpenAPI document buy, print, list and void a
 * label with a key. Run by `npm run test:clients`, which installs the generators.
 */
import { execFile } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createKey } from '#contract/api-keys.ts'
import { testApp } from '#tests/support/app.ts'

const HERE = join(import.meta.dirname, 'clients')
const GENERATED = join(HERE, 'programs', 'generated')
const BUILT = join(HERE, 'built')
const run = promisify(execFile)

const app = await testApp()
let url = ''
let key = ''

const runTool = (path: string, ...args: string[]) =>
  run(process.execPath, [join(HERE, 'node_modules', path), ...args], { cwd: HERE })

const removeFiles = async (): Promise<void> => {
  for (const folder of [GENERATED, BUILT]) await rm(folder, { recursive: true, force: true })
}

afterAll(removeFiles)
beforeAll(async () => {
  await removeFiles()
  url = await app.listen()
  const seller = await app.register()
  const userId = seller.user._id
  await app.creditDollars(userId, 100)
  const created = await app.call(
    createKey,
    {
      params: { userId },
      body: { name: 'Program', scopes: ['labels:buy', 'labels:read', 'labels:void'] },
    },
    seller.token,
  )
  key = created.body.key
  await mkdir(GENERATED, { recursive: true })
  const document = join(GENERATED, 'openapi.json')
  await writeFile(document, await (await fetch(`${url}/api/openapi.json`)).text())
  await runTool('openapi-typescript/bin/cli.js', document, '-o', join(GENERATED, 'evenpost.d.ts'))
  await runTool('@hey-api/openapi-ts/bin/run.js', '-i', document, '-o', join(GENERATED, 'hey-api'))
  await runTool('typescript/bin/tsc', '-p', 'programs')
})

test.each(['buy-with-openapi-fetch', 'buy-with-hey-api'])(
  '%s: a label is bought, printed, listed and voided',
  async program => {
    const { stdout } = await run(process.execPath, [join(BUILT, `${program}.js`)], {
      env: { ...process.env, EVENPOST_URL: url, EVENPOST_KEY: key },
    })
    expect(JSON.parse(stdout)).toEqual({
      mode: 'test',
      price: expect.any(Number),
      file: '%PDF',
      orders: expect.arrayContaining([true]),
      refused: { status: 422, code: expect.stringMatching(/^[a-z_]+$/) },
      voided: 'voided',
    })
  },
)
