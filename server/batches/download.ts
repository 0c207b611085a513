import type { Readable } from 'node:stream'
import type { FileKind } from '#contract/orders.ts'
import { download, FILE_KINDS } from '#contract/orders.ts'
import { autoConfirm } from '#server/labels/auto-confirm.ts'
import { writeCarrierPdf } from '#server/labels/carrier-pdf.ts'
import type { CarrierPaper } from '#server/labels/carrier-pdf.ts'
import { findFile } from '#server/labels/store.ts'
import { specimenPdf } from '#server/labels/pdf.ts'
import { paperOf } from '#server/orders/paper.ts'
import { labelName, orderIdInName } from '#server/orders/rules.ts'
import { orderFor } from '#server/orders/service.ts'
import type { Door } from '#server/platform/http.ts'
import { Refusal } from '#server/platform/refusal.ts'
import type { WithBatches } from './close.ts'
import { confirmRows } from './filed.ts'
import { openFile, refuseUnready } from './files.ts'
import { paperNow } from './paper-now.ts'
import { batchFor } from './service.ts'
import type { Person } from './service.ts'
import type { BatchRecord } from './store.ts'

/** A file to be sent: its name for the reader's disk, and its bytes. */
export type Sent = { name: string, type: string, body: Buffer | Readable, bytes: number }

const TYPES: Record<FileKind, string> = {
  'pdf': 'application/pdf', 'result-csv': 'text/csv; charset=utf-8', 'auto-csv': 'text/plain; charset=utf-8',
}

export function downloadRoutes(door: Door, house: WithBatches): void {
  door.answer(download, async ({ params, query, caller, reply }) => {
    const isKind = (FILE_KINDS as readonly string[]).includes(params.kind)
    const sent = !isKind ? await label(house, caller, params.name)
      : query.format === 'csv' && params.kind === 'auto-csv' ? await confirmationCsv(house, caller, params.name)
        : await batchFile(house, caller, params.kind as FileKind, params.name)
    // Our names hold nothing that needs quoting (RFC 6266).
    return reply.type(sent.type).header('content-length', String(sent.bytes))
      .header('content-disposition', `${sent.type === TYPES.pdf ? 'inline' : 'attachment'}; filename="${sent.name}"`)
      .header('content-security-policy', "default-src 'none'; sandbox").send(sent.body)
  })
}

/** One label by its name, drawn on demand; or a batch's PDF by its name. */
async function label(house: WithBatches, caller: Person, name: string): Promise<Sent> {
  const orderId = orderIdInName(name)
  if (orderId === null) {
    const file = await findFile(house.database.db, name)
    if (!file?.batchId) throw noFile()
    return batchFile(house, caller, file.kind, String(file.batchId))
  }
  const order = await orderFor(house, caller, orderId)
  if (name !== labelName(order.id, order.pdfKey, house.config.mode === 'sandbox')) throw noFile()
  if (order.state === 'voided') throw new Refusal('not_found', 'This label was voided and cannot be printed any more')
  if (order.state === 'voiding') throw new Refusal('conflict', 'This label is being voided and cannot be printed')
  if (order.trackingNumber === null) throw noFile()
  const body = house.carrier.fetchLabel ? await carrierPdf(house, order.id) : specimenPdf(paperOf(order))
  return { name, type: TYPES.pdf, body, bytes: body.length }
}

/** A label as its carrier made it. Throws Refusal 'unavailable' or 'not_found'. */
async function carrierPdf(house: WithBatches, orderId: number): Promise<Buffer> {
  const paper = await paperNow(house, orderId)
  return paper.mime === 'application/pdf' ? Buffer.from(paper.bytes) : asPdf(paper)
}

async function asPdf(paper: CarrierPaper<number>): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  const { leftOut: [broken] } = await writeCarrierPdf([paper], { write: piece => void pieces.push(piece) })
  if (broken) throw new Refusal('unavailable', `The picture that the carrier sent cannot be printed: ${broken.problem}`)
  return Buffer.concat(pieces)
}

async function batchFile(house: WithBatches, caller: Person, kind: FileKind, id: string): Promise<Sent> {
  const batch = await finishedBatch(house, caller, id)
  const file = await openFile(house, batch.id, kind)
  if (!file) {
    throw new Refusal('not_found',
      kind === 'auto-csv' ? 'This bulk order has no order ids to confirm' : 'This bulk order has no such file')
  }
  return { name: file.name, type: TYPES[kind], body: file.stream, bytes: file.bytes }
}

async function confirmationCsv(house: WithBatches, caller: Person, id: string): Promise<Sent> {
  const batch = await finishedBatch(house, caller, id)
  const made = batch.confirmName && autoConfirm(await confirmRows(house, batch), 'csv')
  if (!made) throw new Refusal('not_found', 'This bulk order has no order ids to confirm')
  const body = Buffer.from(made.text)
  return { name: batch.confirmName!.replace(/\.txt$/, '.csv'), type: TYPES['result-csv'], body, bytes: body.length }
}

async function finishedBatch(house: WithBatches, caller: Person, id: string): Promise<BatchRecord> {
  if (!/^[1-9]\d{0,14}$/.test(id)) throw noFile()
  const batch = await batchFor(house, caller, Number(id))
  refuseUnready(batch)
  return batch
}

const noFile = (): Refusal => new Refusal('not_found', 'There is no such file')
