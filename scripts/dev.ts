// npm run dev: the server, restarted at each change, and Vite's server for the web, which forwards
// API requests. Open the address that Vite prints.
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readConfig } from '#server/config.ts'
import { browserUrl } from '#server/platform/config.ts'
import { findFreePort } from '#server/platform/embedded-postgres/postmaster.ts'
import { SIGNALS_TWICE_FLAG } from '#server/platform/process/supervised.ts'
import { ConfigError } from '#server/platform/variables.ts'
import { loadEnvFile, packageBinary, ROOT } from './command.ts'

const { host, port } = await whereToServe()
const start = (args: string[], env: Record<string, string>): ChildProcess =>
  spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...env } })

const children = [
  start(
    [
      '--watch-path=server',
      '--watch-path=contract',
      '--watch-preserve-output',
      'server/main.ts',
      SIGNALS_TWICE_FLAG,
    ],
    { PORT: String(port) },
  ),
  start([packageBinary('vite'), 'web'], { API_URL: browserUrl(host, port) }),
]
// The terminal sends Ctrl-C to the children too; wait for them, so that the database stops
// properly.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => children.forEach(child => child.kill('SIGTERM')))
const ends = children.map(child => once(child, 'exit'))
await Promise.race(ends)
children.forEach(child => child.kill('SIGTERM'))
await Promise.all(ends)

/** For PORT=0 a port is chosen here, so that both servers know it and it survives restarts. */
async function whereToServe(): Promise<{ host: string; port: number }> {
  loadEnvFile()
  try {
    const config = readConfig(process.env)
    return { host: config.host, port: config.port || (await findFreePort()) }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
}
