// Prepares a fresh clone: `node scripts/setup.mjs
// <start|test|dev|bench|gallery|doctor|schema|backup|restore|unlock>`, called by npm before each command. Plain
// JavaScript without packages: it must run on any Node from 18 on.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'

const OLDEST_NODE = [22, 18] // the first that runs TypeScript directly
/** Between two looks at the lock of another setup. A test makes it shorter. */
const LOOK_PAUSE_MS = Number(process.env.EVENPOST_SETUP_PAUSE_MS ?? 300)
const MOST_LOOKS = 100
/** About a second; far less than the time of all looks. */
const REFRESH_MS = 3 * LOOK_PAUSE_MS

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const purpose = process.argv[2] ?? 'start'
const at = (...names) => join(root, ...names)
const say = line => process.stdout.write(`${line}\n`)
const stop = line => {
  process.stderr.write(`${line}\n`)
  process.exit(1)
}

process.chdir(root)
await withSetupLock(() => {
  installPackages()
  const node = chooseNode()
  if (['start', 'test', 'bench', 'gallery'].includes(purpose)) buildWeb(node)
  if (['start', 'test', 'bench'].includes(purpose)) bundleServer(node)
})

/**
 * One setup at a time in a folder; the lock of a killed setup is removed. Another process may have its id by now, in a container
 * above all: so a lock is removed as well when its file has the same date in MOST_LOOKS looks, which take 30 seconds.
 */
async function withSetupLock(work) {
  const lock = at('.setup.lock')
  const mark = join(lock, 'pid')
  let [date, looks] = [undefined, 0]
  for (let announced = false; ; announced = true) {
    try {
      mkdirSync(lock)
      break
    } catch (error) {
      // A read-only folder, as in a container: everything exists already and nothing is written.
      if (['EACCES', 'EPERM', 'EROFS'].includes(error.code)) return work()
      if (error.code !== 'EEXIST') throw error
    }
    const found = statSync(mark, { throwIfNoEntry: false })?.mtimeMs
    looks = found === date ? looks + 1 : 0
    date = found
    if (isAbandoned(lock) || looks > MOST_LOOKS) {
      // Of several waiting processes only one can rename it.
      const old = `${lock}.${process.pid}`
      try {
        renameSync(lock, old)
        rmSync(old, { recursive: true, force: true })
      } catch {
        /* another process was faster */
      }
      continue
    }
    if (!announced) say(`Waiting for another setup in this folder to finish (its lock is ${lock})`)
    await new Promise(resolve => setTimeout(resolve, LOOK_PAUSE_MS))
  }
  process.on('exit', () => rmSync(lock, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130))
  writeFileSync(mark, String(process.pid))
  keepFresh(mark)
  await work()
}

/** Sets the date of a file again and again. In a thread of its own: this one waits for npm and the builds. */
function keepFresh(file) {
  const program = `setInterval(() => {
    try { require('node:fs').utimesSync(require('node:worker_threads').workerData, new Date(), new Date()) } catch {}
  }, ${REFRESH_MS})`
  new Worker(program, { eval: true, workerData: file }).unref()
}

function isAbandoned(lock) {
  try {
    const pid = Number(readFileSync(join(lock, 'pid'), 'utf8'))
    if (pid === process.pid) return true
    process.kill(pid, 0)
    return false
  } catch (error) {
    if (error.code === 'EPERM') return false
    if (error.code !== 'ENOENT') return true
    // Its process is about to write its id, or was killed just then.
    const folder = statSync(lock, { throwIfNoEntry: false })
    return folder !== undefined && Date.now() - folder.mtimeMs > 5_000
  }
}

/** Runs npm ci unless node_modules matches package-lock.json. */
function installPackages() {
  const lockfile = at('package-lock.json')
  const installed = at('node_modules', '.package-lock.json')
  const stamp = at('node_modules', '.evenpost-lock')
  const hash = hashOf([lockfile])
  if (existsSync(installed)) {
    // Compares the content, since a checkout changes the date; after a manual `npm ci` there is no
    // stamp, so the date.
    const hasStamp = existsSync(stamp)
    if (
      hasStamp
        ? readFileSync(stamp, 'utf8') === hash
        : statSync(installed).mtimeMs >= statSync(lockfile).mtimeMs
    ) {
      if (!hasStamp) tryWrite(stamp, hash)
      return
    }
  }
  say('Installing packages (npm ci); the first time this takes a minute')
  // No package needs its install script. In .npmrc, ignore-scripts would also skip the prestart that runs this.
  npm(['ci', '--ignore-scripts', '--loglevel=error'])
  writeFileSync(stamp, hash)
}

/** For files that only save time later. */
function tryWrite(path, text) {
  try {
    writeFileSync(path, text)
  } catch {
    /* read-only folder */
  }
}

function npm(args) {
  const program = process.env.npm_execpath
  const result = program?.endsWith('.js')
    ? spawnSync(process.execPath, [program, ...args], { stdio: 'inherit' })
    : spawnSync('npm', args, { stdio: 'inherit', shell: process.platform === 'win32' })
  if (result.status !== 0) stop('The packages could not be installed (see above).')
}

/**
 * The Node for all further commands: the pinned one from the packages if it runs on this machine,
 * else an installed one that is new enough. npm puts node_modules/.bin first on the PATH, so the
 * pinned one is used if it exists.
 */
function chooseNode() {
  const pinned = pinnedNode()
  if (pinned) {
    if (realpathSync(pinned) === process.execPath || runs(pinned)) return pinned
    if (installLibatomic() && runs(pinned)) return pinned
    for (const name of ['node', 'node.cmd', 'node.ps1'])
      rmSync(at('node_modules', '.bin', name), { force: true })
  }
  const own = systemNode()
  if (own && isNewEnough(own.version)) {
    say(
      `Using the Node ${own.version} of this machine${pinned ? ': the packaged one cannot run here' : ''}`,
    )
    return own.path
  }
  stop(
    pinned
      ? 'The packaged Node cannot run on this machine: most likely the library libatomic is missing. Install it '
          + '(Debian, Ubuntu: apt-get install libatomic1; Fedora: dnf install libatomic), or install Node 22.18 or newer.'
      : `There is no packaged Node for ${process.platform} on ${process.arch}. Install Node ${OLDEST_NODE.join('.')} or newer.`,
  )
}

/** The binary of the packaged Node (node_modules/.bin/node is only a shim on Windows). */
function pinnedNode() {
  const system = process.platform === 'win32' ? 'win' : process.platform
  const names = [`node-${system}-${process.arch}`, `node-bin-${system}-${process.arch}`]
  const file = process.platform === 'win32' ? 'node.exe' : 'node'
  return names.map(name => at('node_modules', name, 'bin', file)).find(existsSync)
}

function runs(program) {
  const { status, stdout } = spawnSync(program, ['-p', 'process.version'], { encoding: 'utf8' })
  return status === 0 && isNewEnough(stdout.trim())
}

function installLibatomic() {
  if (process.platform !== 'linux' || process.getuid() !== 0 || !existsSync('/usr/bin/apt-get'))
    return false
  say('Installing libatomic1 (apt-get), which the packaged Node needs')
  const quiet = {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  }
  spawnSync('apt-get', ['update', '-qq'], quiet)
  return (
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'libatomic1'], quiet)
      .status === 0
  )
}

function isNewEnough(version) {
  const [major, minor] = version.replace('v', '').split('.').map(Number)
  return major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])
}

/** The first `node` on the PATH outside of node_modules. */
function systemNode() {
  const file = process.platform === 'win32' ? 'node.exe' : 'node'
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, file)
    if (folder.includes('node_modules') || !existsSync(path)) continue
    const { status, stdout } = spawnSync(path, ['-p', 'process.version'], { encoding: 'utf8' })
    if (status === 0) return { path, version: stdout.trim() }
  }
  return undefined
}

/**
 * Builds the web when its sources, the contract or the packages have changed since the last build.
 */
function buildWeb(node) {
  if (!existsSync(at('web', 'index.html'))) {
    say('There are no pages to build yet (web/index.html)')
    return
  }
  buildOnce({
    what: 'the pages',
    result: at('web', 'dist', 'index.html'),
    stamp: at('web', '.built'),
    sources: [...filesBelow(at('web')), ...filesBelow(at('contract'))],
    build: () =>
      execFileSync(
        node,
        [at('node_modules', 'vite', 'bin', 'vite.js'), 'build', 'web', '--logLevel', 'warn'],
        { stdio: 'inherit' },
      ),
  })
}

/** Bundles the server when its sources, the contract or the packages have changed since the last time. */
function bundleServer(node) {
  const scripts = ['bundle-server.ts', 'server-entry.ts', 'start.ts'].map(name =>
    at('scripts', name),
  )
  buildOnce({
    what: 'the server',
    result: at('server', 'dist', 'main.cjs'),
    stamp: at('server', '.built'),
    sources: [...filesBelow(at('server')), ...filesBelow(at('contract')), ...scripts],
    build: () => execFileSync(node, [scripts[0]], { stdio: 'inherit' }),
  })
}

/**
 * Builds when `result` is missing, or is not that of these sources and packages. The stamp has the hash of their text, and
 * their sizes and dates: while these are the same, the text is not read.
 */
function buildOnce({ what, result, stamp, sources, build }) {
  const files = [...sources, at('package.json'), at('package-lock.json')]
  const dates = datesOf(files)
  const [builtHash, builtDates] =
    existsSync(result) && existsSync(stamp) ? readFileSync(stamp, 'utf8').split('\n') : []
  if (builtDates === dates) return
  const hash = hashOf(files)
  if (builtHash === hash) return tryWrite(stamp, `${hash}\n${dates}`)
  say(`Building ${what}`)
  rmSync(stamp, { force: true })
  try {
    build()
  } catch {
    stop(`It was not possible to build ${what} (see above).`)
  }
  writeFileSync(stamp, `${hash}\n${dates}`)
}

/** The date of the last change of a file cannot be set by hand, as that of its text can. */
function datesOf(paths) {
  const hash = createHash('sha256')
  for (const path of paths) {
    const { size, ctimeNs } = statSync(path, { bigint: true })
    hash.update(`${path.slice(root.length)}\0${size}\0${ctimeNs}\0`)
  }
  return hash.digest('hex')
}

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(entry => !['dist', 'node_modules', '.built'].includes(entry.name))
    .flatMap(entry =>
      entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [join(folder, entry.name)],
    )
    .filter(path => !/\.test\.tsx?$/.test(path))
    .sort()
}

function hashOf(paths) {
  const hash = createHash('sha256')
  for (const path of paths)
    hash.update(path.slice(root.length)).update('\0').update(readFileSync(path)).update('\0')
  return hash.digest('hex')
}
