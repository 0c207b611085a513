/** Carrier label files are stored unchanged under a name made of their hash. */
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

/** Larger than any label, and small enough not to fill a disk. */
const MAX_LABEL_BYTES = 8 * 1024 * 1024

const FILE_SIGNATURES: Record<LabelMime, string> = {
  'application/pdf': '%PDF-',
  'image/png': '\x89PNG\r\n\x1a\n',
}

/** Why these bytes are not a label file; null if they are. */
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

/** The same bytes give the same file. Returns what to record. */
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

/** Null if the file is missing. */
export async function readLabelFile(
  files: FileStore,
  record: CarrierLabelFileRecord,
): Promise<CarrierLabelFile<number> | null> {
  const found = record.fileName ? await files.read(record.fileName) : null
  return (
    found && { key: record.orderId, mime: record.mime!, bytes: await readAllBytes(found.stream) }
  )
}

/** For a waiting caller: throws Refusal 'unavailable' while the storage does not respond. */
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
