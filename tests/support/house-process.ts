/** The house as its operator runs it: a process of its own, on a port and a data folder of its own, driven over HTTP. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Answered, Call, Refused, Wish } from '#contract/call.ts'
import { login, register } from '#contract/accounts.ts'
import type { User } from '#contract/accounts.ts'
import { sandboxPay, topUp } from '#contract/payments.ts'
import type * as z from 'zod'

export const ADMIN_PASSWORD = 'the operator of this test house'
const READY = /Evenpost is ready at (http:\/\/\S+)/
const PATIENCE_MS = 60_000

export type HouseProcess = {
  url: string
  child: ChildProcess
  /** Sends a signal and waits for the end of the process. */
  end(signal: NodeJS.Signals): Promise<void>
  call<C extends Call>(call: C, wish: Wish<C>, token?: string): Promise<{ status: number, body: Answered<C> & Partial<z.output<typeof Refused>> }>
  /** A file by its path, as bytes. */
  file(path: string, token: string): Promise<{ status: number, bytes: Buffer }>
  register(name: string): Promise<{ token: string, user: User }>
  admin(): Promise<{ token: string, user: User }>
  /** Tops up through the sandbox's own payment calls. */
  pay(of: { token: string, user: User }, dollars: number): Promise<void>
}

/** A new folder for a house's data; `forget` removes it. */
export async function dataFolder(): Promise<{ path: string, forget: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'evenpost data '))
  return { path, forget: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) }
}

/** Starts `server/main.ts` and waits until it serves. `env` adds to a clean environment. Throws with its output when it ends early. */
export async function startHouse(dataDir: string, env: Record<string, string> = {}): Promise<HouseProcess> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '..', '..', 'server', 'main.ts')], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', DATA_DIR: dataDir, ADMIN_PASSWORD, LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const url = await new Promise<string>((ready, failed) => {
    const timer = setTimeout(() => failed(new Error(`the house was not ready in time:\n${output}`)), PATIENCE_MS)
    const hear = (chunk: Buffer): void => {
      output = (output + chunk.toString()).slice(-20_000)
      const found = READY.exec(output)
      if (!found) return
      clearTimeout(timer)
      ready(found[1]!)
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.on('exit', code => { clearTimeout(timer); failed(new Error(`the house ended with ${code}:\n${output}`)) })
  })
  const call: HouseProcess['call'] = async (what, wish, token) => {
    const { path, init } = requestFor(what, wish, token)
    const answer = await fetch(url + path, init)
    return { status: answer.status, body: await answer.json() as never }
  }
  const ok = async <C extends Call>(what: C, wish: Wish<C>, token?: string): Promise<Answered<C>> => {
    const { status, body } = await call(what, wish, token)
    if (status >= 300) throw new Error(`${what.method} ${what.path}: ${status} ${body.message}`)
    return body
  }
  return {
    url, child, call,
    end: signal => new Promise(done => {
      if (child.exitCode !== null || child.signalCode !== null) return done()
      child.once('exit', () => done())
      child.kill(signal)
    }),
    async file(path, token) {
      const answer = await fetch(url + path, { headers: { token } })
      return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) }
    },
    async register(name) {
      const email = `${name.toLowerCase().replace(/\W+/g, '-')}-${Date.now()}-${Math.random().toString(36).slice(2)}@example.com`
      const password = 'a long enough passphrase'
      return ok(register, { body: { name, email, password, confirmPassword: password } })
    },
    admin: () => ok(login, { body: { email: 'admin@evenpost.local', password: ADMIN_PASSWORD } }),
    async pay({ token, user }, dollars) {
      const invoice = await ok(topUp, { params: { userId: user._id } }, token)
      await ok(sandboxPay, { params: { id: invoice.id }, body: { amount: dollars } }, token)
    },
  }
}

function requestFor(call: Call, wish: { params?: unknown, query?: unknown, body?: unknown }, token?: string): { path: string, init: RequestInit } {
  const path = call.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String((wish.params as Record<string, unknown>)[name])))
  const query = Object.entries(wish.query ?? {}).map(([key, value]) => `${key}=${encodeURIComponent(String(value))}`).join('&')
  return {
    path: query ? `${path}?${query}` : path,
    init: {
      method: call.method,
      headers: { ...(token && { token }), ...(wish.body !== undefined && { 'content-type': 'application/json' }) },
      ...(wish.body !== undefined && { body: JSON.stringify(wish.body) }),
    },
  }
}
