// Makes a fresh clone ready: `node scripts/setup.mjs <start|test|dev|bench|doctor|schema|backup|restore>`, called by npm before each command.
// The only file that any Node from 18 on has to understand: plain JavaScript, nothing but Node itself.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const OLDEST_NODE = [22, 18] // the first that runs TypeScript as it stands

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const purpose = process.argv[2] ?? 'start'
const at = (...names) => join(root, ...names)
const say = line => process.stdout.write(`${line}\n`)
const stop = line => {
  process.stderr.write(`${line}\n`)
  process.exit(1)
}

process.chdir(root)
await alone(() => {
  installPackages()
  const node = chooseNode()
  if (purpose === 'start' || purpose === 'test' || purpose === 'bench') buildWeb(node)
})

/** Two starts in one folder take turns; the lock of a set-up that was killed is taken over. */
async function alone(work) {
  const lock = at('.setup.lock')
  for (let told = false; ; told = true) {
    try {
      mkdirSync(lock)
      break
    } catch (error) {
      // A folder that this user may not write to, as in a container: all has to be there already, and then nothing is written.
      if (['EACCES', 'EPERM', 'EROFS'].includes(error.code)) return work()
      if (error.code !== 'EEXIST') throw error
    }
    if (isAbandoned(lock)) {
      // By renaming, of several that wait only one takes it away.
      const old = `${lock}.${process.pid}`
      try {
        renameSync(lock, old)
        rmSync(old, { recursive: true, force: true })
      } catch {
        /* another one was faster */
      }
      continue
    }
    if (!told) say(`Waiting for another set-up in this folder to finish (its mark is ${lock})`)
    await new Promise(resolve => setTimeout(resolve, 300))
  }
  const release = () => rmSync(lock, { recursive: true, force: true })
  process.on('exit', release)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130))
  writeFileSync(join(lock, 'pid'), String(process.pid))
  await work()
}

function isAbandoned(lock) {
  try {
    const pid = Number(readFileSync(join(lock, 'pid'), 'utf8'))
    process.kill(pid, 0)
    return false
  } catch (error) {
    if (error.code === 'EPERM') return false
    if (error.code !== 'ENOENT') return true
    // Made, but its owner has not written its number: it is either about to, or was killed at that moment.
    const made = statSync(lock, { throwIfNoEntry: false })
    return made !== undefined && Date.now() - made.mtimeMs > 5_000
  }
}

/** Brings node_modules to what package-lock.json says, unless it is there already. */
function installPackages() {
  const lockfile = at('package-lock.json')
  const installed = at('node_modules', '.package-lock.json')
  const stamp = at('node_modules', '.evenpost-lock')
  const wanted = hashOf([lockfile])
  if (existsSync(installed)) {
    // The content decides, as a checkout gives the lock file a new date; the date only after an `npm ci` by hand.
    const noted = existsSync(stamp)
    if (
      noted
        ? readFileSync(stamp, 'utf8') === wanted
        : statSync(installed).mtimeMs >= statSync(lockfile).mtimeMs
    ) {
      if (!noted) tryWrite(stamp, wanted)
      return
    }
  }
  say('Installing packages (npm ci); the first time this takes a minute')
  npm(['ci', '--loglevel=error'])
  writeFileSync(stamp, wanted)
}

/** Notes what only saves time later. */
function tryWrite(path, text) {
  try {
    writeFileSync(path, text)
  } catch {
    /* a folder this user may not write to */
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
 * The Node that runs everything from here on: the pinned one that npm installed, if it can run on this machine; otherwise the
 * one that is here already, if it is new enough. npm puts node_modules/.bin first, so the pinned one is used by being there.
 */
function chooseNode() {
  const pinned = pinnedNode()
  if (pinned) {
    if (runs(pinned)) return pinned
    if (installLibatomic() && runs(pinned)) return pinned
    for (const name of ['node', 'node.cmd', 'node.ps1'])
      rmSync(at('node_modules', '.bin', name), { force: true })
  }
  const own = systemNode()
  if (own && isNewEnough(own.version)) {
    say(
      `Going on with the Node ${own.version} of this machine${pinned ? ': the one that came with the packages cannot run here' : ''}`,
    )
    return own.path
  }
  stop(
    pinned
      ? 'The Node that came with the packages cannot run on this machine: most likely the library libatomic is missing. Install it '
          + '(Debian, Ubuntu: apt-get install libatomic1; Fedora: dnf install libatomic), or install Node 22.18 or newer.'
      : `There is no ready-made Node for ${process.platform} on ${process.arch}. Install Node ${OLDEST_NODE.join('.')} or newer.`,
  )
}

/** The binary behind node_modules/.bin/node (on Windows that is only a shim). */
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
  say('Installing libatomic1 (apt-get), which the Node that came with the packages needs')
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

/** The first `node` on the path that is not below a node_modules folder. */
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

/** Builds the pages when their sources, the contract or the packages have changed since the last time. */
function buildWeb(node) {
  if (!existsSync(at('web', 'index.html'))) {
    say('There are no pages to build yet (web/index.html)')
    return
  }
  const sources = [
    ...filesBelow(at('web')),
    ...filesBelow(at('contract')),
    at('package.json'),
    at('package-lock.json'),
  ]
  const wanted = hashOf(sources)
  const stamp = at('web', '.built')
  if (
    existsSync(at('web', 'dist', 'index.html'))
    && existsSync(stamp)
    && readFileSync(stamp, 'utf8') === wanted
  )
    return
  say('Building the pages')
  rmSync(stamp, { force: true })
  try {
    execFileSync(
      node,
      [at('node_modules', 'vite', 'bin', 'vite.js'), 'build', 'web', '--logLevel', 'warn'],
      { stdio: 'inherit' },
    )
  } catch {
    stop('The pages could not be built (see above).')
  }
  writeFileSync(stamp, wanted)
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
