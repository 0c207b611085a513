import { join } from 'node:path'
import type { Config } from '#server/platform/config.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import type { Logger } from '#server/platform/process/log.ts'
import { OperatorError } from '#server/platform/process/operator-error.ts'
import { withTimeout } from '#server/platform/process/timeout.ts'
import { createDiskFileStore } from './disk.ts'
import type { FileStore } from './port.ts'
import { createS3FileStore } from './s3.ts'
import type { S3FileStore } from './s3.ts'

type StorageSettings = Pick<Config, 'files' | 's3' | 'dataDir'>

/** How long a start waits for a bucket. */
const START_TIMEOUT_MS = 10_000

/** Where this house keeps its files, as FILES says. */
export const openFileStore = (settings: StorageSettings): FileStore =>
  openS3FileStore(settings) ?? createDiskFileStore(join(settings.dataDir, 'files'))

/** The bucket; null with FILES=disk. */
export function openS3FileStore({ files, s3 }: StorageSettings): S3FileStore | null {
  if (files !== 's3') return null
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = s3
  return createS3FileStore({
    endpoint: endpoint!,
    bucket: bucket!,
    region,
    accessKeyId: accessKeyId!,
    secretAccessKey: secretAccessKey!,
  })
}

/**
 * At a start: throws Trouble when the bucket cannot be used as it is set. One that cannot be reached now keeps nobody from selling
 * labels; files are made when it is back.
 */
export async function checkFileStore(settings: StorageSettings, log: Logger): Promise<void> {
  const s3 = openS3FileStore(settings)
  try {
    if (s3) await withTimeout(START_TIMEOUT_MS, () => s3.selfTest())
  } catch (error) {
    if (error instanceof OperatorError) throw error
    log.warn(
      { err: error },
      'the bucket for files cannot be used at the moment; files are made when it can',
    )
  }
}

/** Opens a file for somebody who waits for it; null when there is none. Throws Refusal 'unavailable' while the store does not answer. */
export const readFileOrRefuse = (
  { files, log }: { files: FileStore; log: Logger },
  name: string,
): ReturnType<FileStore['read']> => refuseIfUnreachable(log, () => files.read(name))

/** Reads from a store for somebody who waits. Throws Refusal 'unavailable' while it does not answer. */
export async function refuseIfUnreachable<T>(log: Logger, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    log.error({ err: error }, 'a file could not be read')
    throw new Refusal(
      'unavailable',
      'Files cannot be reached at the moment. Please try again soon.',
      undefined,
      5,
    )
  }
}
