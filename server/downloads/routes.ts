import type { Readable } from 'node:stream'
import type { BatchFileKind, LabelFormat } from '#contract/downloads.ts'
import { downloadFile, BATCH_FILE_KINDS, LABEL_FORMATS, downloadTestPage } from '#contract/downloads.ts'
import { readConfirmRows } from '#server/batches/batch-file-rows.ts'
import type { WithBatches } from '#server/batches/close.ts'
import { openBatchFile, assertFilesReady } from '#server/batches/files.ts'
import { batchFileNames } from '#server/batches/rules.ts'
import { getBatchFor } from '#server/batches/service.ts'
import type { BatchRequester } from '#server/batches/service.ts'
import type { BatchRecord } from '#server/batches/store.ts'
import { buildAutoConfirm } from '#server/labels/auto-confirm.ts'
import { printFileName, FORMAT_MIME_TYPES, printTestPage } from '#server/labels/print.ts'
import type { LabelPrintOptions } from '#server/labels/print.ts'
import { findFile } from '#server/labels/store.ts'
import { orderIdInFileName } from '#server/orders/rules.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import type { ApiRequest, Router } from '#server/platform/http/router.ts'
import { openDownloadSlots } from './download-slots.ts'
import type { DownloadSlots } from './download-slots.ts'
import { printRows, parseRowSelection, rowsSuffix, formatRefusal } from './printing.ts'
import { printSingleLabel } from './single-label.ts'

/** A file to be sent: its name for the reader's disk, and its bytes; how many is not known of one that is made while it is read. */
type FileResponse = { name: string; type: string; body: Buffer | Readable; bytes?: number }

type DownloadQuery = ApiRequest<typeof downloadFile>['query']
type DownloadRequester = { caller: BatchRequester; recheckAccess: () => Promise<void> }
type DownloadContext = WithBatches & { slots: DownloadSlots }

const FILE_TYPES: Record<BatchFileKind, string> = {
  pdf: 'application/pdf',
  'result-csv': 'text/csv; charset=utf-8',
  'auto-csv': 'text/plain; charset=utf-8',
}
/** What a browser shows by itself. */
const INLINE_TYPES = ['application/pdf', 'image/png']

export function downloadRoutes(door: Router, ctx: WithBatches): void {
  const printers = { ...ctx, slots: openDownloadSlots() }

  door.handle(downloadFile, async ({ params, query, caller, recheckAccess, reply }) => {
    const isKind = (BATCH_FILE_KINDS as readonly string[]).includes(params.kind)
    const sent = isKind
      ? await batchFile(
          printers,
          { caller, recheckAccess },
          params.kind as BatchFileKind,
          params.name,
          query,
        )
      : await namedFile(printers, { caller, recheckAccess }, params.name, query)
    return sendDownload(reply, sent)
  })

  door.handle(downloadTestPage, async ({ query: { format, first = 1 }, reply }) => {
    const body = printTestPage({ format, firstHalf: first })
    return sendDownload(reply, {
      name: printFileName('test-page.pdf', format),
      type: FORMAT_MIME_TYPES[format],
      body,
      bytes: body.length,
    })
  })
}

function sendDownload(
  reply: ApiRequest<typeof downloadFile>['reply'],
  { name, type, body, bytes }: FileResponse,
) {
  if (bytes !== undefined) reply.header('content-length', String(bytes))
  // Our names hold nothing that needs quoting (RFC 6266).
  return reply
    .type(type)
    .header(
      'content-disposition',
      `${INLINE_TYPES.includes(type) ? 'inline' : 'attachment'}; filename="${name}"`,
    )
    .header('content-security-policy', "default-src 'none'; sandbox")
    .send(body)
}

/** One label by its name; or a batch's file by its name. */
async function namedFile(
  ctx: DownloadContext,
  asker: DownloadRequester,
  name: string,
  query: DownloadQuery,
): Promise<FileResponse> {
  const orderId = orderIdInFileName(name)
  if (orderId === null) {
    const file = await findFile(ctx.database.db, name)
    if (!file?.batchId) throw fileNotFound()
    return batchFile(ctx, asker, file.kind, String(file.batchId), query)
  }
  if (query.rows !== undefined)
    throw rowsRefusal('This is one label: rows are chosen from a bulk order.')
  const style = printStyleOf(query)
  const body = await printSingleLabel(ctx, asker.caller, { orderId, name, style })
  return {
    name: printFileName(name, style.format),
    type: FORMAT_MIME_TYPES[style.format],
    body,
    bytes: body.length,
  }
}

async function batchFile(
  ctx: DownloadContext,
  asker: DownloadRequester,
  kind: BatchFileKind,
  id: string,
  query: DownloadQuery,
): Promise<FileResponse> {
  if (kind === 'pdf') return batchLabels(ctx, asker, id, query)
  if (query.rows !== undefined)
    throw rowsRefusal('Rows are chosen of labels only; this file has all of them.')
  if (kind === 'auto-csv' && query.format === 'csv') return confirmationCsv(ctx, asker.caller, id)
  const usual = kind === 'auto-csv' ? 'txt' : 'csv'
  if (query.format !== undefined && query.format !== usual) {
    throw formatRefusal(
      kind === 'auto-csv'
        ? 'The confirmation file can be had as txt or csv.'
        : 'The result file can be had as csv.',
    )
  }
  return storedFile(ctx, await getFinishedBatch(ctx, asker.caller, id), kind)
}

/** The labels of a batch: all of them as they are kept, or made now as somebody wants them. */
async function batchLabels(
  ctx: DownloadContext,
  { caller, recheckAccess }: DownloadRequester,
  id: string,
  query: DownloadQuery,
): Promise<FileResponse> {
  const style = printStyleOf(query)
  const batch = await getFinishedBatch(ctx, caller, id)
  if (style.format === 'png') {
    throw formatRefusal(
      'A bulk order can be had as 4x6 PDF, on Letter sheets and as ZPL. Pictures are made of one label at a time, in Orders.',
    )
  }
  if (style.format === 'pdf' && query.rows === undefined) return storedFile(ctx, batch, 'pdf')
  const rows = parseRowSelection(query.rows, batch.total)
  const { pdf } = batchFileNames(batch.id, batch.fileKey, ctx.config.mode === 'sandbox')
  const name = printFileName(pdf, style.format, query.rows === undefined ? '' : rowsSuffix(rows))
  const leave = ctx.slots.acquire(caller.userId)
  try {
    const body = await printRows(ctx, batch, { rows, style, again: recheckAccess })
    body.once('close', leave)
    return { name, type: FORMAT_MIME_TYPES[style.format], body }
  } catch (error) {
    leave()
    throw error
  }
}

/** How labels are to be printed. Throws Refusal 'unprocessable' for a format that no label has. */
function printStyleOf({ format = 'pdf', first = 1 }: DownloadQuery): LabelPrintOptions {
  if (!(LABEL_FORMATS as readonly string[]).includes(format)) {
    throw formatRefusal(
      'Labels can be had as 4x6 PDF, on Letter sheets, as ZPL and, one at a time, as PNG.',
    )
  }
  return { format: format as LabelFormat, firstHalf: first }
}

async function storedFile(
  ctx: WithBatches,
  batch: BatchRecord,
  kind: BatchFileKind,
): Promise<FileResponse> {
  const file = await openBatchFile(ctx, batch.id, kind)
  if (!file) {
    throw new Refusal(
      'not_found',
      kind === 'auto-csv'
        ? 'This bulk order has no order ids to confirm'
        : 'This bulk order has no such file',
    )
  }
  return { name: file.name, type: FILE_TYPES[kind], body: file.stream, bytes: file.bytes }
}

async function confirmationCsv(
  ctx: WithBatches,
  caller: BatchRequester,
  id: string,
): Promise<FileResponse> {
  const batch = await getFinishedBatch(ctx, caller, id)
  const made = batch.confirmName && buildAutoConfirm(await readConfirmRows(ctx, batch), 'csv')
  if (!made) throw new Refusal('not_found', 'This bulk order has no order ids to confirm')
  const body = Buffer.from(made.text)
  return {
    name: batch.confirmName!.replace(/\.txt$/, '.csv'),
    type: FILE_TYPES['result-csv'],
    body,
    bytes: body.length,
  }
}

async function getFinishedBatch(
  ctx: WithBatches,
  caller: BatchRequester,
  id: string,
): Promise<BatchRecord> {
  if (!/^[1-9]\d{0,14}$/.test(id)) throw fileNotFound()
  const batch = await getBatchFor(ctx, caller, Number(id))
  assertFilesReady(batch)
  return batch
}

const rowsRefusal = (text: string): Refusal => new Refusal('unprocessable', text, { rows: text })
const fileNotFound = (): Refusal => new Refusal('not_found', 'There is no such file')
