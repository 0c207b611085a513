/**
 * Writes the three files of a batch: labels and results in one pass over its rows, then the
 * confirmation. The same rows give the same bytes.
 */

import type { SourceId } from '#contract/sources.ts'
import type { FileStore } from '#server/platform/storage/port.ts'
import { CONFIRM_ENDINGS, planConfirmation } from './auto-confirm.ts'
import type { ConfirmRow, RowIds } from './auto-confirm.ts'
import type { CarrierLabelFileRecord } from './carrier-label-file-store.ts'
import { readLabelFile } from './carrier-label-file.ts'
import { writeCarrierPdf } from './carrier-pdf.ts'
import type { CarrierLabelFile } from './carrier-pdf.ts'
import { rowIdsOf, writeConfirmation } from './confirm-file.ts'
import type { ConfirmRows } from './confirm-file.ts'
import type { LabelData } from './label-data.ts'
import { mapConcurrent } from './map-concurrent.ts'
import { resultHeaderLine, resultLine } from './result-csv.ts'
import type { ResultRow } from './result-csv.ts'
import { writeSpecimenPdf } from './specimen-pdf.ts'

/** What is printed: drawn by us, or the carrier's file. */
export type LabelSource = { draw: LabelData } | { made: CarrierLabelFileRecord }

/** `label` is null unless the row has a valid, printable label. */
export type BatchFileRow = { result: ResultRow; confirm: ConfirmRow; label: LabelSource | null }

/** Carrier files being read at a time; each read from a bucket takes a while. */
export const MAX_CONCURRENT_READS = 8

export type WrittenFile = { name: string; bytes: number; sha256: string }
/** `missing`: labels whose stored file was not found; they are not in the PDF. */
export type BatchFiles = {
  pdf: WrittenFile | null
  result: WrittenFile
  confirm: WrittenFile | null
  missing: CarrierLabelFileRecord[]
}

/**
 * A label or confirmation file is written only if it has contents. `confirm`: without its ending,
 * which depends on the source of the rows.
 */
export type BatchOutputNames = { pdf: string; result: string; confirm: string }

export type BatchFilesInput = {
  rows: () => AsyncIterable<BatchFileRow>
  confirmRows: ConfirmRows
  source: SourceId | null
}

/** Rows in table order. Memory holds one page of them, and the order and item ids of all. */
export async function writeBatchFiles(
  files: FileStore,
  names: BatchOutputNames,
  { rows, confirmRows, source }: BatchFilesInput,
): Promise<BatchFiles> {
  const ids: RowIds[] = []
  const missing: CarrierLabelFileRecord[] = []
  let pdf = null as WrittenFile | null
  const result = await files.write(names.result, async sink => {
    await sink.write(Buffer.from(resultHeaderLine()))
    const labels = async function* (): AsyncGenerator<LabelData | CarrierLabelFile<number>> {
      for await (const { row, label } of mapConcurrent(rows(), MAX_CONCURRENT_READS, async row => ({
        row,
        label: await loadLabel(files, row.label),
      }))) {
        ids.push(rowIdsOf(row.confirm))
        await sink.write(Buffer.from(resultLine(row.result)))
        if (label) yield label
        else if (row.label && 'made' in row.label) missing.push(row.label.made)
      }
    }
    const rest = labels()
    const first = await rest.next()
    if (first.done) return
    pdf = await writeLabelPdf(files, names.pdf, first.value, rest)
  })
  const plan = planConfirmation(ids, source)
  const confirmName = plan && `${names.confirm}.${CONFIRM_ENDINGS[plan.format]}`
  const confirm =
    plan && (await files.write(confirmName!, sink => writeConfirmation(sink, plan, confirmRows)))
  return {
    pdf,
    result: { name: names.result, ...result },
    confirm: confirm && { name: confirmName!, ...confirm },
    missing,
  }
}

const loadLabel = async (
  files: FileStore,
  source: LabelSource | null,
): Promise<LabelData | CarrierLabelFile<number> | null> =>
  source === null ? null : 'draw' in source ? source.draw : readLabelFile(files, source.made)

/** All labels are either drawn or from a carrier, as the first one is. */
async function writeLabelPdf<P extends LabelData | CarrierLabelFile<number>>(
  files: FileStore,
  name: string,
  first: P,
  rest: AsyncIterable<P>,
): Promise<WrittenFile> {
  const labels = async function* (): AsyncGenerator<P> {
    yield first
    yield* rest
  }
  const made = await files.write(
    name,
    async sink =>
      void (await ('mime' in first
        ? writeCarrierPdf(labels() as AsyncIterable<CarrierLabelFile<number>>, sink)
        : writeSpecimenPdf(labels() as AsyncIterable<LabelData>, sink))),
  )
  return { name, ...made }
}
