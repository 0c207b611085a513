import { Readable } from 'node:stream'
import { specimenScanForm } from '#server/labels/specimen-scan-form.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import type { Caller } from '#server/platform/http/router.ts'
import { readFileOrRefuse } from '#server/platform/storage/open.ts'
import type { ScanFormRecord } from './rules.ts'
import { findScanForms } from './scan-form-store.ts'

/** Throws Refusal 404, also for a form that the caller may not access. */
export async function getScanFormFor(
  ctx: LabelContext,
  caller: Pick<Caller, 'userId' | 'role'>,
  id: number,
): Promise<ScanFormRecord> {
  const [form] = await findScanForms(ctx.database.db, [id])
  if (!form || (form.userId !== caller.userId && caller.role !== 'admin'))
    throw new Refusal('scan_form_unknown', 'There is no such SCAN form')
  return form
}

export type ScanFormFile = { name: string; stream: Readable; bytes: number }

/**
 * `part` from 1. Specimens are drawn now. Throws Refusal: 404 for a form that is not made, 503 while
 * its file has not arrived.
 */
export async function openScanFormFile(
  ctx: LabelContext,
  form: ScanFormRecord,
  part: number,
): Promise<ScanFormFile> {
  const { state, files, id, awaitsFile } = form
  if (state !== 'made') throw new Refusal('file_unknown', 'The carrier has not made this SCAN form')
  if (ctx.carrier.fetchLabel === null && part === 1) {
    const bytes = specimenScanForm(form)
    return {
      name: `SAMPLE-scan-form-${id}.pdf`,
      stream: Readable.from([bytes]),
      bytes: bytes.length,
    }
  }
  if (awaitsFile)
    throw new Refusal('file_being_made', 'The carrier has not delivered this SCAN form yet', {
      retryAfter: 10,
    })
  const name = files[part - 1]
  const found = name === undefined ? null : await readFileOrRefuse(ctx, name)
  if (!found) throw new Refusal('file_unknown', 'There is no such file of this SCAN form')
  return { name: `scan-form-${id}${part === 1 ? '' : `-${part}`}.pdf`, ...found }
}
