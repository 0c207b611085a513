import { join } from 'node:path'
import type { Config } from '#server/platform/config.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import type { Logger } from '#server/platform/process/log.ts'
import { OperatorError } from '#server/platform/process/operator-error.ts'
import { withTimeout } from '#server/platform/process/timeout.ts'
import { createDiskFileStore, filesFolderProblem, makeFoldersPrivate } from './disk.ts'
import type { FileStore } from './port.ts'
import { createS3FileStore } from './s3.ts'
import type { S3FileStore } from './s3.ts'

type StorageSettings = Pick<Config, 'files' | 's3' | 'dataDir'>

const START_TIMEOUT_MS = 10_000

/** The store that FILES selects, for files whose names match `allowedNames`. */
export const openFileStore = (settings: StorageSettings, allowedNames: RegExp): FileStore =>
  openS3FileStore(settings, allowedNames)
  ?? createDiskFileStore(join(settings.dataDir, 'files'), allowedNames)

/** Null with FILES=disk. */
export function openS3FileStore(
  { files, s3 }: StorageSettings,
  allowedNames: RegExp,
): S3FileStore | null {
  if (files !== 's3') return null
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = s3
  return createS3FileStore(
    {
      endpoint: endpoint!,
      bucket: bucket!,
      region,
      accessKeyId: accessKeyId!,
      secretAccessKey: secretAccessKey!,
    },
    allowedNames,
  )
}

/**
 * At the start: throws OperatorError when the settings of the bucket are wrong. A bucket that
 * cannot be reached now only gives a warning, as does a folder that takes no files. On a disk, folders become private.
 */
export async function checkFileStore(
  settings: StorageSettings,
  allowedNames: RegExp,
  log: Logger,
): Promise<void> {
  const s3 = openS3FileStore(settings, allowedNames)
  const problem = s3 ? null : await filesFolderProblem(settings.dataDir)
  if (problem !== null) return log.warn({}, problem)
  try {
    if (s3) await withTimeout(START_TIMEOUT_MS, () => s3.selfTest())
    else await makeFoldersPrivate(join(settings.dataDir, 'files'))
  } catch (error) {
    if (error instanceof OperatorError) throw error
    log.warn(
      { err: error },
      s3
        ? 'the bucket for files cannot be used at the moment; files are written when it can'
        : 'other users of this machine may be able to list the names of stored files',
    )
  }
}

/**
 * Opens a file for a request; null when there is none. Throws Refusal 503 while the store
 * does not respond.
 */
export const readFileOrRefuse = (
  { files, log }: { files: FileStore; log: Logger },
  name: string,
): ReturnType<FileStore['read']> => refuseIfUnreachable(log, () => files.read(name))

/** Reads for a request. Throws as `readFileOrRefuse`. */
export async function refuseIfUnreachable<T>(log: Logger, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    log.error({ err: error }, 'a file could not be read')
    throw storageUnavailable()
  }
}

export const storageUnavailable = (): Refusal =>
  new Refusal(
    'storage_unavailable',
    'Files cannot be reached at the moment. Please try again soon.',
    { retryAfter: 5 },
  )
