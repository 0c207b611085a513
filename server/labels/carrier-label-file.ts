/** Labels that carriers have made: kept among the label files as they came, under a name that follows from their bytes. */
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Logger } from '#server/platform/process/log.ts'
import { refuseIfUnreachable } from '#server/platform/storage/open.ts'
import type { FileStore } from '#server/platform/storage/port.ts'
import type {
  CarrierLabelFileRecord,
  StoredLabelFile,
  LabelMime,
} from './carrier-label-file-store.ts'
import { findLabelFileProblem } from './carrier-pdf.ts'
import type { CarrierLabelFile } from './carrier-pdf.ts'

/** Larger than any label, smaller than what could fill a disk. */
const MAX_LABEL_BYTES = 8 * 1024 * 1024

const FILE_SIGNATURES: Record<LabelMime, string> = {
  'application/pdf': '%PDF-',
  'image/png': '\x89PNG\r\n\x1a\n',
}

/** Why these bytes are no label's file, or null. */
export function rejectionReason({
  mime,
  bytes,
}: {
  mime: LabelMime
  bytes: Uint8Array
}): string | null {
  const mark = FILE_SIGNATURES[mime] as string | undefined
  if (mark === undefined) return `The carrier sent a file of the kind ${String(mime).slice(0, 40)}`
  if (bytes.length > MAX_LABEL_BYTES) return 'The carrier sent a file that is too large for a label'
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1024)).toString(
    'latin1',
  )
  return head.includes(mark)
    ? null
    : `The carrier sent a file that is no ${mime === 'image/png' ? 'PNG' : 'PDF'}`
}

/** Writes a label's file; the same bytes again are the same file. What it says is to be noted. */
export async function writeLabelFile(
  files: FileStore,
  orderId: number,
  { mime, bytes }: { mime: LabelMime; bytes: Uint8Array },
): Promise<StoredLabelFile> {
  const sum = createHash('sha256').update(bytes).digest('hex')
  const fileName = `carrier-${orderId}-${sum.slice(0, 24)}.${mime === 'image/png' ? 'png' : 'pdf'}`
  const made = await files.write(fileName, async sink => void (await sink.write(bytes)))
  return { orderId, fileName, mime, ...made, problem: findLabelFileProblem({ mime, bytes }) }
}

/** A kept file, whole; null when it is not there. */
export async function readLabelFile(
  files: FileStore,
  record: CarrierLabelFileRecord,
): Promise<CarrierLabelFile<number> | null> {
  const found = record.fileName ? await files.read(record.fileName) : null
  return (
    found && { key: record.orderId, mime: record.mime!, bytes: await readAllBytes(found.stream) }
  )
}

/** The same for somebody who waits for it. Throws Refusal 'unavailable' while the store does not answer. */
export const readLabelFileOrRefuse = (
  { files, log }: { files: FileStore; log: Logger },
  record: CarrierLabelFileRecord,
): Promise<CarrierLabelFile<number> | null> =>
  refuseIfUnreachable(log, () => readLabelFile(files, record))

async function readAllBytes(stream: Readable): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of stream) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}
