/**
 * The three files of a batch, made in one pass over its rows: the labels, what became of each row, and the confirmation for the
 * marketplace. Same rows, same bytes: they may be made as often as one likes.
 */
import { autoConfirm } from './auto-confirm.ts'
import type { ConfirmRow } from './auto-confirm.ts'
import type { FileStore } from './files/port.ts'
import type { LabelPaper } from './paper.ts'
import { writeSpecimenPdf } from './pdf.ts'
import { resultHead, resultLine } from './result-csv.ts'
import type { ResultRow } from './result-csv.ts'

/** A row as the files need it; `paper` only where a label was bought and is still good. */
export type FiledRow = { result: ResultRow, confirm: ConfirmRow, paper: LabelPaper | null }

export type MadeFile = { name: string, bytes: number, sha256: string }
export type BatchFiles = { pdf: MadeFile | null, result: MadeFile, confirm: MadeFile | null }

/** Names for a batch's files. A label or confirmation is written only when there is something in it. */
export type FileNames = { pdf: string, result: string, confirm: string }

/** `rows` in the order of the table. Memory holds a page of them and the confirmation's few fields of each. */
export async function makeBatchFiles(files: FileStore, names: FileNames, rows: () => AsyncIterable<FiledRow>): Promise<BatchFiles> {
  const confirmRows: ConfirmRow[] = []
  let pdf = null as MadeFile | null
  const result = await files.write(names.result, async sink => {
    await sink.write(Buffer.from(resultHead()))
    const papers = async function* (): AsyncGenerator<LabelPaper> {
      for await (const row of rows()) {
        confirmRows.push(row.confirm)
        await sink.write(Buffer.from(resultLine(row.result)))
        if (row.paper) yield row.paper
      }
    }
    const source = papers()
    const first = await source.next()
    if (first.done) return
    pdf = await writePdf(files, names.pdf, first.value, source)
  })
  const confirmation = autoConfirm(confirmRows)
  const confirm = confirmation && await files.write(names.confirm, async sink => void await sink.write(Buffer.from(confirmation.text)))
  return {
    pdf,
    result: { name: names.result, ...result },
    confirm: confirm && { name: names.confirm, ...confirm },
  }
}

async function writePdf(files: FileStore, name: string, first: LabelPaper, rest: AsyncIterable<LabelPaper>): Promise<MadeFile> {
  const papers = async function* (): AsyncGenerator<LabelPaper> {
    yield first
    yield* rest
  }
  const made = await files.write(name, async sink => void await writeSpecimenPdf(papers(), sink))
  return { name, ...made }
}
