import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { PRODUCT } from '#contract/product.ts'
import { OperatorError } from '#server/platform/process/operator-error.ts'
import { forEachConcurrent, checksumFile } from './file-copy.ts'

const FORMAT = 'evenpost-backup-1'

const BackupPath = z
  .string()
  .regex(/^(?!\/)(?!(?:.*\/)?\.\.?(?:\/|$))[^\\\0]+$/, 'is not a path inside the backup')

/** What a backup says of itself; written last, so that a backup without one is not whole. */
export const Manifest = z.object({
  format: z.literal(FORMAT),
  product: z.string(),
  /** Of the program that made it. */
  version: z.string(),
  madeAt: z.iso.datetime(),
  mode: z.enum(['sandbox', 'live']),
  /** The server's major version: another one cannot read its files. */
  postgres: z.number().int(),
  migrations: z.array(z.string()),
  /** Every folder, also empty ones, before what is in it. */
  folders: z.array(BackupPath),
  files: z.array(
    z.object({
      path: BackupPath,
      bytes: z.number().int().nonnegative(),
      sha256: z.string().length(64),
    }),
  ),
})
export type Manifest = z.output<typeof Manifest>

export const MANIFEST_FILE = 'manifest.json'
/** Folder of the backup with the database's files. */
export const CLUSTER_FOLDER = 'cluster'
/** Folder of the backup with the label files. */
export const FILES_FOLDER = 'files'
/** File of the backup with the database's password. */
export const PASSWORD_FILE = 'password'

export const createManifest = (facts: Omit<Manifest, 'format' | 'product'>): Manifest => ({
  format: FORMAT,
  product: PRODUCT,
  ...facts,
})

export const totalBytes = (files: { bytes: number }[]): number =>
  files.reduce((sum, { bytes }) => sum + bytes, 0)

/** Reads what a backup says of itself. Throws Trouble when the folder is none, or one that was never finished. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST_FILE), 'utf8').catch(() => {
    throw new OperatorError(
      `${folder} is no backup of ${PRODUCT}, or one that was not finished: it has no ${MANIFEST_FILE}.`,
    )
  })
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    throw new OperatorError(`The ${MANIFEST_FILE} in ${folder} is damaged. Take another backup.`)
  }
  const { success, data, error } = Manifest.safeParse(content)
  if (success) return data
  if ((content as { format?: unknown } | null)?.format !== FORMAT) {
    throw new OperatorError(
      `The backup in ${folder} has a format that this ${PRODUCT} does not know. Use the version that made it.`,
    )
  }
  throw new OperatorError(
    `The ${MANIFEST_FILE} in ${folder} is damaged (${error.issues[0]?.path.join('.')}). Take another backup.`,
  )
}

/** Compares every file of a backup with its sum. Throws Trouble that names the first ones that are missing or damaged. */
export async function verifyFiles(folder: string, manifest: Manifest): Promise<void> {
  const wrong: string[] = []
  await forEachConcurrent(manifest.files, async ({ path, bytes, sha256 }) => {
    const now = await checksumFile(join(folder, path))
    if (!now) wrong.push(`${path} is missing`)
    else if (now.bytes !== bytes || now.sha256 !== sha256) wrong.push(`${path} is not what it was`)
  })
  if (wrong.length === 0) return
  const shown = wrong.toSorted().slice(0, 5).join('\n  - ')
  throw new OperatorError(
    `The backup in ${folder} is damaged; nothing was changed. Take another one.\n  - ${shown}`
      + (wrong.length > 5 ? `\n  - and ${wrong.length - 5} more` : ''),
  )
}
