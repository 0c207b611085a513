import type { AttemptNotes } from '#server/carriers/attempt-notes-store.ts'
import type { Attempt, CarrierFailure } from '#server/carriers/port.ts'
import { attemptName } from '#server/carriers/wire/attempt-name.ts'
import { sendRequest } from '#server/carriers/wire/http.ts'
import type { CarrierResponse } from '#server/carriers/wire/http.ts'
import { trustedFileUrl } from '#server/carriers/wire/parsing.ts'
import { failureFrom } from './failures.ts'

/** `instance`: the name of this installation, resolved on first use. */
export type EasypostOptions = {
  apiKey: string
  url: string
  instance: () => Promise<string>
  notes: AttemptNotes
}

/**
 * Files are downloaded only from these hosts, which come from EasyPost's recorded responses.
 */
const FILE_HOSTS = [
  'easypost-files.s3.us-west-2.amazonaws.com',
  'easypost-files.s3-us-west-2.amazonaws.com',
  '*.easypost.com',
]

export type ApiClient = ReturnType<typeof createClient>

export function createClient({ apiKey, url, instance, notes }: EasypostOptions) {
  const basic = Buffer.from(`${apiKey}:`).toString('base64')
  const headers = { authorization: `Basic ${basic}`, accept: 'application/json' }
  const call = (
    method: 'GET' | 'POST',
    path: string,
    body: unknown,
    signal: AbortSignal,
  ): Promise<CarrierResponse> =>
    sendRequest(
      `${url}${path}`,
      body === undefined
        ? { method, headers }
        : {
            method,
            headers: { ...headers, 'content-type': 'application/json' },
            body: JSON.stringify(body),
          },
      signal,
    )
  const nameOf = async (attempt: Attempt): Promise<string> => attemptName(await instance(), attempt)
  return {
    notes,
    /** The file's address, if it is known to be EasyPost's own; else null. */
    trustedFile: (address: unknown): string | null => trustedFileUrl(address, url, FILE_HOSTS),
    call,
    nameOf,
    secrets: [apiKey, basic],
    read: (ref: string, signal: AbortSignal) =>
      call('GET', `/v2/shipments/${encodeURIComponent(ref)}`, undefined, signal),
    /** The stored id or, after a restore that lost it, our own reference. */
    refOf: async (attempt: Attempt): Promise<string> =>
      (await notes.find(attempt)) ?? nameOf(attempt),
  }
}

export const isOk = ({ status }: CarrierResponse): boolean => status >= 200 && status < 300

export const toFailure = (
  client: ApiClient,
  response: CarrierResponse,
  nothingBought: boolean,
): CarrierFailure => failureFrom(response, client.secrets, Date.now(), nothingBought)
