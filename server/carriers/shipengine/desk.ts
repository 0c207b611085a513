import type { Notes } from '#server/carriers/notes-store.ts'
import type { Attempt, Failure, LabelAnswer } from '#server/carriers/port.ts'
import { attemptName } from '#server/carriers/wire/attempt-name.ts'
import { ask } from '#server/carriers/wire/http.ts'
import type { Answer } from '#server/carriers/wire/http.ts'
import { fileAddress, labelOf } from '#server/carriers/wire/words.ts'
import { fileWithin, labelIn } from './answer.ts'
import type { LabelThere } from './answer.ts'
import { failureOf, isNotThere } from './refusals.ts'
import type { Context } from './refusals.ts'

/** `instance`: the name of this copy of the house, once it is known. */
export type DeskWish = {
  apiKey: string
  url: string
  instance: () => Promise<string>
  notes: Notes
}

/** What became of an attempt, by its name: the label, that there is none, or why that is not known. */
export type Found = { label: LabelThere } | { label: null } | Failure

export type Desk = {
  ask(
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    signal: AbortSignal,
    body?: object,
  ): Promise<Answer>
  context(asked?: unknown): Context
  /** What an attempt is called there. */
  nameOf(attempt: Attempt): Promise<string>
  /** The label of an attempt, by its own id where that is noted, else by the attempt's name. */
  find(attempt: Attempt, signal: AbortSignal): Promise<Found>
  /** A label's file, from the answer or from its address. */
  fileOf(label: LabelThere, signal: AbortSignal): Promise<LabelAnswer>
}

/** Where its files are known to be, besides the address at which it is asked. */
const FILE_HOSTS = ['api.shipengine.com', 'api.shipstation.com']
const INLINE = 'label_download_type=inline'

export function openDesk({ apiKey, url, instance, notes }: DeskWish): Desk {
  const send: Desk['ask'] = (method, path, signal, body) =>
    ask(
      `${url}${path}`,
      {
        method,
        headers: {
          'api-key': apiKey,
          accept: 'application/json',
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      },
      signal,
    )
  const context = (asked?: unknown): Context => ({ asked, secrets: [apiKey], nowMs: Date.now() })
  const nameOf = async (attempt: Attempt): Promise<string> => attemptName(await instance(), attempt)

  return {
    ask: send,
    context,
    nameOf,
    async find(attempt, signal) {
      const id = await notes.find(attempt)
      const place = id ?? `external_shipment_id/${await nameOf(attempt)}`
      const answer = await send('GET', `/v1/labels/${place}?${INLINE}`, signal)
      if (isNotThere(answer)) return id === null ? { label: null } : LOST
      const label = answer.status === 200 ? labelIn(answer.body) : null
      if (label && id === null) await notes.write(attempt, label.id)
      return label ? { label } : failureOf(answer, context())
    },
    async fileOf(label, signal) {
      const within = fileWithin(label.file)
      if (within) return { kind: 'label', label: within }
      const address = label.file === null ? null : fileAddress(label.file, url, FILE_HOSTS)
      if (address === null) return NO_FILE
      const answer = await ask(address, { method: 'GET' }, signal)
      const file = answer.status === 200 ? labelOf(answer.bytes) : null
      if (file) return { kind: 'label', label: file }
      const { code, message, retryAfterMs } = failureOf(answer, context())
      return { kind: 'not_yet', code, message, ...(retryAfterMs !== undefined && { retryAfterMs }) }
    },
  }
}

/** A label whose id we were given was sold: that it cannot be found proves nothing else. */
const LOST: Failure = {
  ok: false,
  kind: 'unknown',
  code: 'LABEL_LOST',
  message: 'The carrier does not find a label that it has sold',
}
const NO_FILE: LabelAnswer = {
  kind: 'not_yet',
  code: 'NO_FILE',
  message: 'The carrier named no file of this label that we could fetch',
}
