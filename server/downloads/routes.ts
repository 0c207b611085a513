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
import { hasLabelsBeingVoided } from '#server/orders/service.ts'
import { asFile } from '#server/platform/http/file-answer.ts'
import type { FileHead } from '#server/platform/http/file-answer.ts'
import type { LongAnswers } from '#server/platform/http/long-answers.ts'
import { Refusal, refuseField } from '#server/platform/http/refusal.ts'
import type { ApiRequest, Router } from '#server/platform/http/router.ts'
import type { Sink } from '#server/platform/storage/port.ts'
import {
  assertConfirmable,
  confirmationType,
  isConfirmationFormat,
  noOrderIds,
  otherConfirmation,
  renderConfirmation,
} from './confirmation.ts'
import { formatRefusal } from './format-refusal.ts'
import { assertPrintable, parseRowSelection, printRows, rowsSuffix } from './printing.ts'
import { writeResultCsv, writeResultWorkbook } from './result-file.ts'
import { printSelected, selectPrintable } from './selected-labels.ts'
import { printSingleLabel } from './single-label.ts'

/** `body`: null for HEAD. */
type FileResponse = FileHead & { body: Buffer | Readable | null }

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

const sendDownload = (
  reply: ApiRequest<typeof downloadFile>['reply'],
  { body, ...head }: FileResponse,
) => asFile(reply, head).send(body ?? Readable.from([]))

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
  return resultFile(ctx, requester, id, query)
}

/** A stored file has labels that are being voided too, so another is rendered while there are some. */
const maySendStored = async (ctx: LabelContext, { id }: BatchRecord): Promise<boolean> =>
  !(await hasLabelsBeingVoided(ctx.database.db, id))

/** All labels as PDF are the stored file, if it may be sent; everything else is rendered now. */
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
  if (style.format === 'pdf' && query.rows === undefined && (await maySendStored(ctx, batch)))
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

/** The stored file, if it may be sent; a workbook is rendered. */
async function resultFile(
  ctx: LabelContext,
  requester: DownloadRequester,
  id: string,
  { format = 'csv' }: DownloadQuery,
): Promise<FileResponse> {
  const { caller, headOnly, recheckAccess, makeFile } = requester
  if (format !== 'csv' && format !== 'xlsx')
    throw formatRefusal('The result file is available as csv and xlsx.')
  const batch = await getFinishedBatch(ctx, caller, id)
  if (format === 'csv' && (await maySendStored(ctx, batch)))
    return storedFile(ctx, requester, batch, 'result-csv')
  const [type, write] =
    format === 'csv' ? [CSV_TYPE, writeResultCsv] : [XLSX_TYPE, writeResultWorkbook]
  const name = batch.resultName!.replace(/\.csv$/, `.${format}`)
  if (headOnly) return { name, type, body: null }
  return { name, type, body: await makeFile(sink => write(ctx, batch, recheckAccess, sink)) }
}

/** The stored file, if it may be sent; Amazon's with commas is rendered. */
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
  const isUsual = format === undefined || confirmName.endsWith(`.${format}`)
  if (isUsual && (await maySendStored(ctx, batch)))
    return storedFile(ctx, requester, batch, 'auto-csv')
  if (!isUsual && (format !== 'csv' || !confirmName.endsWith('.txt')))
    throw otherConfirmation(confirmName)
  const name = isUsual ? confirmName : confirmName.replace(/\.txt$/, '.csv')
  const type = isUsual ? confirmationType(name) : CSV_TYPE
  if (requester.headOnly) {
    await requester.takeTurn(() => assertConfirmable(ctx, batch))
    return { name, type, body: null }
  }
  const separator = isUsual ? undefined : ','
  const body = await requester.makeFile(sink => renderConfirmation(ctx, batch, separator, sink))
  return { name, type, body }
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
