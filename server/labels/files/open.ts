import { join } from 'node:path'
import type { Config } from '#server/platform/config.ts'
import { within } from '#server/platform/deadline.ts'
import type { Logger } from '#server/platform/log.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { Trouble } from '#server/platform/trouble.ts'
import { diskFiles } from './disk.ts'
import type { FileStore } from './port.ts'
import { s3Files } from './s3.ts'
import type { S3Files } from './s3.ts'

type Settings = Pick<Config, 'files' | 's3' | 'dataDir'>

/** How long a start waits for a bucket. */
const START_PATIENCE_MS = 10_000

/** Where this house keeps its files, as FILES says. */
export const openFiles = (settings: Settings): FileStore =>
  openS3(settings) ?? diskFiles(join(settings.dataDir, 'files'))

/** The bucket; null with FILES=disk. */
export function openS3({ files, s3 }: Settings): S3Files | null {
  if (files !== 's3') return null
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = s3
  return s3Files({
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
export async function demandFiles(settings: Settings, log: Logger): Promise<void> {
  const s3 = openS3(settings)
  try {
    if (s3) await within(START_PATIENCE_MS, () => s3.prove())
  } catch (error) {
    if (error instanceof Trouble) throw error
    log.warn(
      { err: error },
      'the bucket for files cannot be used at the moment; files are made when it can',
    )
  }
}

/** Opens a file for somebody who waits for it; null when there is none. Throws Refusal 'unavailable' while the store does not answer. */
export const readNow = (
  { files, log }: { files: FileStore; log: Logger },
  name: string,
): ReturnType<FileStore['read']> => reaching(log, () => files.read(name))

/** Reads from a store for somebody who waits. Throws Refusal 'unavailable' while it does not answer. */
export async function reaching<T>(log: Logger, read: () => Promise<T>): Promise<T> {
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
