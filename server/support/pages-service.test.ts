import { mkdir, mkdtemp, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { PageSummary } from '#contract/support.ts'
import { readConfig } from '#server/config.ts'
import { openOperatorPages, supportFacts } from './pages-service.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'evenpost-support-'))
afterAll(() => rm(dataDir, { recursive: true, force: true }))

const page = (slug: PageSummary['slug'], title: string, isExample = false): PageSummary => ({
  slug,
  title,
  isExample,
})

test('new customers agree to the terms and the privacy policy that the operator has written', () => {
  const { agreement } = supportFacts([
    page('help', 'Help'),
    page('terms', 'Our terms'),
    page('privacy', 'Privacy'),
  ])
  expect(agreement?.links.map(({ joined, name }) => [joined, name])).toEqual([
    [null, 'terms'],
    ['yes', 'privacy policy'],
  ])
  expect(JSON.parse(agreement!.json)).toEqual([
    { path: '/terms', name: 'terms' },
    { path: '/privacy', name: 'privacy policy' },
  ])
})

test('new customers do not agree to an example', () => {
  expect(supportFacts([page('terms', 'Terms of Service', true)]).agreement).toBeNull()
})

test('the footer links every page that can be read, then the way to write to support', () => {
  expect(supportFacts([page('refunds', 'Money back')])).toMatchObject({
    pages: [
      { path: '/refunds', title: 'Money back' },
      { path: '/contact', title: 'Contact' },
    ],
    refunds: { path: '/refunds', title: 'Money back' },
  })
})

test('a page that could not be read once is shown as soon as it can be read, and the log has one line', async () => {
  const logged: string[] = []
  const log = { warn: ({ problem }: { problem: string }) => void logged.push(problem) }
  const pages = openOperatorPages({ config: readConfig({ DATA_DIR: dataDir }), log })
  // A folder cannot be read as a file. The file that replaces it has the same size and time.
  const path = join(dataDir, 'pages', 'terms.md')
  await mkdir(join(path, 'a-name-that-gives-the-folder-a-size'), { recursive: true })
  const time = new Date('2026-11-22T10:00:00Z')
  await utimes(path, time, time)
  const { size } = await stat(path)
  expect([await pages.read('terms'), await pages.read('terms')]).toEqual([null, null])
  await rm(path, { recursive: true })
  await writeFile(path, '# Our terms\n'.padEnd(size))
  await utimes(path, time, time)
  expect(await pages.read('terms')).toMatchObject({ title: 'Our terms', isExample: false })
  expect(logged).toHaveLength(1)
})

test('a page in another encoding is named with its file and what to do', async () => {
  const logged: string[] = []
  const log = { warn: ({ problem }: { problem: string }) => void logged.push(problem) }
  const pages = openOperatorPages({ config: readConfig({ DATA_DIR: dataDir }), log })
  const path = join(dataDir, 'pages', 'privacy.md')
  await writeFile(path, Buffer.from('# Privacy of Café Ana', 'latin1'))
  expect(await pages.read('privacy')).toBeNull()
  expect(logged).toEqual([`${path} is no text in UTF-8: save it in this encoding`])
  await rm(path)
})
