import { Readable } from 'node:stream'
import { downloadFailedRows } from '#contract/downloads.ts'
import { tableFileType } from '#contract/table-files.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { asFile } from '#server/platform/http/file-answer.ts'
import type { LongAnswers } from '#server/platform/http/long-answers.ts'
import type { Router } from '#server/platform/http/router.ts'
import { openFailedRows } from './failed-rows.ts'

export function registerFailedRowsRoutes(
  router: Router,
  ctx: LabelContext,
  answers: LongAnswers,
): void {
  router.handle(downloadFailedRows, async given => {
    const { params, query, caller, recheckAccess, request, reply } = given
    const { format } = query
    const write = await openFailedRows(ctx, caller, Number(params.orderId), recheckAccess)
    const body =
      request.method === 'HEAD'
        ? Readable.from([])
        : await answers.stream(given, sink => write(sink, format))
    const name = `failed-rows-${params.orderId}.${format}`
    return asFile(reply, { type: tableFileType(format), name }).send(body)
  })
}
