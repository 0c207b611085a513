import type { Readable } from 'node:stream'
import type { FileKind, LabelFormat } from '#contract/orders.ts'
import { download, FILE_KINDS, LABEL_FORMATS, testPage } from '#contract/orders.ts'
import { autoConfirm } from '#server/labels/auto-confirm.ts'
import { nameIn, PRINT_TYPES, printTestPage } from '#server/labels/print.ts'
import type { Style } from '#server/labels/print.ts'
import { findFile } from '#server/labels/store.ts'
import { orderIdInName } from '#server/orders/rules.ts'
import type { Ask, Door } from '#server/platform/http.ts'
import { Refusal } from '#server/platform/refusal.ts'
import type { WithBatches } from './close.ts'
import { confirmRows } from './filed.ts'
import { openFile, refuseUnready } from './files.ts'
import { printLabel } from './one-label.ts'
import { printRows, rowsIn, rowsInName, unfit } from './printing.ts'
import { fileNames } from './rules.ts'
import { batchFor } from './service.ts'
import type { Person } from './service.ts'
import type { BatchRecord } from './store.ts'
import { openTurns } from './turns.ts'
import type { Turns } from './turns.ts'

/** A file to be sent: its name for the reader's disk, and its bytes; how many is not known of one that is made while it is read. */
type Sent = { name: string; type: string; body: Buffer | Readable; bytes?: number }

type Query = Ask<typeof download>['query']
type Asker = { caller: Person; again: () => Promise<void> }
type Printers = WithBatches & { turns: Turns }

const TYPES: Record<FileKind, string> = {
  pdf: 'application/pdf',
  'result-csv': 'text/csv; charset=utf-8',
  'auto-csv': 'text/plain; charset=utf-8',
}
/** What a browser shows by itself. */
const SHOWN = ['application/pdf', 'image/png']

export function downloadRoutes(door: Door, house: WithBatches): void {
  const printers = { ...house, turns: openTurns() }

  door.answer(download, async ({ params, query, caller, again, reply }) => {
    const isKind = (FILE_KINDS as readonly string[]).includes(params.kind)
    const sent = isKind
      ? await batchFile(printers, { caller, again }, params.kind as FileKind, params.name, query)
      : await namedFile(printers, { caller, again }, params.name, query)
    return send(reply, sent)
  })

  door.answer(testPage, async ({ query: { format, first = 1 }, reply }) => {
    const body = printTestPage({ format, first })
    return send(reply, {
      name: nameIn('test-page.pdf', format),
      type: PRINT_TYPES[format],
      body,
      bytes: body.length,
    })
  })
}

function send(reply: Ask<typeof download>['reply'], { name, type, body, bytes }: Sent) {
  if (bytes !== undefined) reply.header('content-length', String(bytes))
  // Our names hold nothing that needs quoting (RFC 6266).
  return reply
    .type(type)
    .header(
      'content-disposition',
      `${SHOWN.includes(type) ? 'inline' : 'attachment'}; filename="${name}"`,
    )
    .header('content-security-policy', "default-src 'none'; sandbox")
    .send(body)
}

/** One label by its name; or a batch's file by its name. */
async function namedFile(house: Printers, asker: Asker, name: string, query: Query): Promise<Sent> {
  const orderId = orderIdInName(name)
  if (orderId === null) {
    const file = await findFile(house.database.db, name)
    if (!file?.batchId) throw noFile()
    return batchFile(house, asker, file.kind, String(file.batchId), query)
  }
  if (query.rows !== undefined)
    throw unfitRows('This is one label: rows are chosen from a bulk order.')
  const style = styleOf(query)
  const body = await printLabel(house, asker.caller, { orderId, name, style })
  return {
    name: nameIn(name, style.format),
    type: PRINT_TYPES[style.format],
    body,
    bytes: body.length,
  }
}

async function batchFile(
  house: Printers,
  asker: Asker,
  kind: FileKind,
  id: string,
  query: Query,
): Promise<Sent> {
  if (kind === 'pdf') return labels(house, asker, id, query)
  if (query.rows !== undefined)
    throw unfitRows('Rows are chosen of labels only; this file has all of them.')
  if (kind === 'auto-csv' && query.format === 'csv') return confirmationCsv(house, asker.caller, id)
  const usual = kind === 'auto-csv' ? 'txt' : 'csv'
  if (query.format !== undefined && query.format !== usual) {
    throw unfit(
      kind === 'auto-csv'
        ? 'The confirmation file can be had as txt or csv.'
        : 'The result file can be had as csv.',
    )
  }
  return storedFile(house, await finishedBatch(house, asker.caller, id), kind)
}

/** The labels of a batch: all of them as they are kept, or made now as somebody wants them. */
async function labels(
  house: Printers,
  { caller, again }: Asker,
  id: string,
  query: Query,
): Promise<Sent> {
  const style = styleOf(query)
  const batch = await finishedBatch(house, caller, id)
  if (style.format === 'png') {
    throw unfit(
      'A bulk order can be had as 4x6 PDF, on Letter sheets and as ZPL. Pictures are made of one label at a time, in Orders.',
    )
  }
  if (style.format === 'pdf' && query.rows === undefined) return storedFile(house, batch, 'pdf')
  const rows = rowsIn(query.rows, batch.total)
  const { pdf } = fileNames(batch.id, batch.fileKey, house.config.mode === 'sandbox')
  const name = nameIn(pdf, style.format, query.rows === undefined ? '' : rowsInName(rows))
  const leave = house.turns.take(caller.userId)
  try {
    const body = await printRows(house, batch, { rows, style, again })
    body.once('close', leave)
    return { name, type: PRINT_TYPES[style.format], body }
  } catch (error) {
    leave()
    throw error
  }
}

/** How labels are to be printed. Throws Refusal 'unprocessable' for a format that no label has. */
function styleOf({ format = 'pdf', first = 1 }: Query): Style {
  if (!(LABEL_FORMATS as readonly string[]).includes(format)) {
    throw unfit(
      'Labels can be had as 4x6 PDF, on Letter sheets, as ZPL and, one at a time, as PNG.',
    )
  }
  return { format: format as LabelFormat, first }
}

async function storedFile(house: WithBatches, batch: BatchRecord, kind: FileKind): Promise<Sent> {
  const file = await openFile(house, batch.id, kind)
  if (!file) {
    throw new Refusal(
      'not_found',
      kind === 'auto-csv'
        ? 'This bulk order has no order ids to confirm'
        : 'This bulk order has no such file',
    )
  }
  return { name: file.name, type: TYPES[kind], body: file.stream, bytes: file.bytes }
}

async function confirmationCsv(house: WithBatches, caller: Person, id: string): Promise<Sent> {
  const batch = await finishedBatch(house, caller, id)
  const made = batch.confirmName && autoConfirm(await confirmRows(house, batch), 'csv')
  if (!made) throw new Refusal('not_found', 'This bulk order has no order ids to confirm')
  const body = Buffer.from(made.text)
  return {
    name: batch.confirmName!.replace(/\.txt$/, '.csv'),
    type: TYPES['result-csv'],
    body,
    bytes: body.length,
  }
}

async function finishedBatch(house: WithBatches, caller: Person, id: string): Promise<BatchRecord> {
  if (!/^[1-9]\d{0,14}$/.test(id)) throw noFile()
  const batch = await batchFor(house, caller, Number(id))
  refuseUnready(batch)
  return batch
}

const unfitRows = (text: string): Refusal => new Refusal('unprocessable', text, { rows: text })
const noFile = (): Refusal => new Refusal('not_found', 'There is no such file')
