import { Readable } from 'node:stream'
import * as calls from '#contract/scan-forms.ts'
import type { ScanForm, WaitingLabel } from '#contract/scan-forms.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { asFile } from '#server/platform/http/file-answer.ts'
import type { Router } from '#server/platform/http/router.ts'
import { getScanFormFor, openScanFormFile } from './files.ts'
import { senderOf } from './rules.ts'
import type { ScanFormRecord } from './rules.ts'
import {
  describeLabels,
  findCandidates,
  mostFormLabels,
  requestScanForms,
  selectScanForms,
  today,
} from './service.ts'

export function registerScanFormRoutes(router: Router, ctx: LabelContext): void {
  const isDrawn = ctx.carrier.fetchLabel === null

  router.handle(calls.listScanForms, async ({ params, query }) => {
    const before = query.after === undefined ? null : Number(query.after)
    const userId = Number(params.userId)
    const forms = await selectScanForms(ctx.database.db, userId, before, query.limit + 1)
    const page = forms.slice(0, query.limit)
    return {
      scanForms: page.map(form => scanFormWire(form, isDrawn)),
      next: forms.length > query.limit ? String(page.at(-1)!.id) : null,
    }
  })

  router.handle(calls.scanFormCandidates, async ({ params, query }) => {
    const maxLabels = mostFormLabels(ctx)
    const day = query.day ?? today()
    const { groups, more } =
      maxLabels > 0
        ? await findCandidates(ctx, Number(params.userId), day, calls.MAX_SCAN_FORM_LABELS)
        : { groups: [], more: false }
    // By service, so that an opened service has all of a few labels.
    const firstOf = ({ services }: (typeof groups)[number]): number[] =>
      services.flatMap(({ ids }) => ids).slice(0, query.labels)
    const described =
      query.labels > 0
        ? await describeLabels(ctx.database.db, groups.flatMap(firstOf))
        : new Map<number, WaitingLabel>()
    return {
      day,
      today: today(),
      offered: maxLabels > 0,
      maxLabels,
      groups: groups.map(group => ({
        sender: senderOf(group.sender),
        services: group.services.map(({ name, ids }) => ({
          name,
          labels: ids.length,
          ids: ids.map(String),
        })),
        ids: group.ids.map(String),
        labels: firstOf(group).flatMap(id => described.get(id) ?? []),
      })),
      more,
    }
  })

  router.handle(calls.createScanForms, async ({ params, body, caller, reply }) => {
    const forms = await requestScanForms(ctx, caller, Number(params.userId), {
      orderIds: body.orderIds?.map(Number),
      batchId: body.batchId === undefined ? undefined : Number(body.batchId),
      day: body.day,
    })
    if (forms.some(({ state }) => state === 'asked')) reply.code(202)
    return { scanForms: forms.map(form => scanFormWire(form, isDrawn)) }
  })

  router.handle(calls.downloadScanForm, async ({ params, query, caller, request, reply }) => {
    const form = await getScanFormFor(ctx, caller, Number(params.scanFormId))
    const { name, stream, bytes } = await openScanFormFile(ctx, form, query.part)
    const isHead = request.method === 'HEAD'
    if (isHead) stream.destroy()
    return asFile(reply, { type: 'application/pdf', name, bytes }).send(
      isHead ? Readable.from([]) : stream,
    )
  })
}

const partsOf = ({ state, files }: ScanFormRecord, isDrawn: boolean): number =>
  state === 'made' && isDrawn ? 1 : files.length

function scanFormWire(form: ScanFormRecord, isDrawn: boolean): ScanForm {
  const path = calls.downloadScanForm.path.replace(':scanFormId', String(form.id))
  return {
    id: String(form.id),
    state: form.state,
    day: form.day,
    sender: senderOf(form.sender),
    services: form.services,
    labels: form.labels,
    voided: form.voided,
    files: Array.from(
      { length: partsOf(form, isDrawn) },
      (_, at) => `${path}${at === 0 ? '' : `?part=${at + 1}`}`,
    ),
    message: form.problem,
    createdAt: form.createdAt.toISOString(),
    madeAt: form.madeAt?.toISOString() ?? null,
  }
}
