import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'

type PrintLine = (line: string) => void

const require = createRequire(import.meta.url)
const BUNDLED = '@sparticuz/chromium'

/**
 * Finds a Chromium for the journeys: CHROMIUM_PATH, the packaged one (Linux x64), an installed one,
 * Playwright's, a download, or apt-get. The packaged one is the same everywhere and headless, which
 * takes a quarter less work. Throws when there is none.
 */
export async function findChromium(say: PrintLine = () => {}): Promise<string> {
  const named = process.env.CHROMIUM_PATH
  if (named) {
    if (canRun(named)) return named
    throw new Error(`CHROMIUM_PATH is ${named}, and no Chromium starts there.`)
  }
  for (const find of [
    unpackBundled,
    findInstalled,
    findPlaywrights,
    downloadWithPlaywright,
    installWithApt,
  ]) {
    const path = await find(say)
    if (path && canRun(path)) return path
  }
  throw new Error(
    'There is no Chromium for the journeys. Install one (Debian: apt-get install chromium), or set CHROMIUM_PATH.',
  )
}

/**
 * Whether it starts. On Windows only whether it exists: printing the version would open a window.
 */
function canRun(path: string): boolean {
  if (process.platform === 'win32') return existsSync(path)
  return spawnSync(path, ['--version'], { timeout: 300_000 }).status === 0
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

/**
 * Unpacks the packaged browser below node_modules, so that two checkouts do not write the same
 * file.
 */
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
  say('Unpacking the packaged Chromium')
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const { inflate, setupLambdaEnvironment } = (await import(BUNDLED)) as {
    inflate(archive: string): Promise<string>
    setupLambdaEnvironment(libraries: string): void
  }
  const before = process.env.TMPDIR
  process.env.TMPDIR = folder // the package unpacks there
  try {
    for (const archive of ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br'])
      await inflate(join(packaged, archive))
    if (!canRun(path)) {
      // Without NSS and expat on the machine: uses packaged copies, which the browser finds through
      // the environment.
      setupLambdaEnvironment(join(await inflate(join(packaged, 'al2023.tar.br')), 'lib'))
    }
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  }
  return path
}

async function downloadWithPlaywright(say: PrintLine): Promise<string | undefined> {
  say('Downloading Chromium (playwright install chromium)')
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
