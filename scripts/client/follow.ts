/** Follows a bulk order to its end and fetches its files. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isTerminal } from '#contract/batch-status.ts'
import { batchStatus } from '#contract/batches.ts'
import { downloadFile } from '#contract/downloads.ts'
import type { ResponseData } from '#contract/endpoint.ts'
import type { Client } from './calls.ts'

export type BatchState = ResponseData<typeof batchStatus>
export type ShowProgress = (state: BatchState) => void

const POLL_MS = 1_000

export const stateOf = (client: Client, batchId: string): Promise<BatchState> =>
  client.call(batchStatus, { params: { orderId: batchId }, query: { failedLabels: 'all' } })

/** Throws ApiError when the server stays away; the bulk order goes on without the caller. */
export async function followBatch(
  client: Client,
  batchId: string,
  show: ShowProgress,
): Promise<BatchState> {
  for (;;) {
    const request = { params: { orderId: batchId }, query: { failedLabels: 'none' } } as const
    const state = await client.call(batchStatus, request)
    show(state)
    if (isTerminal(state.status)) return stateOf(client, batchId)
    await sleep(POLL_MS)
  }
}

/** A path of null is left out. Labels that were not bought are in the results, not in the PDF. */
export async function saveFiles(
  client: Client,
  batchId: string,
  { results, pdf }: { results: string | null; pdf: string | null },
): Promise<void> {
  const save = (kind: 'result-csv' | 'pdf', path: string) =>
    client.saveFile(downloadFile, { params: { kind, name: batchId } }, path)
  if (results !== null) await save('result-csv', results)
  if (pdf !== null) await save('pdf', pdf)
}
