import { Readable } from 'node:stream'
import { downloadFailedRows } from '#contract/downloads.ts'
import { tableFileType } from '#contract/table-files.ts'
import type { LabelContext } from '#server/orders/context.ts'
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
    return reply
      .type(tableFileType(format))
      .header(
        'content-disposition',
        `attachment; filename="failed-rows-${params.orderId}.${format}"`,
      )
      .header('content-security-policy', "default-src 'none'; sandbox")
      .send(body)
  })
}
