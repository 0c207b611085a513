import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { publish } from './publish.ts'

const folder = await mkdtemp(join(tmpdir(), 'evenpost publish '))
afterAll(() => rm(folder, { recursive: true }))

const served = join(folder, 'dist')
const built = join(served, '.new')

async function build(version: string): Promise<void> {
  await mkdir(join(built, 'assets'), { recursive: true })
  for (const page of ['index.html', 'app.html']) await writeFile(join(built, page), version)
  await writeFile(join(built, 'assets', `app-${version}.js`), version)
}

const present = async () => (await readdir(served, { recursive: true })).sort()

test('a release replaces the previous one completely', async () => {
  for (const version of ['one', 'two']) {
    await build(version)
    await publish(built, served)
    expect(await present()).toEqual([
      'app.html',
      'assets',
      join('assets', `app-${version}.js`),
      'index.html',
    ])
    expect(await readFile(join(served, 'index.html'), 'utf8')).toBe(version)
  }
})

test('a release that fails halfway leaves the previous page complete', async () => {
  await build('three')
  await rm(join(served, 'app.html'))
  await mkdir(join(served, 'app.html'))
  await expect(publish(built, served)).rejects.toThrow()
  expect(await readFile(join(served, 'index.html'), 'utf8')).toBe('two')
  expect(await readFile(join(served, 'assets', 'app-two.js'), 'utf8')).toBe('two')
})
