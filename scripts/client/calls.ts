/** The public calls, made with a key. */
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { currentKey } from '#contract/api-keys.ts'
import type { Endpoint, RequestInput, ResponseData } from '#contract/endpoint.ts'
import type { Scope } from '#contract/keys.ts'
import { ApiError, configureSend, send, urlFor } from '#web/client/send.ts'
import type { Connection } from './arguments.ts'

export type Client = {
  userId: string
  /** Of a live installation labels are postage; of a test one they are samples. */
  mode: 'test' | 'live'
  may(scope: Scope): boolean
  /**
   * Makes a call that can be repeated without harm: a lost answer, a busy server and a rate limit are
   * tried again for about a minute. Throws ApiError.
   */
  call<E extends Endpoint>(endpoint: E, request: RequestInput<E>): Promise<ResponseData<E>>
  /** Writes the answer to a file, which has its name only when it is complete. Throws ApiError. */
  saveFile(
    endpoint: Pick<Endpoint, 'path'>,
    request: { params?: unknown; query?: unknown },
    path: string,
  ): Promise<void>
}

/** Waits between tries, in ms. */
const WAITS = [500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000]
const PASSING_STATUSES = [0, 429, 502, 503, 504]
const isPassing = (error: unknown): boolean =>
  error instanceof ApiError && PASSING_STATUSES.includes(error.status)

/** Throws ApiError when the server cannot be reached or refuses the key. */
export async function connect({ server, key }: Connection): Promise<Client> {
  configureSend({ origin: server, getToken: () => key })
  const call = <E extends Endpoint>(endpoint: E, request: RequestInput<E>) =>
    tryAgain(() => send(endpoint, request))
  const { userId, mode, key: known } = await call(currentKey, {})
  return {
    userId,
    mode,
    may: scope => known.scopes.includes(scope),
    call,
    saveFile: (endpoint, request, path) =>
      tryAgain(() => saveFile(`${server}${urlFor(endpoint, request)}`, key, path)),
  }
}

async function tryAgain<T>(work: () => Promise<T>): Promise<T> {
  for (const wait of WAITS) {
    try {
      return await work()
    } catch (error) {
      if (!isPassing(error)) throw error
      await sleep(wait)
    }
  }
  return work()
}

async function saveFile(url: string, key: string, path: string): Promise<void> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } }).catch(() => {
    throw new ApiError(0, 'The server cannot be reached.')
  })
  if (!response.ok || !response.body) {
    const refusal = (await response.json().catch(() => ({}))) as { message?: string }
    throw new ApiError(
      response.status,
      refusal.message ?? `The server answered ${response.status}.`,
    )
  }
  const draft = `${path}.part`
  try {
    await pipeline(Readable.fromWeb(response.body), createWriteStream(draft))
  } catch (error) {
    await rm(draft, { force: true })
    if (isFileFault(error)) throw error
    throw new ApiError(0, 'The connection ended before the file was complete.')
  }
  await rename(draft, path).catch(async (error: unknown) => {
    await rm(draft, { force: true })
    throw error
  })
}

/** Of the disk, not of the connection. */
const isFileFault = (error: unknown): boolean =>
  ['ENOSPC', 'EACCES', 'ENOENT', 'EISDIR', 'EROFS'].includes(
    (error as { code?: string }).code ?? '',
  )
