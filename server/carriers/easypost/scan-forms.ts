/** SCAN forms: https://docs.easypost.com/docs/scan-form. */
import * as z from 'zod'
import { attemptKey } from '#server/carriers/port.ts'
import type {
  MadeScanForm,
  ScanFormLookupResult,
  ScanFormRequest,
  ScanFormResult,
  ScanForms,
} from '#server/carriers/port.ts'
import { failureAfterPurchase, INVALID_RESPONSE } from '#server/carriers/wire/failures.ts'
import type { FailureAfterPurchase } from '#server/carriers/wire/failures.ts'
import { retryableIfNotSent, sendRequest } from '#server/carriers/wire/http.ts'
import type { CarrierResponse } from '#server/carriers/wire/http.ts'
import { detectLabel, sanitizeMessage } from '#server/carriers/wire/parsing.ts'
import { isOk, toFailure } from './client.ts'
import type { ApiClient } from './client.ts'
import { isNotFound } from './failures.ts'

/** EasyPost publishes no limit of a form; this is that of our batches. */
const MAX_LABELS = 1_000
/** EasyPost names no maximum duration of a request; no proxy keeps one open for longer. */
const QUARANTINE_MS = 2 * 60_000

const ScanForm = z.object({
  id: z.string().regex(/^sf_\w{1,100}$/),
  status: z.enum(['creating', 'created', 'failed']),
  message: z.string().nullish(),
  tracking_codes: z.array(z.string()).nullish(),
  form_url: z.string().nullish(),
})
type ScanForm = z.output<typeof ScanForm>

const FormOfShipment = z.object({ id: z.string(), scan_form: ScanForm.nullish() })

/** `shipments` are EasyPost's ids. */
export const scanFormRequest = (shipments: readonly string[]) => ({
  scan_form: { shipments: shipments.map(id => ({ id })) },
})

export const easypostScanForms = (client: ApiClient): ScanForms => ({
  maxLabels: MAX_LABELS,
  quarantineMs: QUARANTINE_MS,
  make: (request, signal) => retryableIfNotSent(() => make(client, request, signal)),
  lookup: (request, ref, signal) => retryableIfNotSent(() => lookup(client, request, ref, signal)),
})

async function make(
  client: ApiClient,
  { labels }: ScanFormRequest,
  signal: AbortSignal,
): Promise<ScanFormResult> {
  const noted = await client.notes.findMany(labels.map(({ attempt }) => attempt))
  const ids = await Promise.all(
    labels.map(({ attempt }) => noted.get(attemptKey(attempt)) ?? client.nameOf(attempt)),
  )
  const response = await client.call('POST', '/v2/scan_forms', scanFormRequest(ids), signal)
  if (!isOk(response)) return failed(client, response)
  return toResult(client, parseForm(response.body), signal)
}

/** Without the form's id the first shipment tells: a label is on one form at most. */
async function lookup(
  client: ApiClient,
  request: ScanFormRequest,
  ref: string | null,
  signal: AbortSignal,
): Promise<ScanFormLookupResult> {
  const id = ref ?? (await formOfShipment(client, request, signal))
  if (typeof id !== 'string') return id
  const response = await client.call('GET', `/v2/scan_forms/${id}`, undefined, signal)
  if (!isOk(response)) return { ...failed(client, response), kind: 'unknown' }
  const form = parseForm(response.body)
  const known = new Set(form?.tracking_codes)
  if (form?.status === 'created' && !request.labels.every(one => known.has(one.trackingNumber)))
    return ON_ANOTHER_FORM
  return toResult(client, form, signal)
}

async function formOfShipment(
  client: ApiClient,
  { labels: [first] }: ScanFormRequest,
  signal: AbortSignal,
): Promise<string | ScanFormLookupResult> {
  const response = await client.read(await client.refOf(first!.attempt), signal)
  if (!isOk(response)) return { ...failed(client, response), kind: 'unknown' }
  const found = FormOfShipment.safeParse(response.body)
  if (!found.success) return INVALID_RESPONSE
  return found.data.scan_form?.id ?? { kind: 'not_made' }
}

const parseForm = (body: unknown): ScanForm | null => ScanForm.safeParse(body).data ?? null

async function toResult(
  client: ApiClient,
  form: ScanForm | null,
  signal: AbortSignal,
): Promise<ScanFormResult> {
  switch (form?.status) {
    case undefined:
      return INVALID_RESPONSE
    case 'creating':
      return { kind: 'pending', ref: form.id }
    case 'failed':
      return {
        kind: 'permanent',
        code: 'SCAN_FORM_FAILED',
        message: sanitizeMessage(form.message || 'The carrier named no reason', client.secrets),
      }
    case 'created':
      return { kind: 'made', ref: form.id, files: await fetchFile(client, form, signal) }
  }
}

/** Without our API key: the file is in a public store. A lost download takes nothing from the form. */
async function fetchFile(
  client: ApiClient,
  { form_url: named }: ScanForm,
  signal: AbortSignal,
): Promise<MadeScanForm['files']> {
  const address = client.trustedFile(named)
  if (address === null) return 'not_yet'
  try {
    const file = await sendRequest(address, {}, signal)
    const isPdf = file.status === 200 && detectLabel(file.bytes)?.mime === 'application/pdf'
    return isPdf ? [file.bytes] : 'not_yet'
  } catch {
    return 'not_yet'
  }
}

function failed(client: ApiClient, response: CarrierResponse): FailureAfterPurchase {
  const failure = failureAfterPurchase(toFailure(client, response, false))
  return isNotFound(response) ? { ...failure, kind: 'permanent' } : failure
}

const ON_ANOTHER_FORM = {
  kind: 'permanent',
  code: 'ON_ANOTHER_FORM',
  message: 'The carrier has these labels on another form',
} as const
