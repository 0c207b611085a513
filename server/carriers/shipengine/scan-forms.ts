/** SCAN forms are ShipEngine's manifests: /v1/manifests. */
import * as z from 'zod'
import type { AttemptNotes } from '#server/carriers/attempt-notes-store.ts'
import { attemptKey } from '#server/carriers/port.ts'
import type {
  MadeScanForm,
  ScanFormLookupResult,
  ScanFormRequest,
  ScanFormResult,
  ScanForms,
} from '#server/carriers/port.ts'
import { failureAfterPurchase } from '#server/carriers/wire/failures.ts'
import type { FailureAfterPurchase } from '#server/carriers/wire/failures.ts'
import { NotSentError, retryableIfNotSent } from '#server/carriers/wire/http.ts'
import type { CarrierResponse } from '#server/carriers/wire/http.ts'
import { withTimeout } from '#server/platform/process/timeout.ts'
import type { ApiClient } from './client.ts'
import { failureFrom } from './failures.ts'

/** Published: docs.shipstation.com, explicit manifests. */
const MAX_LABELS = 500

const Id = z.string().regex(/^se(-[a-z0-9]+)+$/)
const Manifest = z.object({
  manifest_id: Id,
  label_ids: z.array(z.string()).nullish(),
  manifest_download: z.object({ href: z.string().nullish() }).nullish(),
})
type Manifest = z.output<typeof Manifest>

/** A request may be answered with manifests, with requests that are under way, and with errors. */
const Answer = z.object({
  manifests: z.array(Manifest).nullish(),
  manifest_requests: z
    .array(z.object({ manifest_request_id: Id, status: z.enum(['in_progress', 'completed']) }))
    .nullish(),
  errors: z.array(z.unknown()).nullish(),
})
const Listed = z.object({ manifests: z.array(Manifest) })

export const scanFormsOf = (
  client: ApiClient,
  notes: AttemptNotes,
  quarantineMs: number,
): ScanForms => ({
  maxLabels: MAX_LABELS,
  quarantineMs,
  make: (request, signal) => retryableIfNotSent(() => make({ client, notes }, request, signal)),
  lookup: (request, ref, signal) =>
    retryableIfNotSent(() => lookup({ client, notes }, request, ref, signal)),
  lookupCalls: labels => 1 + Math.ceil(labels / LABELS_ASKED),
})

type Deps = { client: ApiClient; notes: AttemptNotes }

/** In the order of the labels. Throws for a label that ShipEngine does not know. */
async function labelIdsOf(
  { client, notes }: Deps,
  { labels }: ScanFormRequest,
  signal: AbortSignal,
): Promise<string[]> {
  const noted = await notes.findMany(labels.map(({ attempt }) => attempt))
  const ids: string[] = []
  for (const { attempt } of labels) {
    const found = noted.get(attemptKey(attempt)) ?? (await findLabelId(client, attempt, signal))
    ids.push(found)
  }
  return ids
}

/** Null if a label could not be read in time. What was read is noted, so the next try is shorter. */
async function labelIdsBeforeCall(
  deps: Deps,
  request: ScanFormRequest,
  signal: AbortSignal,
): Promise<string[] | null> {
  try {
    return await withTimeout(READING_MS, inTime =>
      labelIdsOf(deps, request, AbortSignal.any([signal, inTime])),
    )
  } catch (error) {
    if (error instanceof NotSentError) throw error
    return null
  }
}

/** Leaves time for the call itself. */
const READING_MS = 15_000

/** Nothing was asked for yet. */
const LABELS_NOT_READ = {
  kind: 'retryable',
  code: 'LABELS_NOT_READ',
  message: 'ShipEngine did not tell of every label of this form',
} as const

async function findLabelId(
  client: ApiClient,
  attempt: ScanFormRequest['labels'][number]['attempt'],
  signal: AbortSignal,
): Promise<string> {
  const found = await client.findLabel(attempt, signal)
  if ('ok' in found || !found.label) throw new Error('ShipEngine does not know a label')
  return found.label.id
}

async function make(
  deps: Deps,
  request: ScanFormRequest,
  signal: AbortSignal,
): Promise<ScanFormResult> {
  const ids = await labelIdsBeforeCall(deps, request, signal)
  if (ids === null) return LABELS_NOT_READ
  const body = { label_ids: ids }
  const response = await deps.client.send('POST', '/v1/manifests', signal, body)
  const answer = response.status === 200 ? Answer.safeParse(response.body).data : undefined
  const manifests = answer?.manifests ?? []
  if (covers(manifests, body.label_ids)) return made(deps.client, manifests, signal)
  const [underWay] = answer?.manifest_requests ?? []
  if (underWay) return { kind: 'pending', ref: underWay.manifest_request_id }
  // A manifest without some of the labels is told by the list.
  if (manifests.length > 0) return PARTLY
  return refusalIn(deps.client, response, answer) ?? toFailure(deps.client, response)
}

/** As published, errors may come with the status of a success: without a manifest they refuse the form. */
const refusalIn = (
  client: ApiClient,
  response: CarrierResponse,
  answer: z.output<typeof Answer> | undefined,
): FailureAfterPurchase | null =>
  answer?.errors?.length && !answer.manifests?.length
    ? toFailure(client, { ...response, status: REFUSED_STATUS })
    : null

const REFUSED_STATUS = 422

const covers = (manifests: readonly Manifest[], ids: readonly string[]): boolean => {
  const on = new Set(manifests.flatMap(one => one.label_ids ?? []))
  return manifests.length > 0 && ids.every(id => on.has(id))
}

/** A request tells of itself; the list of manifests with these labels tells the rest. */
async function lookup(
  deps: Deps,
  request: ScanFormRequest,
  ref: string | null,
  signal: AbortSignal,
): Promise<ScanFormLookupResult> {
  const { client } = deps
  const ids = await labelIdsOf(deps, request, signal)
  if (ref === null) return listed(client, ids, signal)
  const response = await client.send('GET', `/v1/manifests/requests/${ref}`, signal)
  const answer = response.status === 200 ? Answer.safeParse(response.body).data : undefined
  if (covers(answer?.manifests ?? [], ids)) return made(client, answer!.manifests!, signal)
  if (answer?.manifest_requests?.some(one => one.status === 'in_progress'))
    return { kind: 'pending', ref }
  const found = await listed(client, ids, signal)
  const refusal = refusalIn(client, response, answer)
  return found.kind === 'not_made' && refusal?.kind === 'permanent' ? refusal : found
}

/** One form may be several manifests: asked by label until all labels are told of. */
async function listed(
  client: ApiClient,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ScanFormLookupResult> {
  const found = new Map<string, Manifest>()
  let left = [...ids]
  while (left.length > 0) {
    const query = new URLSearchParams({ page_size: String(MANIFESTS_LISTED) })
    const asked = new Set(left.slice(0, LABELS_ASKED))
    for (const id of asked) query.append('label_ids', id)
    const response = await client.send('GET', `/v1/manifests?${query}`, signal)
    const answer = response.status === 200 ? Listed.safeParse(response.body).data : undefined
    if (!answer) return { ...toFailure(client, response), kind: 'unknown' }
    for (const one of answer.manifests)
      if (one.label_ids?.some(id => asked.has(id))) found.set(one.manifest_id, one)
    const told = new Set([...found.values()].flatMap(one => one.label_ids ?? []))
    left = left.filter(id => !asked.has(id) && !told.has(id))
  }
  const manifests = [...found.values()]
  if (manifests.length === 0) return { kind: 'not_made' }
  return covers(manifests, ids) ? made(client, manifests, signal) : PARTLY
}

const MANIFESTS_LISTED = 100
/** A longer query string may be cut by proxies. */
const LABELS_ASKED = 20

async function made(
  client: ApiClient,
  manifests: readonly Manifest[],
  signal: AbortSignal,
): Promise<MadeScanForm> {
  const ref = manifests.map(one => one.manifest_id).join(' ')
  const files: Uint8Array[] = []
  for (const { manifest_download: file } of manifests) {
    const bytes = await client.fetchPdf(file?.href ?? null, signal).catch(() => null)
    if (bytes === null) return { kind: 'made', ref, files: 'not_yet' }
    files.push(bytes)
  }
  return { kind: 'made', ref, files }
}

const toFailure = (client: ApiClient, response: CarrierResponse): FailureAfterPurchase =>
  failureAfterPurchase(failureFrom(response, client.responseContext()))

const PARTLY = {
  kind: 'unknown',
  code: 'PARTLY_MADE',
  message: 'The carrier has put only some of these labels on a form',
} as const
