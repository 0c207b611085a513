import { Readable } from 'node:stream'
import type { BatchFileKind, LabelFormat } from '#contract/downloads.ts'
import {
  downloadFile,
  downloadLabels,
  BATCH_FILE_KINDS,
  LABEL_FORMATS,
  downloadTestPage,
} from '#contract/downloads.ts'
import { XLSX_TYPE } from '#contract/table-files.ts'
import { assertFilesReady, openBatchFile, statBatchFile } from '#server/batches/files.ts'
import { batchFileNames } from '#server/batches/rules.ts'
import { getBatchFor } from '#server/batches/service.ts'
import type { BatchCaller, BatchRecord } from '#server/batches/service.ts'
import { printFileName, FORMAT_MIME_TYPES, printTestPage } from '#server/labels/print.ts'
import type { LabelPrintOptions } from '#server/labels/print.ts'
import { findFile } from '#server/labels/service.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { orderIdInFileName } from '#server/orders/rules.ts'
import type { LongAnswers } from '#server/platform/http/long-answers.ts'
import { Refusal, refuseField } from '#server/platform/http/refusal.ts'
import type { ApiRequest, Router } from '#server/platform/http/router.ts'
import type { Sink } from '#server/platform/storage/port.ts'
import {
  confirmationType,
  isConfirmationFormat,
  noOrderIds,
  otherConfirmation,
  writeConfirmationCsv,
} from './confirmation.ts'
import { formatRefusal } from './format-refusal.ts'
import { assertPrintable, parseRowSelection, printRows, rowsSuffix } from './printing.ts'
import { writeResultWorkbook } from './result-workbook.ts'
import { printSelected, selectPrintable } from './selected-labels.ts'
import { printSingleLabel } from './single-label.ts'

/** `body`: null for HEAD. `bytes`: unknown for a file that is rendered while it is sent. */
type FileResponse = { name: string; type: string; body: Buffer | Readable | null; bytes?: number }

type DownloadQuery = ApiRequest<typeof downloadFile>['query']
/** `headOnly`: HEAD renders and reads no file of a bulk order. */
type DownloadRequester = {
  caller: BatchCaller
  headOnly: boolean
  recheckAccess: () => Promise<void>
  makeFile: (work: (sink: Sink) => Promise<void>) => Promise<Readable>
  takeTurn: <T>(work: () => Promise<T>) => Promise<T>
}

const CSV_TYPE = 'text/csv; charset=utf-8'

const fileTypeOf = (kind: BatchFileKind, name: string): string =>
  kind === 'pdf' ? 'application/pdf' : kind === 'result-csv' ? CSV_TYPE : confirmationType(name)
/** Types that browsers display. */
const INLINE_TYPES = ['application/pdf', 'image/png']

export function registerDownloadRoutes(
  router: Router,
  ctx: LabelContext,
  answers: LongAnswers,
): void {
  router.handle(downloadFile, async given => {
    const { params, query, caller, recheckAccess, request, reply } = given
    const requester: DownloadRequester = {
      caller,
      headOnly: request.method === 'HEAD',
      recheckAccess,
      makeFile: work => answers.stream(given, work),
      takeTurn: work => answers.run(given, work),
    }
    const isKind = (BATCH_FILE_KINDS as readonly string[]).includes(params.kind)
    const sent = isKind
      ? await batchFile(ctx, requester, params.kind as BatchFileKind, params.name, query)
      : await namedFile(ctx, requester, params.name, query)
    return sendDownload(reply, sent)
  })

  router.handle(downloadLabels, async given => {
    const { ids, format, first = 1 } = given.query
    const style = { format, firstHalf: first }
    const wanted = ids.split(',').map(Number)
    const labels = await selectPrintable(ctx, given.caller, wanted, format)
    const body = await answers.stream(given, sink =>
      printSelected(ctx, labels, { style, again: given.recheckAccess }, sink),
    )
    const prefix = ctx.config.mode === 'sandbox' ? 'SAMPLE-' : ''
    return sendDownload(given.reply, {
      name: printFileName(`${prefix}labels-${labels.length}.pdf`, format),
      type: FORMAT_MIME_TYPES[format],
      body,
    })
  })

  router.handle(downloadTestPage, async request => {
    const { format, first = 1 } = request.query
    const { reply } = request
    // A page as pixels takes some 50 ms and 10 MB.
    const body = await answers.run(request, () => printTestPage({ format, firstHalf: first }))
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
  // File names contain nothing that needs escaping (RFC 6266).
  return reply
    .type(type)
    .header(
      'content-disposition',
      `${INLINE_TYPES.includes(type) ? 'inline' : 'attachment'}; filename="${name}"`,
    )
    .header('content-security-policy', "default-src 'none'; sandbox")
    .send(body ?? Readable.from([]))
}

async function namedFile(
  ctx: LabelContext,
  requester: DownloadRequester,
  name: string,
  query: DownloadQuery,
): Promise<FileResponse> {
  const orderId = orderIdInFileName(name)
  if (orderId === null) {
    const file = await findFile(ctx.database.db, name)
    if (!file?.batchId) throw fileNotFound()
    return batchFile(ctx, requester, file.kind, String(file.batchId), query)
  }
  if (query.rows !== undefined)
    throw rowsRefusal('This is a single label. Rows can be chosen from a bulk order only.')
  const style = printStyleOf(query)
  const print = () => printSingleLabel(ctx, requester.caller, { orderId, name, style })
  // Drawing pixels takes some 50 ms, a PDF or ZPL less than one.
  const body = await (style.format === 'png' ? requester.takeTurn(print) : print())
  return {
    name: printFileName(name, style.format),
    type: FORMAT_MIME_TYPES[style.format],
    body,
    bytes: body.length,
  }
}

async function batchFile(
  ctx: LabelContext,
  requester: DownloadRequester,
  kind: BatchFileKind,
  id: string,
  query: DownloadQuery,
): Promise<FileResponse> {
  if (kind === 'pdf') return batchLabels(ctx, requester, id, query)
  if (query.rows !== undefined)
    throw rowsRefusal('Rows can be chosen for labels only. This file has all rows.')
  if (kind === 'auto-csv') return confirmation(ctx, requester, id, query)
  if (query.format === 'xlsx') return resultWorkbook(ctx, requester, id)
  if (query.format !== undefined && query.format !== 'csv')
    throw formatRefusal('The result file is available as csv and xlsx.')
  return storedFile(ctx, requester, await getFinishedBatch(ctx, requester.caller, id), kind)
}

/** All labels as PDF are the stored file; everything else is rendered now. */
async function batchLabels(
  ctx: LabelContext,
  requester: DownloadRequester,
  id: string,
  query: DownloadQuery,
): Promise<FileResponse> {
  const style = printStyleOf(query)
  const { caller, recheckAccess } = requester
  const batch = await getFinishedBatch(ctx, caller, id)
  if (style.format === 'png') {
    throw formatRefusal(
      'A bulk order is available as 4x6 PDF, on Letter sheets and as ZPL. PNG is available for single labels, in Orders.',
    )
  }
  if (style.format === 'pdf' && query.rows === undefined)
    return storedFile(ctx, requester, batch, 'pdf')
  const rows = parseRowSelection(query.rows, batch.total)
  const { pdf } = batchFileNames(batch.id, batch.fileKey, ctx.config.mode === 'sandbox')
  const name = printFileName(pdf, style.format, query.rows === undefined ? '' : rowsSuffix(rows))
  const type = FORMAT_MIME_TYPES[style.format]
  if (requester.headOnly) {
    await assertPrintable(ctx, batch, { rows, format: style.format, again: recheckAccess })
    return { name, type, body: null }
  }
  const body = await requester.makeFile(sink =>
    printRows(ctx, batch, { rows, style, again: recheckAccess }, sink),
  )
  return { name, type, body }
}

/** Throws Refusal 422 for an unknown format. */
function printStyleOf({ format = 'pdf', first = 1 }: DownloadQuery): LabelPrintOptions {
  if (!(LABEL_FORMATS as readonly string[]).includes(format)) {
    throw formatRefusal(
      'Labels are available as 4x6 PDF, on Letter sheets, as ZPL and, one at a time, as PNG.',
    )
  }
  return { format: format as LabelFormat, firstHalf: first }
}

async function storedFile(
  ctx: LabelContext,
  { headOnly }: DownloadRequester,
  batch: BatchRecord,
  kind: BatchFileKind,
): Promise<FileResponse> {
  const file = headOnly
    ? await statBatchFile(ctx, batch, kind)
    : await openBatchFile(ctx, batch.id, kind)
  if (!file)
    throw kind === 'auto-csv'
      ? noOrderIds()
      : new Refusal('file_unknown', 'This bulk order has no such file')
  const { name, stream = null, bytes } = file
  return { name, type: fileTypeOf(kind, name), body: stream, bytes }
}

async function resultWorkbook(
  ctx: LabelContext,
  { caller, headOnly, recheckAccess, makeFile }: DownloadRequester,
  id: string,
): Promise<FileResponse> {
  const batch = await getFinishedBatch(ctx, caller, id)
  const name = batch.resultName!.replace(/\.csv$/, '.xlsx')
  if (headOnly) return { name, type: XLSX_TYPE, body: null }
  const body = await makeFile(sink => writeResultWorkbook(ctx, batch, recheckAccess, sink))
  return { name, type: XLSX_TYPE, body }
}

/** The stored file; Amazon's with commas is rendered. */
async function confirmation(
  ctx: LabelContext,
  requester: DownloadRequester,
  id: string,
  { format }: DownloadQuery,
): Promise<FileResponse> {
  if (format !== undefined && !isConfirmationFormat(format))
    throw formatRefusal('The confirmation file is available as txt and csv.')
  const batch = await getFinishedBatch(ctx, requester.caller, id)
  const { confirmName } = batch
  if (confirmName === null) throw noOrderIds()
  if (format === undefined || confirmName.endsWith(`.${format}`))
    return storedFile(ctx, requester, batch, 'auto-csv')
  if (format !== 'csv' || !confirmName.endsWith('.txt')) throw otherConfirmation(confirmName)
  const file = { name: confirmName.replace(/\.txt$/, '.csv'), type: CSV_TYPE }
  if (requester.headOnly) return { ...file, body: null }
  return {
    ...file,
    body: await requester.makeFile(sink => writeConfirmationCsv(ctx, batch, sink)),
  }
}

async function getFinishedBatch(
  ctx: LabelContext,
  caller: BatchCaller,
  id: string,
): Promise<BatchRecord> {
  if (!/^[1-9]\d{0,14}$/.test(id)) throw fileNotFound()
  const batch = await getBatchFor(ctx, caller, Number(id))
  assertFilesReady(batch)
  return batch
}

const rowsRefusal = (text: string): Refusal => refuseField('rows', 'row_list_invalid', text)
const fileNotFound = (): Refusal => new Refusal('file_unknown', 'There is no such file')
