/** Carrier label files are stored unchanged under a name made of their hash. */
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { isOfFormat, PURCHASED_FORMAT } from '#server/carriers/port.ts'
import type { CarrierLabel, CarrierLabelFormat, LabelMime } from '#server/carriers/port.ts'
import type { Logger } from '#server/platform/process/log.ts'
import { refuseIfUnreachable } from '#server/platform/storage/open.ts'
import type { FileStore } from '#server/platform/storage/port.ts'
import type {
  CarrierLabelFileRecord,
  LabelFileKey,
  StoredLabelFile,
} from './carrier-label-file-store.ts'
import { findLabelFileProblem } from './carrier-pdf.ts'
import type { CarrierLabelFile } from './carrier-pdf.ts'

/** Larger than any label, and small enough not to fill a disk. */
const MAX_LABEL_BYTES = 8 * 1024 * 1024

/**
 * How long other processes leave a file to the one that fetches or stores it: longer than a carrier's answer and all attempts of a
 * bucket for 100 kB. All attempts for a larger file may take minutes; another process may then fetch it once more.
 */
export const LABEL_FILE_LEASE_MS = 100_000

const FILE_KINDS: Record<LabelMime, { name: string; signature: string; extension: string }> = {
  'application/pdf': { name: 'PDF', signature: '%PDF-', extension: 'pdf' },
  'image/png': { name: 'PNG', signature: '\x89PNG\r\n\x1a\n', extension: 'png' },
  'application/zpl': { name: 'ZPL', signature: '^XA', extension: 'zpl' },
}
/** Where a file must have its signature. ZPL may begin with setup commands. */
const HEAD_BYTES = 4096

/** Why these bytes are not a label file of this format; null if they are. */
export function rejectionReason(
  label: CarrierLabel,
  format: CarrierLabelFormat = PURCHASED_FORMAT,
): string | null {
  const { mime, bytes } = label
  const kind = FILE_KINDS[mime] as (typeof FILE_KINDS)[LabelMime] | undefined
  if (kind === undefined) return `The carrier sent a file of the kind ${String(mime).slice(0, 40)}`
  if (!isOfFormat(label, format))
    return `The carrier sent ${kind.name} instead of ${format.toUpperCase()}`
  if (bytes.length > MAX_LABEL_BYTES) return 'The carrier sent a file that is too large for a label'
  const isIntact =
    textOf(bytes.subarray(0, HEAD_BYTES)).includes(kind.signature)
    && (mime !== 'application/zpl' || textOf(bytes).trimEnd().endsWith('^XZ'))
  return isIntact ? null : `The carrier sent a file that is no ${kind.name}`
}

const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')

/** The same bytes give the same file. Returns what to record. */
export async function writeLabelFile(
  files: FileStore,
  { orderId, format }: LabelFileKey,
  { mime, bytes }: CarrierLabel,
): Promise<StoredLabelFile> {
  const sum = createHash('sha256').update(bytes).digest('hex')
  const fileName = `carrier-${orderId}-${sum.slice(0, 24)}.${FILE_KINDS[mime].extension}`
  const made = await files.write(fileName, async sink => void (await sink.write(bytes)))
  return {
    orderId,
    format,
    fileName,
    mime,
    ...made,
    problem: findLabelFileProblem({ mime, bytes }),
  }
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

/** For a waiting caller: throws Refusal 503 while the storage does not respond. */
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
