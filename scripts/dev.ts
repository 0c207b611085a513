// npm run dev: the server, started again at each change, and Vite's server for the pages, which passes calls on to it. Open the
// address that Vite prints.
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '#server/config.ts'
import { browserUrl } from '#server/platform/config.ts'
import { findFreePort } from '#server/platform/embedded-postgres/postmaster.ts'
import { ConfigError } from '#server/platform/variables.ts'
import { packageBinary, ROOT } from './command.ts'

const { host, port } = await whereToServe()
const start = (args: string[], env: Record<string, string>): ChildProcess =>
  spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...env } })

const children = [
  start(
    ['--watch-path=server', '--watch-path=contract', '--watch-preserve-output', 'server/main.ts'],
    { PORT: String(port) },
  ),
  start([packageBinary('vite'), 'web'], { API_URL: browserUrl(host, port) }),
]
// Ctrl-C reaches the children by itself; we only wait for them, so that the database can be put to rest.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => children.forEach(child => child.kill('SIGTERM')))
const ends = children.map(child => once(child, 'exit'))
await Promise.race(ends)
children.forEach(child => child.kill('SIGTERM'))
await Promise.all(ends)

/** As configured; a port that is left to chance is chosen here, so that both sides know it and a restart keeps it. */
async function whereToServe(): Promise<{ host: string; port: number }> {
  if (existsSync(join(ROOT, '.env'))) process.loadEnvFile(join(ROOT, '.env'))
  try {
    const config = readConfig(process.env)
    return { host: config.host, port: config.port || (await findFreePort()) }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
}
