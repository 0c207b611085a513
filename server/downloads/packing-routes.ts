import { Readable } from 'node:stream'
import {
  downloadPackingSlips,
  downloadPickList,
  downloadSelectedPackingSlips,
  downloadSelectedPickList,
} from '#contract/downloads.ts'
import { assertFilesReady } from '#server/batches/files.ts'
import { getBatchFor } from '#server/batches/service.ts'
import type { BatchRecord } from '#server/batches/service.ts'
import type { PackingPaper } from '#server/labels/packing-pdf.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { asFile } from '#server/platform/http/file-answer.ts'
import type { LongAnswers } from '#server/platform/http/long-answers.ts'
import type { ApiRequest, Router } from '#server/platform/http/router.ts'
import type { Sink } from '#server/platform/storage/port.ts'
import {
  selectPacked,
  writeBatchPickList,
  writeBatchSlips,
  writeSelectedPickList,
  writeSelectedSlips,
} from './packing.ts'

type BatchRequest = ApiRequest<typeof downloadPackingSlips> | ApiRequest<typeof downloadPickList>
type SelectionRequest =
  | ApiRequest<typeof downloadSelectedPackingSlips>
  | ApiRequest<typeof downloadSelectedPickList>

export function registerPackingRoutes(
  router: Router,
  ctx: LabelContext,
  answers: LongAnswers,
): void {
  const sendOfBatch = async (
    given: BatchRequest,
    name: string,
    write: typeof writeBatchSlips | typeof writeBatchPickList,
  ) => {
    const batch: BatchRecord = await getBatchFor(ctx, given.caller, Number(given.params.orderId))
    assertFilesReady(batch)
    const options = { paper: given.query.format, again: given.recheckAccess }
    const body =
      given.request.method === 'HEAD'
        ? Readable.from([])
        : await answers.stream(given, (sink: Sink) => write(ctx, batch, options, sink))
    return sendPdf(given, `${name}-${batch.id}`, options.paper, body)
  }
  const sendSelection = async (
    given: SelectionRequest,
    name: string,
    write: typeof writeSelectedSlips | typeof writeSelectedPickList,
  ) => {
    const { ids, format } = given.query
    const orders = await selectPacked(ctx, given.caller, ids.split(',').map(Number))
    const options = { paper: format, again: given.recheckAccess }
    const body = await answers.stream(given, (sink: Sink) =>
      write(ctx, given.caller, orders, options, sink),
    )
    return sendPdf(given, `${name}-${orders.length}-labels`, format, body)
  }
  router.handle(downloadPackingSlips, given => sendOfBatch(given, 'packing-slips', writeBatchSlips))
  router.handle(downloadPickList, given => sendOfBatch(given, 'pick-list', writeBatchPickList))
  router.handle(downloadSelectedPackingSlips, given =>
    sendSelection(given, 'packing-slips', writeSelectedSlips),
  )
  router.handle(downloadSelectedPickList, given =>
    sendSelection(given, 'pick-list', writeSelectedPickList),
  )
}

const sendPdf = (
  { reply }: BatchRequest | SelectionRequest,
  name: string,
  paper: PackingPaper,
  body: Readable,
) =>
  asFile(reply, {
    type: 'application/pdf',
    name: `${name}${paper === 'letter' ? '-letter' : ''}.pdf`,
  }).send(body)
