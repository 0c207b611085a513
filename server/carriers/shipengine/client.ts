import type { AttemptNotes } from '#server/carriers/attempt-notes-store.ts'
import { isOfFormat, PURCHASED_FORMAT } from '#server/carriers/port.ts'
import type {
  Attempt,
  CarrierFailure,
  CarrierLabelFormat,
  LabelFileResult,
} from '#server/carriers/port.ts'
import { attemptName } from '#server/carriers/wire/attempt-name.ts'
import { labelFileNotYet } from '#server/carriers/wire/failures.ts'
import { sendRequest } from '#server/carriers/wire/http.ts'
import type { CarrierResponse } from '#server/carriers/wire/http.ts'
import { trustedFileUrl, detectLabel } from '#server/carriers/wire/parsing.ts'
import { failureFrom, isNotFound } from './failures.ts'
import type { ResponseContext } from './failures.ts'
import { decodeInlineFile, parseLabel } from './response.ts'
import type { ShipEngineLabel } from './response.ts'

/** `instance`: the name of this installation, resolved on first use. */
export type ShipEngineClientOptions = {
  apiKey: string
  url: string
  instance: () => Promise<string>
  notes: AttemptNotes
}

/** The attempt's label, null for none, or why it is unknown. */
export type AttemptLookup = { label: ShipEngineLabel } | { label: null } | CarrierFailure

export type ApiClient = {
  send(
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    signal: AbortSignal,
    body?: object,
  ): Promise<CarrierResponse>
  responseContext(asked?: unknown): ResponseContext
  nameOf(attempt: Attempt): Promise<string>
  /** By the label's noted id, else by the attempt's name. `files`: in the response, or their addresses. */
  findLabel(attempt: Attempt, signal: AbortSignal, files?: 'inline' | 'url'): Promise<AttemptLookup>
  /** From the response itself, or from its address. */
  fetchFile(
    label: ShipEngineLabel,
    format: CarrierLabelFormat,
    signal: AbortSignal,
  ): Promise<LabelFileResult>
  /** Null if the address is missing or not known to be ShipEngine's, or has no PDF. */
  fetchPdf(address: string | null, signal: AbortSignal): Promise<Uint8Array | null>
}

/** Known file hosts, besides the API's own. */
const FILE_HOSTS = ['api.shipengine.com', 'api.shipstation.com']

export function createClient({ apiKey, url, instance, notes }: ShipEngineClientOptions): ApiClient {
  const send: ApiClient['send'] = (method, path, signal, body) =>
    sendRequest(
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
  const context = (asked?: unknown): ResponseContext => ({
    requestBody: asked,
    secrets: [apiKey],
    nowMs: Date.now(),
  })
  const nameOf = async (attempt: Attempt): Promise<string> => attemptName(await instance(), attempt)

  return {
    send,
    responseContext: context,
    nameOf,
    async findLabel(attempt, signal, files = 'inline') {
      const id = await notes.find(attempt)
      const place = id ?? `external_shipment_id/${await nameOf(attempt)}`
      const response = await send('GET', `/v1/labels/${place}?label_download_type=${files}`, signal)
      if (isNotFound(response)) return id === null ? { label: null } : LOST_LABEL_FAILURE
      const label = response.status === 200 ? parseLabel(response.body) : null
      if (label && id === null) await notes.write(attempt, label.id)
      return label ? { label } : failureFrom(response, context())
    },
    async fetchFile({ files }, format, signal) {
      const named = files[format]
      const within = decodeInlineFile(named)
      if (within && isOfFormat(within, format)) return { kind: 'label', label: within }
      if (named === null && format !== PURCHASED_FORMAT) return OTHER_FORMAT
      const address = named === null ? null : trustedFileUrl(named, url, FILE_HOSTS)
      if (address === null) return NO_FILE
      const response = await sendRequest(address, { method: 'GET' }, signal)
      const file = response.status === 200 ? detectLabel(response.bytes) : null
      if (file && isOfFormat(file, format)) return { kind: 'label', label: file }
      return labelFileNotYet(failureFrom(response, context()))
    },
    async fetchPdf(named, signal) {
      const address = trustedFileUrl(named, url, FILE_HOSTS)
      if (address === null) return null
      const response = await sendRequest(address, { method: 'GET' }, signal)
      const isPdf =
        response.status === 200 && detectLabel(response.bytes)?.mime === 'application/pdf'
      return isPdf ? response.bytes : null
    },
  }
}

/** A label with a noted id was sold; a failed search proves nothing. */
const LOST_LABEL_FAILURE: CarrierFailure = {
  ok: false,
  kind: 'unknown',
  code: 'LABEL_LOST',
  message: 'The carrier does not find a label that it has sold',
}
const OTHER_FORMAT: LabelFileResult = {
  kind: 'gone',
  code: 'OTHER_FORMAT',
  message: 'ShipEngine has no file of this format for this label',
}
const NO_FILE: LabelFileResult = {
  kind: 'not_yet',
  code: 'NO_FILE',
  message: 'The carrier named no file of this label that we could fetch',
}
