/**
 * The three files of a batch, made in one pass over its rows: the labels, what became of each row, and the confirmation for the
 * marketplace. Same rows, same bytes: they may be made as often as one likes.
 */
import { ahead } from './ahead.ts'
import { autoConfirm } from './auto-confirm.ts'
import type { ConfirmRow } from './auto-confirm.ts'
import type { CarrierPaperRecord } from './carrier-paper-store.ts'
import { readPaper } from './carrier-paper.ts'
import { writeCarrierPdf } from './carrier-pdf.ts'
import type { CarrierPaper } from './carrier-pdf.ts'
import type { FileStore } from './files/port.ts'
import type { LabelPaper } from './paper.ts'
import { writeSpecimenPdf } from './pdf.ts'
import { resultHead, resultLine } from './result-csv.ts'
import type { ResultRow } from './result-csv.ts'

/** What is printed of a label: drawn by us, or kept as its carrier made it. */
export type Printed = { draw: LabelPaper } | { made: CarrierPaperRecord }

/** A row as the files need it; `printed` only where a label was bought, is still good and can be printed. */
export type FiledRow = { result: ResultRow; confirm: ConfirmRow; printed: Printed | null }

/** Files of carriers under way from their store at a time: a bucket takes a while for each. */
export const READ_AHEAD = 8

export type MadeFile = { name: string; bytes: number; sha256: string }
/** `missing`: labels whose kept file was not there; they are not in the PDF. */
export type BatchFiles = {
  pdf: MadeFile | null
  result: MadeFile
  confirm: MadeFile | null
  missing: CarrierPaperRecord[]
}

/** Names for a batch's files. A label or confirmation is written only when there is something in it. */
export type FileNames = { pdf: string; result: string; confirm: string }

/** `rows` in the order of the table. Memory holds a page of them and the confirmation's few fields of each. */
export async function makeBatchFiles(
  files: FileStore,
  names: FileNames,
  rows: () => AsyncIterable<FiledRow>,
): Promise<BatchFiles> {
  const confirmRows: ConfirmRow[] = []
  const missing: CarrierPaperRecord[] = []
  let pdf = null as MadeFile | null
  const result = await files.write(names.result, async sink => {
    await sink.write(Buffer.from(resultHead()))
    const papers = async function* (): AsyncGenerator<LabelPaper | CarrierPaper<number>> {
      for await (const { row, paper } of ahead(rows(), READ_AHEAD, async row => ({
        row,
        paper: await paperIn(files, row.printed),
      }))) {
        confirmRows.push(row.confirm)
        await sink.write(Buffer.from(resultLine(row.result)))
        if (paper) yield paper
        else if (row.printed && 'made' in row.printed) missing.push(row.printed.made)
      }
    }
    const source = papers()
    const first = await source.next()
    if (first.done) return
    pdf = await writePdf(files, names.pdf, first.value, source)
  })
  const confirmation = autoConfirm(confirmRows)
  const confirm =
    confirmation
    && (await files.write(
      names.confirm,
      async sink => void (await sink.write(Buffer.from(confirmation.text))),
    ))
  return {
    pdf,
    result: { name: names.result, ...result },
    confirm: confirm && { name: names.confirm, ...confirm },
    missing,
  }
}

const paperIn = async (
  files: FileStore,
  printed: Printed | null,
): Promise<LabelPaper | CarrierPaper<number> | null> =>
  printed === null ? null : 'draw' in printed ? printed.draw : readPaper(files, printed.made)

/** One house draws its labels, another gets them from its carrier: what the first one is, all are. */
async function writePdf<P extends LabelPaper | CarrierPaper<number>>(
  files: FileStore,
  name: string,
  first: P,
  rest: AsyncIterable<P>,
): Promise<MadeFile> {
  const papers = async function* (): AsyncGenerator<P> {
    yield first
    yield* rest
  }
  const made = await files.write(
    name,
    async sink =>
      void (await ('mime' in first
        ? writeCarrierPdf(papers() as AsyncIterable<CarrierPaper<number>>, sink)
        : writeSpecimenPdf(papers() as AsyncIterable<LabelPaper>, sink))),
  )
  return { name, ...made }
}
