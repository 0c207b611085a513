/** The commands of the first guide of /docs/api, run by a shell as they stand on the page. */
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { createKey } from '#contract/api-keys.ts'
import { guides } from '#web/docs/content.ts'
import { testApp } from './support/app.ts'

const run = promisify(execFile)
const app = await testApp()
const folder = await mkdtemp(join(tmpdir(), 'evenpost-quick-start-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

test('a first label is bought, downloaded and voided by the commands of the page', async () => {
  const url = await app.listen()
  const { token, user } = await app.register()
  await app.creditDollars(user._id, 100)
  const scopes = ['labels:buy', 'labels:read', 'labels:void'] as const
  const made = await app.call(
    createKey,
    { params: { userId: user._id }, body: { name: 'Quick start', scopes: [...scopes] } },
    token,
  )
  const env: Record<string, string> = { EVENPOST_KEY: made.body.key }
  const shell = async (command: string): Promise<string> => {
    const { stdout } = await run('sh', ['-c', command.replaceAll('{{url}}', url)], {
      cwd: folder,
      env: { ...process.env, ...env },
    })
    return stdout
  }
  const start = guides.find(({ id }) => id === 'start')!
  const commands = start.blocks.flatMap(block =>
    'code' in block && block.runs ? [block.code] : [],
  )
  expect(commands).toHaveLength(5)
  const [whoami, services, buy, download, giveBack] = commands as [
    string,
    string,
    string,
    string,
    string,
  ]

  /** As a reader does: the value of the example is replaced by their own. */
  const set = (command: string, name: string, value: string): string => {
    const line = new RegExp(`^export ${name}=.*$`, 'm')
    expect(command).toMatch(line)
    return command.replace(line, `export ${name}=${value}`)
  }

  const shown = set(whoami, 'EVENPOST_KEY', made.body.key)
  const me = JSON.parse(await shell(shown)) as { userId: string; mode: string }
  expect(me).toMatchObject({ userId: user._id, mode: 'test' })
  env.EVENPOST_USER = me.userId
  expect(JSON.parse(await shell(set(services, 'EVENPOST_USER', me.userId)))).toContainEqual(
    expect.objectContaining({ uid: 'usps:GROUND_ADVANTAGE' }),
  )
  const bought = JSON.parse(await shell(buy)) as { data: { orderId: string; pdfName: string } }
  expect(JSON.parse(await shell(buy))).toMatchObject({ data: { orderId: bought.data.orderId } })
  env.EVENPOST_ORDER = bought.data.orderId
  const named = set(download, 'EVENPOST_FILE', bought.data.pdfName)
  await shell(set(named, 'EVENPOST_ORDER', bought.data.orderId))
  const files = await readdir(folder)
  expect(files).toHaveLength(1)
  expect((await readFile(join(folder, files[0]!))).subarray(0, 4).toString()).toBe('%PDF')
  expect(JSON.parse(await shell(giveBack))).toMatchObject({ order: { void: 'voided' } })
})
