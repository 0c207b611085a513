import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { PRODUCT } from '#contract/product.ts'
import { OperatorError } from '#server/platform/process/operator-error.ts'
import { checksumFile, forEachConcurrent } from './file-copy.ts'

const FORMAT = 'evenpost-backup-1'

const BackupPath = z
  .string()
  .regex(/^(?!\/)(?!(?:.*\/)?\.\.?(?:\/|$))[^\\\0]+$/, 'is not a path inside the backup')

/** Describes a backup. It is written last: a backup without a manifest is not complete. */
export const Manifest = z.object({
  format: z.literal(FORMAT),
  product: z.string(),
  version: z.string(),
  madeAt: z.iso.datetime(),
  mode: z.enum(['sandbox', 'live']),
  /** PostgreSQL's major version; another one cannot read the files. */
  postgres: z.number().int(),
  migrations: z.array(z.string()),
  /** Every folder, including empty ones, before its content. */
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
export const CLUSTER_FOLDER = 'cluster'
export const FILES_FOLDER = 'files'
/** The operator's pages; not in backups of a data folder without them. */
export const PAGES_FOLDER = 'pages'
export const PASSWORD_FILE = 'password'

export const createManifest = (facts: Omit<Manifest, 'format' | 'product'>): Manifest => ({
  format: FORMAT,
  product: PRODUCT,
  ...facts,
})

export const totalBytes = (files: { bytes: number }[]): number =>
  files.reduce((sum, { bytes }) => sum + bytes, 0)

/** Throws OperatorError when the folder is not a complete backup. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST_FILE), 'utf8').catch(() => {
    throw new OperatorError(
      `${folder} is not a complete backup of ${PRODUCT}: it has no ${MANIFEST_FILE}.`,
    )
  })
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    throw new OperatorError(`The ${MANIFEST_FILE} in ${folder} is damaged. Use another backup.`)
  }
  const { success, data, error } = Manifest.safeParse(content)
  if (success) return data
  if ((content as { format?: unknown } | null)?.format !== FORMAT) {
    throw new OperatorError(
      `The backup in ${folder} has a format that this ${PRODUCT} does not know. Use the version that made it.`,
    )
  }
  throw new OperatorError(
    `The ${MANIFEST_FILE} in ${folder} is damaged (${error.issues[0]?.path.join('.')}). Use another backup.`,
  )
}

/**
 * Compares every file with its hash. Throws OperatorError that names the first missing or damaged
 * ones.
 */
export async function verifyFiles(
  folder: string,
  manifest: Manifest,
  signal?: AbortSignal,
): Promise<void> {
  const wrong: string[] = []
  const verify = async ({ path, bytes, sha256 }: Manifest['files'][number]): Promise<void> => {
    const now = await checksumFile(join(folder, path))
    if (!now) wrong.push(`${path} is missing`)
    else if (now.bytes !== bytes || now.sha256 !== sha256) wrong.push(`${path} has changed`)
  }
  await forEachConcurrent(manifest.files, verify, signal)
  if (wrong.length === 0) return
  const shown = wrong.toSorted().slice(0, 5).join('\n  - ')
  throw new OperatorError(
    `The backup in ${folder} is damaged; nothing was changed. Use another one.\n  - ${shown}`
      + (wrong.length > 5 ? `\n  - and ${wrong.length - 5} more` : ''),
  )
}
