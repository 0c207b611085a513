/**
 * The server as its operator runs it: a process with its own port and data folder, driven over
 * HTTP.
 */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type * as z from 'zod'
import { login, register } from '#contract/accounts.ts'
import type { SignedIn } from '#contract/accounts.ts'
import type { User } from '#contract/accounts.ts'
import type { ResponseData, Endpoint, RequestInput } from '#contract/endpoint.ts'
import type { ErrorResponse } from '#contract/error-response.ts'
import { sandboxPay, topUp } from '#contract/payments.ts'
import { SERVER_ENTRY, SUPERVISOR_ENTRY } from '#scripts/server-entry.ts'
import { startEnv } from '#server/platform/process/start-env.ts'

export const ADMIN_PASSWORD = 'the operator of this installation'
/** Of every customer that is registered here. */
export const PASSWORD = 'a long enough passphrase'
/** As `npm start` does: decisions 70 and 74. */
export const START_FLAGS = ['--max-semi-space-size=32', '--heap-growing-percent=100']
const READY = /Evenpost is ready at (http:\/\/\S+)/
const READY_TIMEOUT_MS = 300_000

/** HTTP calls to a server. */
export type ServerClient = {
  call<C extends Endpoint>(
    endpoint: C,
    input: RequestInput<C>,
    token?: string,
  ): Promise<{ status: number; body: ResponseData<C> & Partial<z.output<typeof ErrorResponse>> }>
  /** A file by its path, as bytes. */
  file(path: string, token: string): Promise<{ status: number; bytes: Buffer }>
  /** A new customer, signed in. */
  register(name: string): Promise<SignedInUser>
  /** Tops up through the sandbox's own payment calls. */
  pay(of: SignedInUser, dollars: number): Promise<void>
}
export type SignedInUser = { token: string; user: User }

export type ServerProcess = ServerClient & {
  url: string
  child: ChildProcess
  /** What it has said so far, the last million characters. */
  readOutput(): string
  /** Sends a signal and waits for the end of the process. */
  stop(signal: NodeJS.Signals): Promise<void>
  admin(): Promise<SignedInUser>
}

/** A new data folder; `forget` removes it. */
export async function createDataFolder(): Promise<{ path: string; forget: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'evenpost data '))
  await chmod(path, 0o711) // started as root, the database runs as another user; in here it is forgotten with the folder
  return { path, forget: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) }
}

/**
 * Starts the server, or with `supervised` what `npm start` runs, in a process group of its own, and waits until it serves.
 * `env` adds to a clean environment; `entry` is another version's file. With `inShell` the child is a shell that passes no signal on,
 * as that of npm. Throws with its output when it ends early.
 */
export async function startServer(
  dataDir: string,
  env: Record<string, string> = {},
  { supervised = false, inShell = false, entry = SERVER_ENTRY } = {},
): Promise<ServerProcess> {
  const script = supervised ? SUPERVISOR_ENTRY : entry
  const command = [process.execPath, ...START_FLAGS, script]
  const [program, ...args] = inShell ? ['sh', '-c', '"$@"; exit', 'sh', ...command] : command
  const child = spawn(program!, args, {
    detached: supervised,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      ...startEnv(),
      // Under `npm test` the supervisor starts the bundle, as under `npm start`.
      npm_lifecycle_event: process.env.npm_lifecycle_event,
      PORT: '0',
      DATA_DIR: dataDir,
      ADMIN_PASSWORD,
      LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const url = await new Promise<string>((ready, failed) => {
    const timer = setTimeout(
      () => failed(new Error(`the server did not start in time:\n${output}`)),
      READY_TIMEOUT_MS,
    )
    const collect = (chunk: Buffer): void => {
      const all = output + chunk.toString()
      output = all.slice(-1_000_000)
      const found = READY.exec(all)
      if (!found) return
      clearTimeout(timer)
      ready(found[1]!)
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    child.on('exit', code => {
      clearTimeout(timer)
      failed(new Error(`the server ended with ${code}:\n${output}`))
    })
  })
  const client = clientFor(url)
  return {
    ...client,
    url,
    child,
    readOutput: () => output,
    stop: signal =>
      new Promise(done => {
        if (child.exitCode !== null || child.signalCode !== null) return done()
        child.once('exit', () => done())
        child.kill(signal)
      }),
    async admin() {
      const { body } = await client.call(login, {
        body: { email: 'admin@evenpost.local', password: ADMIN_PASSWORD },
      })
      return body as SignedIn
    },
  }
}

/** A client of the server at `url`. `always`: headers of each of its calls. */
export function clientFor(url: string, always: Record<string, string> = {}): ServerClient {
  const request = async <C extends Endpoint>(
    endpoint: C,
    input: RequestInput<C>,
    headers: Record<string, string>,
  ) => {
    const { path, init } = requestFor(endpoint, input, { ...always, ...headers })
    const response = await fetch(url + path, init)
    return { status: response.status, body: (await response.json()) as never }
  }
  const call: ServerClient['call'] = (endpoint, input, token) =>
    request(endpoint, input, token === undefined ? {} : { token })
  /** Throws unless the call succeeds. */
  const succeed = async <C extends Endpoint>(
    endpoint: C,
    input: RequestInput<C>,
    headers: Record<string, string>,
  ): Promise<ResponseData<C>> => {
    const { status, body } = (await request(endpoint, input, headers)) as Awaited<
      ReturnType<typeof call<C>>
    >
    if (status >= 300)
      throw new Error(`${endpoint.method} ${endpoint.path}: ${status} ${body.message}`)
    return body
  }
  return {
    call,
    async file(path, token) {
      const answer = await fetch(url + path, { headers: { token } })
      return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) }
    },
    async register(name) {
      const email = `${name.toLowerCase().replace(/\W+/g, '-')}-${Date.now()}-${Math.random().toString(36).slice(2)}@example.com`
      // Registrations are limited per address. A server that trusts no proxy ignores the header.
      const address = [10, ...Array.from({ length: 3 }, () => randomInt(256))].join('.')
      return succeed(
        register,
        { body: { name, email, password: PASSWORD, confirmPassword: PASSWORD } },
        { 'x-forwarded-for': address },
      )
    },
    async pay({ token, user }, dollars) {
      const invoice = await succeed(topUp, { params: { userId: user._id } }, { token })
      await succeed(
        sandboxPay,
        { params: { id: invoice.id }, body: { amount: dollars } },
        { token },
      )
    },
  }
}

function requestFor(
  call: Endpoint,
  input: { params?: unknown; query?: unknown; body?: unknown },
  headers: Record<string, string>,
): { path: string; init: RequestInit } {
  const path = call.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String((input.params as Record<string, unknown>)[name])),
  )
  const query = Object.entries(input.query ?? {})
    .map(([key, value]) => `${key}=${encodeURIComponent(String(value))}`)
    .join('&')
  return {
    path: query ? `${path}?${query}` : path,
    init: {
      method: call.method,
      headers: {
        ...headers,
        ...(input.body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(input.body !== undefined && { body: JSON.stringify(input.body) }),
    },
  }
}
