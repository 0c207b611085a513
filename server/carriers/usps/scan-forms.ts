/** USPS SCAN Forms API, version 3: one call makes a form and returns it; none reads it again. */
import * as z from 'zod'
import type { ScanFormRequest, ScanFormResult, ScanForms } from '#server/carriers/port.ts'
import { failureAfterPurchase } from '#server/carriers/wire/failures.ts'
import { retryableIfNotSent } from '#server/carriers/wire/http.ts'
import { detectLabel } from '#server/carriers/wire/parsing.ts'
import type { ApiClient } from './client.ts'
import { scanFormRequest } from './request.ts'
import { failureFrom } from './response.ts'

/** Published in the schema of the request. */
const MAX_LABELS = 40_000

const FormBody = z.object({
  manifestNumber: z.string().regex(/^\w{1,60}$/),
  SCANFormImage: z.string().nullish().catch(null),
})

export const uspsScanForms = (client: ApiClient): ScanForms => ({
  maxLabels: MAX_LABELS,
  quarantineMs: 0,
  make: (request, signal) => retryableIfNotSent(() => make(client, request, signal)),
  lookup: null,
})

async function make(
  client: ApiClient,
  request: ScanFormRequest,
  signal: AbortSignal,
): Promise<ScanFormResult> {
  const body = scanFormRequest(request)
  const response = await client.send(
    { method: 'POST', path: '/scan-forms/v3/scan-form', body },
    signal,
  )
  if ('ok' in response) return failureAfterPurchase(response)
  const form = response.status === 200 ? FormBody.safeParse(response.body).data : undefined
  if (!form) return failureAfterPurchase(failureFrom(response, client.responseContext(body)))
  const file = detectLabel(Buffer.from(form.SCANFormImage ?? '', 'base64'))
  const files = file?.mime === 'application/pdf' ? [file.bytes] : ('gone' as const)
  return { kind: 'made', ref: form.manifestNumber, files }
}
